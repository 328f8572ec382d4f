//! The engine of `herbrand-play` as WebAssembly: a request goes in and a reply comes out, both as JSON.
//!
//! No tool has to be run on what the compiler makes. Whoever loads the module brings `env.herbrand_now`, a function that gives
//! milliseconds and never goes back, for the limits of time. To ask, call [`herbrand_request`] with the length of the request, write the
//! request's bytes to the address that it gives, call [`herbrand_answer`], and read as many bytes as that says from the
//! address that [`herbrand_reply`] gives. `assets/wasm.js` of `herbrand-serve` does this.
//!
//! Other imports of the module are of wasm-bindgen, through which `ascent` would measure times that nobody reads: functions that give
//! zero do for them.

use std::cell::RefCell;

use herbrand_play::{Allowance, Playground};

struct Engine {
    playground: Playground,
    request: Vec<u8>,
    reply: String,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine {
        playground: Playground::new(Allowance::default()),
        request: Vec::new(),
        reply: String::new(),
    });
}

/// Makes room for a request of this many bytes, and gives the address at which they are to be written.
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

/// Answers the request that was written; the length of the reply in bytes.
#[expect(unsafe_code, reason = "the name is exported")]
#[unsafe(no_mangle)]
pub extern "C" fn herbrand_answer() -> usize {
    ENGINE.with_borrow_mut(|engine| {
        let request = std::mem::take(&mut engine.request);
        engine.reply = engine.playground.answer(&String::from_utf8_lossy(&request));
        engine.reply.len()
    })
}

/// The address of the reply. It stays until the next call.
#[expect(unsafe_code, reason = "the name is exported")]
#[unsafe(no_mangle)]
pub extern "C" fn herbrand_reply() -> *const u8 {
    ENGINE.with_borrow(|engine| engine.reply.as_ptr())
}

/// The clock of whoever loaded the module.
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

/// Elsewhere the standard library has a clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    pub const fn install() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered() {
        // The bytes cannot be written from here without unsafe code: nothing but zeros is no request.
        assert!(!herbrand_request(3).is_null());
        let length = herbrand_answer();
        assert!(length > 10 && !herbrand_reply().is_null());
        ENGINE.with_borrow(|engine| assert!(engine.reply.contains("this is no request")));
    }
}
