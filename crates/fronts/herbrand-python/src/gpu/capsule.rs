//! Capsules of arrays in the form of DLPack: the code of this crate that handles pointers.

use std::ffi::CStr;
use std::ptr::NonNull;

use herbrand_gpu::{DlPack, GpuEnvs, GpuError, ManagedTensor};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The name of a capsule that owns its array. A library that takes the array renames the capsule.
const NAME: &CStr = c"dltensor";

/// Puts an array into a capsule. The library that takes the array gives it back; if none does, the capsule does.
pub fn capsule(py: Python<'_>, array: DlPack) -> PyResult<Bound<'_, PyCapsule>> {
    let array = NonNull::new(array.into_raw()).ok_or_else(|| PyMemoryError::new_err("no array"))?;
    // SAFETY: the array lives until its deleter is called, once: by the capsule's destructor, or by the library that
    // renamed the capsule. The deleter may run on any thread.
    let made = unsafe { PyCapsule::new_with_pointer_and_destructor(py, array.cast(), NAME, Some(give_back)) };
    // SAFETY: there is no capsule that would give the array back.
    made.inspect_err(|_| unsafe { delete(array.as_ptr()) })
}

/// Gives the array of a capsule back if the capsule still owns it.
unsafe extern "C" fn give_back(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls this with a capsule of `capsule`, once. The name tells that the array is still there.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

/// Calls the deleter of an array.
unsafe fn delete(array: *mut ManagedTensor) {
    // SAFETY: `array` is an array that was not given back.
    unsafe {
        if let Some(deleter) = (*array).deleter {
            deleter(array);
        }
    }
}

/// A stream of another library, by its handle. The Python caller promises that it exists, as in every library that takes
/// handles of streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream(pub usize);

impl Stream {
    /// Makes the later work of the stream wait for all calls on the environments so far.
    pub fn waits_for(self, envs: &GpuEnvs) -> Result<(), GpuError> {
        // SAFETY: the stream exists.
        unsafe { envs.release_to(self.0) }
    }

    /// Makes later calls on the environments wait for the work of the stream so far.
    pub fn precedes(self, envs: &GpuEnvs) -> Result<(), GpuError> {
        // SAFETY: the stream exists.
        unsafe { envs.acquire_from(self.0) }
    }
}
