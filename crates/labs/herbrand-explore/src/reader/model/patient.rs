//! Waiting for a server that is down.

use std::fmt;
use std::time::Duration;

use super::endpoint::{Endpoint, EndpointError};

/// The first pause.
const FIRST: Duration = Duration::from_secs(1);

/// Waits for a duration, and returns whether to go on.
type Wait = Box<dyn FnMut(Duration) -> bool + Send>;

/// An endpoint that repeats a request while the server behind another endpoint is [down](Endpoint::is_down), with pauses
/// that double from one second. If the server is still down after the last pause, the exchange fails for good
/// ([`EndpointError::again`] is `false`), the endpoint stays down, and the game ends with
/// [`Ending::NotPlayed`](crate::Ending::NotPlayed). Other errors are passed on at once.
pub struct PatientEndpoint<E> {
    endpoint: E,
    /// The sum of all pauses of an exchange.
    total: Duration,
    wait: Wait,
}

impl<E: Endpoint> PatientEndpoint<E> {
    /// Creates an endpoint that waits for `endpoint` at most `total` in each exchange. `wait` waits for a duration and
    /// returns whether to go on; `false`, for example after a key was pressed, makes the exchange fail. With a `total`
    /// of 0, nothing is repeated. Pass the endpoint to [`LanguageModel::new`](crate::LanguageModel::new).
    pub fn new(endpoint: E, total: Duration, wait: impl FnMut(Duration) -> bool + Send + 'static) -> Self {
        Self {
            endpoint,
            total,
            wait: Box::new(wait),
        }
    }
}

impl<E: Endpoint> Endpoint for PatientEndpoint<E> {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        let (mut pause, mut left) = (FIRST, self.total);
        loop {
            let answer = self.endpoint.exchange(body);
            let Err(error) = answer else { return answer };
            if !self.endpoint.is_down() {
                return Err(error);
            }
            let now = pause.min(left);
            if now.is_zero() || !(self.wait)(now) {
                return Err(EndpointError {
                    message: format!("the server is down: {}", error.message),
                    again: false,
                });
            }
            left -= now;
            pause = pause.saturating_mul(2);
        }
    }

    fn is_down(&self) -> bool {
        self.endpoint.is_down()
    }
}

impl<E: fmt::Debug> fmt::Debug for PatientEndpoint<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatientEndpoint")
            .field("endpoint", &self.endpoint)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A server that is down for a number of requests, and answers or fails otherwise.
    struct Server {
        down: usize,
        then: Result<String, EndpointError>,
        was_down: bool,
    }

    impl Endpoint for Server {
        fn exchange(&mut self, _: &str) -> Result<String, EndpointError> {
            self.was_down = self.down > 0;
            if self.was_down {
                self.down -= 1;
                return Err(EndpointError {
                    message: "no response".to_owned(),
                    again: true,
                });
            }
            self.then.clone()
        }

        fn is_down(&self) -> bool {
            self.was_down
        }
    }

    /// Returns the answer of a server that is down for some requests, the pauses in seconds, and whether it is down then.
    fn asked(
        down: usize,
        then: Result<String, EndpointError>,
        seconds: u64,
        most: usize,
    ) -> (Result<String, EndpointError>, Vec<u64>, bool) {
        let pauses = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&pauses);
        let server = Server {
            down,
            then,
            was_down: false,
        };
        let wait = move |pause: Duration| {
            let mut kept = kept.lock().expect("no panic");
            kept.push(pause.as_secs());
            kept.len() < most
        };
        let mut patient = PatientEndpoint::new(server, Duration::from_secs(seconds), wait);
        let answer = patient.exchange("{}");
        let is_down = patient.is_down();
        let pauses = pauses.lock().expect("no panic").clone();
        (answer, pauses, is_down)
    }

    #[test]
    fn pauses_grow_until_the_server_answers_or_the_time_is_over() {
        let good = || Ok("yes".to_owned());
        assert_eq!(asked(0, good(), 10, 9), (good(), vec![], false));
        assert_eq!(asked(3, good(), 100, 9), (good(), vec![1, 2, 4], false));
        let (answer, pauses, is_down) = asked(100, good(), 10, 9);
        let error = answer.expect_err("it is down");
        assert_eq!(
            (error.message.as_str(), error.again),
            ("the server is down: no response", false)
        );
        assert_eq!((pauses, is_down), (vec![1, 2, 4, 3], true));
        let (answer, pauses, _) = asked(100, good(), 0, 9);
        assert_eq!((answer.is_err(), pauses), (true, vec![]));
        // Waiting is cut short.
        let (answer, pauses, _) = asked(100, good(), 100, 2);
        assert_eq!((answer.is_err(), pauses), (true, vec![1, 2]));
    }

    #[test]
    fn an_error_of_a_server_that_answers_is_passed_on() {
        let bad = Err(EndpointError {
            message: "too long".to_owned(),
            again: true,
        });
        assert_eq!(asked(0, bad.clone(), 100, 9), (bad.clone(), vec![], false));
        assert_eq!(asked(1, bad.clone(), 100, 9), (bad, vec![1], false));
    }
}
