//! Where requests go.

/// Something that answers requests for chat completions.
pub trait Endpoint {
    /// Sends the body of a request, and gives that of the response.
    ///
    /// # Errors
    /// When there is no response; the error does not say what the key is.
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError>;
}

impl<E: Endpoint + ?Sized> Endpoint for Box<E> {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        (**self).exchange(body)
    }
}

/// A request has no response.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct EndpointError {
    /// Why.
    pub message: String,
    /// Whether another attempt may succeed.
    pub again: bool,
}
