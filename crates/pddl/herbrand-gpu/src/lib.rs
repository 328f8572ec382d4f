//! Many copies of a planning task on a GPU, one bit per copy. No other crate uses this one, because it has not run on a GPU yet.
//!
//! The bit-sliced engine ([`herbrand_step::SlicedTask`]) keeps one bit per environment and atom, so that one instruction serves
//! as many environments as a word has bits. [`GpuEnvs`] does the same on a GPU. Each of its threads steps 32 environments:
//!
//! ```text
//!                thread 0    thread 1    thread 2
//!   plane 0      ········    ········    ········     atom 0, a bit per environment
//!   plane 1      ········    ········    ········     atom 1
//!     …
//!   plane n      ········    ········    ········     operator 0: where it is valid
//!     …
//! ```
//!
//! [`KernelTables`] has the step list of a task as words. One fixed text, [`KERNEL`], walks it, so no code is generated per task. A
//! call of the kernel takes one step in all environments:
//!
//! 1. Draw a valid operator for each environment, or take that of the caller.
//! 2. Carry the operators out, with their conditional effects and draws.
//! 3. Compute the derived atoms, the goal and the valid operators.
//! 4. Compute rewards and ends of episodes, and begin new ones.
//!
//! Every environment has the states, valid operators, rewards, flags and draws of a single environment on the CPU, bit for bit.
//!
//! ```no_run
//! use herbrand_gpu::{GpuEnvs, GpuError, GpuOptions, Planes};
//! use herbrand_limits::Budget;
//! use herbrand_step::{Simulator, SlicedTask};
//!
//! fn goals(simulator: &Simulator) -> Result<u32, GpuError> {
//!     let budget = Budget::unlimited();
//!     let task = SlicedTask::new(simulator, &budget)?;
//!     let mut envs = GpuEnvs::new(&task, 1 << 20, GpuOptions::default(), &budget)?;
//!     envs.reset(Some(7))?;
//!     for _ in 0..100 {
//!         envs.step_sampled()?;
//!     }
//!     let memory = envs.read()?;
//!     let goal = |&index: &usize| memory.holds(envs.tables(), Planes::Goal, 0, index);
//!     Ok((0..1 << 20).filter(goal).count() as u32)
//! }
//! ```
//!
//! # Libraries
//!
//! It needs the driver of an NVIDIA GPU (libcuda) and NVRTC, the compiler of CUDA (libnvrtc). Both are loaded when
//! [`GpuEnvs::new`] runs; none is needed to build the crate. Without them it returns a [`GpuError`] that names the missing one.
//!
//! # Arrays
//!
//! [`GpuEnvs::planes`], [`GpuEnvs::rewards`] and [`GpuEnvs::actions`] give the memory on the GPU to PyTorch, JAX or CuPy without a
//! copy ([`DlPack`]). A policy may write operators to the actions and call [`GpuEnvs::step_written`]. All work is in the order
//! of the default stream of the GPU.
//!
//! # Limits
//!
//! - The tasks are those of the bit-sliced engine whose rewards depend on at most ten conditions and alternatives per operator.
//! - The actions are ground operators. Agent actions that several operators carry out are not resolved.
//! - Invalid actions are ignored. There are no last observations with [`Autoreset::SameStep`](herbrand_core::Autoreset::SameStep).
//!
//! # Tests and measurements
//!
//! Tests compile the text of the kernel with the C compiler of the machine, and compare a run on the CPU with the engines of
//! this project. A CUDA driver in C, whose GPU is the memory of the host, runs all other code of the crate. It was not run on a GPU yet, so its speed there is not known.

mod error;
#[expect(
    unsafe_code,
    reason = "calls of CUDA, and arrays for other libraries, are made of pointers"
)]
mod ffi;
mod memory;
mod tables;

pub use error::GpuError;
pub use ffi::cuda::{GpuEnvs, GpuOptions};
pub use ffi::dlpack::{DataType, Device, DlPack, ManagedTensor, Tensor};
pub use memory::{BatchMemory, CallKind, Planes, episode_words, generators, plane};
pub use tables::{KERNEL, KernelTables};
