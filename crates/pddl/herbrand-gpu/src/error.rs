//! Why a task cannot run on a GPU.

use herbrand_limits::BudgetExhausted;
use herbrand_step::SlicedError;
use thiserror::Error;

/// The reason why environments cannot run on a GPU. On a CPU, the engine `sliced` steps the same tasks with the same results.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The driver of the GPU is missing.
    #[error(
        "the CUDA driver (libcuda) cannot be loaded: install the driver of an NVIDIA GPU, or use the engine \
         `sliced`, which runs on the CPU"
    )]
    NoDriver,
    /// The compiler of kernels is missing.
    #[error(
        "the CUDA compiler (libnvrtc) cannot be loaded: install the CUDA toolkit or its NVRTC package and add its folder to \
         the library path, or use the engine `sliced`, which runs on the CPU"
    )]
    NoCompiler,
    /// There is no GPU with this number.
    #[error("there is no GPU {device}: the CUDA driver lists {count}; the engine `sliced` runs on the CPU")]
    NoDevice {
        /// The number, counted from 0.
        device: usize,
        /// The number of GPUs.
        count: usize,
    },
    /// A call of the CUDA driver failed.
    #[error("{call} failed on the GPU: {reason}; the engine `sliced` steps the same tasks on the CPU")]
    Driver {
        /// The purpose of the call.
        call: &'static str,
        /// The name of the error and its description.
        reason: String,
    },
    /// The kernel was not compiled.
    #[error("the CUDA compiler refused the kernel: {log}")]
    Kernel {
        /// The messages of the compiler.
        log: String,
    },
    /// The environments do not fit into the free memory of the GPU.
    #[error("the environments need {needed} bytes and the GPU has {free} bytes free: use fewer environments")]
    Memory {
        /// The number of bytes that they need.
        needed: u64,
        /// The number of free bytes.
        free: u64,
    },
    /// Something has 2^32 items or more.
    #[error("the {what} has 2^32 items or more, and the kernel counts with 32 bits")]
    TooLarge {
        /// The name of the list or batch.
        what: &'static str,
    },
    /// A list has another length than the batch.
    #[error("{found} items for {expected} environments")]
    Length {
        /// The length of the list.
        found: usize,
        /// The number of environments.
        expected: usize,
    },
    /// No episode can begin before a seed is set.
    #[error("the environments have no seed yet: reset all of them with a seed first")]
    NotSeeded,
    /// The bit-sliced engine cannot step the task.
    #[error(transparent)]
    Unfit(#[from] SlicedError),
    /// The budget is exhausted.
    #[error("{0}")]
    Limit(#[from] BudgetExhausted),
}
