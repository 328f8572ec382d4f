//! The engine of `herbrand-play` as WebAssembly. It answers requests, which are JSON, with replies, which are JSON too.
//!
//! The compiler's output can be loaded without post-processing. The host must provide the import `env.herbrand_now`, a
//! monotonic clock in milliseconds, for time limits. To send a request:
//!
//! 1. Call [`herbrand_request`] with the length of the request.
//! 2. Write the bytes of the request to the returned address.
//! 3. Call [`herbrand_answer`], which returns the length of the reply.
//! 4. Read that number of bytes from the address that [`herbrand_reply`] returns.
//!
//! `assets/wasm.js` of `herbrand-serve` is an example.
//!
//! The module also imports functions of wasm-bindgen, because `ascent` measures times. The times are never used, so
//! functions that return zero suffice.

use std::cell::RefCell;

use herbrand_play::{Playground, RequestLimits};

struct Engine {
    playground: Playground,
    request: Vec<u8>,
    reply: String,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine {
        playground: Playground::new(RequestLimits::default()),
        request: Vec::new(),
        reply: String::new(),
    });
}

/// Allocates a buffer for a request with this number of bytes, and returns the address to write the request to. The
/// address is valid until the next call of this function or of [`herbrand_answer`].
#[expect(unsafe_code, reason = "the name is exported")]
#[unsafe(no_mangle)]
pub extern "C" fn herbrand_request(length: usize) -> *mut u8 {
    clock::install();
    ENGINE.with_borrow_mut(|engine| {
        engine.request.clear();
        engine.request.resize(length, 0);
        engine.request.as_mut_ptr()
    })
}

/// Answers the request in the buffer, and returns the length of the reply in bytes, at least 1. The buffer is empty
/// afterwards. A request that is not valid JSON, or none, is answered with a refusal. [`herbrand_reply`] returns the
/// address of the reply.
#[expect(unsafe_code, reason = "the name is exported")]
#[unsafe(no_mangle)]
pub extern "C" fn herbrand_answer() -> usize {
    ENGINE.with_borrow_mut(|engine| {
        let request = std::mem::take(&mut engine.request);
        engine.reply = engine.playground.answer(&String::from_utf8_lossy(&request));
        engine.reply.len()
    })
}

/// Returns the address of the reply, UTF-8 text in JSON with the length that [`herbrand_answer`] returned. It is valid
/// until the next call of [`herbrand_answer`].
#[expect(unsafe_code, reason = "the name is exported")]
#[unsafe(no_mangle)]
pub extern "C" fn herbrand_reply() -> *const u8 {
    ENGINE.with_borrow(|engine| engine.reply.as_ptr())
}

/// The clock of the host.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock {
    use std::time::Duration;

    #[expect(unsafe_code, reason = "the function is imported")]
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        safe fn herbrand_now() -> f64;
    }

    pub fn install() {
        herbrand_limits::clock::install(|| {
            let milliseconds = herbrand_now();
            Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
        });
    }
}

/// On other platforms, the standard library has a clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    pub const fn install() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered() {
        // Writing a request would need unsafe code here. A buffer of zeros is an invalid request.
        assert!(!herbrand_request(3).is_null());
        let length = herbrand_answer();
        assert!(length > 10 && !herbrand_reply().is_null());
        ENGINE.with_borrow(|engine| assert!(engine.reply.contains("invalid request")));
    }
}
