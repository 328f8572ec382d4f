//! The interface to chat completion servers.

/// An endpoint for chat completion requests: a server, or a record of one. `HttpEndpoint` (feature `http`),
/// [`RecordingEndpoint`](crate::RecordingEndpoint) and [`ReplayEndpoint`](crate::ReplayEndpoint) implement it.
/// [`LanguageModel::new`](crate::LanguageModel::new) takes one.
pub trait Endpoint {
    /// Sends the body of a request, which is JSON, and returns the body of the response, whatever it contains.
    ///
    /// # Errors
    /// Fails if there is no usable response. The error never contains the API key.
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError>;

    /// Returns whether the last exchange failed because the server is down: it does not answer in time, or asks to come back
    /// later. `false` by default.
    fn is_down(&self) -> bool {
        false
    }
}

impl<E: Endpoint + ?Sized> Endpoint for Box<E> {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        (**self).exchange(body)
    }

    fn is_down(&self) -> bool {
        (**self).is_down()
    }
}

/// The error of an [`Endpoint`] that got no usable response to a request. [`LanguageModel`](crate::LanguageModel)
/// turns it into a [`ReadError`](crate::ReadError) with the same fields.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct EndpointError {
    /// The reason, for people.
    pub message: String,
    /// Whether another attempt may succeed.
    pub again: bool,
}
