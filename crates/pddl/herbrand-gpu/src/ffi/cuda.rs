//! Environments in the memory of a GPU.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig,
    PushKernelArg, ValidAsZeroBits, result,
};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use herbrand_core::{Autoreset, EpisodeRules};
use herbrand_limits::Budget;
use herbrand_step::SlicedTask;

use crate::error::GpuError;
use crate::ffi::dlpack::{DataType, Device, DlPack, View};
use crate::memory::{BatchMemory, CallKind, Planes, episode_words, generators, plane};
use crate::tables::{KERNEL, KernelTables};

/// The number of threads per block of the GPU, which have 32 environments each.
const THREADS: u32 = 128;

/// Options of [`GpuEnvs`]. The default is GPU 0, no horizon, and the next step after the end of an episode begins another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GpuOptions {
    /// The number of the GPU, counted from 0.
    pub device: usize,
    /// The rules of episodes. Invalid actions are always ignored.
    pub rules: EpisodeRules,
    /// The behaviour at the end of an episode. With [`Autoreset::Disabled`], an environment whose episode is over takes no
    /// steps until it is reset.
    pub autoreset: Autoreset,
}

/// Environments of one ground task in the memory of a GPU, one bit per environment and atom. Its actions are the ground
/// operators of the task.
///
/// Environment `i` has the states, valid operators, rewards and draws of a single [`Env`](herbrand_core::Env) with seed `seed +
/// i`. Calls return when they are in the queue of the GPU's default stream. [`read`](Self::read) waits for them.
/// [`planes`](Self::planes), [`rewards`](Self::rewards) and [`actions`](Self::actions) give the memory itself to other libraries.
pub struct GpuEnvs {
    tables: KernelTables,
    arrays: Arc<Arrays>,
    stream: Arc<CudaStream>,
    kernel: CudaFunction,
    count: u32,
    device: usize,
    /// The rules of episodes and the horizon.
    episode: [u32; 2],
    seeded: bool,
}

/// The tables and the memory. Kernels write the memory in the order of the stream. Any thread may drop them.
struct Arrays {
    list: CudaSlice<u32>,
    ends: CudaSlice<u64>,
    amounts: CudaSlice<f64>,
    planes: CudaSlice<u32>,
    random: CudaSlice<u64>,
    elapsed: CudaSlice<u32>,
    actions: CudaSlice<u32>,
    rewards: CudaSlice<f64>,
}

impl GpuEnvs {
    /// Creates `count` environments of a task, and compiles the kernel. No episode has begun. The memory on the GPU is
    /// charged to `budget` while it is allocated.
    ///
    /// # Errors
    /// Fails if CUDA or the GPU is missing, if the task does not fit ([`KernelTables::new`]), if the memory exceeds that of
    /// `budget` or of the GPU, or if CUDA fails.
    pub fn new(
        task: &SlicedTask,
        count: u32,
        options: GpuOptions,
        budget: &Budget,
    ) -> Result<Self, GpuError> {
        // The kernel rounds up to whole words by 32-bit arithmetic.
        if count > u32::MAX - 31 {
            return Err(GpuError::TooLarge {
                what: "batch in words of 32 environments",
            });
        }
        let context = context(options.device)?;
        let tables = KernelTables::new(task, budget)?;
        let needed = tables.bytes() + tables.batch_bytes(count);
        let mut meter = budget.meter("allocating environments on a GPU");
        meter.charge(needed);
        meter.finish()?;
        let (free, _) = context
            .mem_get_info()
            .map_err(failed("asking for the free memory"))?;
        if needed > free as u64 {
            let free = free as u64;
            return Err(GpuError::Memory { needed, free });
        }
        let options_of_compiler = CompileOptions {
            // Sums must be those of the CPU.
            fmad: Some(false),
            ..CompileOptions::default()
        };
        let text = compile_ptx_with_opts(KERNEL, options_of_compiler).map_err(|error| {
            let log = match error {
                CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
                other => other.to_string(),
            };
            GpuError::Kernel { log }
        })?;
        let module = context.load_module(text).map_err(failed("loading the kernel"))?;
        let kernel = module
            .load_function("herbrand_step")
            .map_err(failed("finding the kernel"))?;
        let stream = context.default_stream();
        let arrays = Arrays::new(&stream, &tables, count).map_err(failed("allocating the environments"))?;
        let this = Self {
            tables,
            arrays: Arc::new(arrays),
            stream,
            kernel,
            count,
            device: options.device,
            episode: episode_words(&options.rules, options.autoreset),
            seeded: false,
        };
        this.write_plane(Planes::Over, &plane(count, |_| true))?;
        Ok(this)
    }

    /// Returns the number of environments.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the tables of the task, which tell the layout of the memory.
    #[must_use]
    pub const fn tables(&self) -> &KernelTables {
        &self.tables
    }

    /// Begins an episode in every environment. With a seed, the generators of environment `i` start from `seed + i`.
    ///
    /// # Errors
    /// [`GpuError::NotSeeded`] if no seed was ever given, or if CUDA fails.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<(), GpuError> {
        if let Some(seed) = seed {
            upload(
                &self.stream,
                &self.arrays.random,
                0,
                &generators(self.count, seed),
            )?;
            self.seeded = true;
        }
        self.begin(|_| true)
    }

    /// Begins an episode in the environments for which `which` is true.
    ///
    /// # Errors
    /// [`GpuError::Length`] if `which` has another length than the batch, [`GpuError::NotSeeded`] if no seed was ever given, or
    /// if CUDA fails.
    pub fn reset_some(&mut self, which: &[bool]) -> Result<(), GpuError> {
        self.check_length(which.len())?;
        self.begin(|index| which[index])
    }

    fn begin(&mut self, which: impl Fn(usize) -> bool) -> Result<(), GpuError> {
        self.write_plane(Planes::Begins, &plane(self.count, which))?;
        self.call(CallKind::Begin)
    }

    /// Steps every environment by an operator that is drawn uniformly from the valid ones. [`actions`](Self::actions) has the
    /// operators.
    ///
    /// # Errors
    /// [`GpuError::NotSeeded`] if no seed was ever given, or if CUDA fails.
    pub fn step_sampled(&mut self) -> Result<(), GpuError> {
        self.call(CallKind::Sampled)
    }

    /// Steps environment `i` by operator `actions[i]`. An operator that is not valid changes nothing.
    ///
    /// # Errors
    /// [`GpuError::Length`] if `actions` has another length than the batch, [`GpuError::NotSeeded`] if no seed was ever given, or
    /// if CUDA fails.
    pub fn step(&mut self, actions: &[u32]) -> Result<(), GpuError> {
        self.check_length(actions.len())?;
        upload(&self.stream, &self.arrays.actions, 0, actions)?;
        self.call(CallKind::Given)
    }

    /// Steps every environment by the operators in the memory of [`actions`](Self::actions), which another library wrote there.
    ///
    /// # Errors
    /// [`GpuError::NotSeeded`] if no seed was ever given, or if CUDA fails.
    pub fn step_written(&mut self) -> Result<(), GpuError> {
        self.call(CallKind::Given)
    }

    /// Makes the later work of another stream wait for all calls so far. The default streams of other libraries need no call.
    ///
    /// # Errors
    /// Fails if CUDA does.
    ///
    /// # Safety
    /// `stream` must be the handle of a stream of the same GPU (`cudaStream_t`) that exists during the call.
    pub unsafe fn release_to(&self, stream: usize) -> Result<(), GpuError> {
        // SAFETY: as the caller tells.
        let other = unsafe { self.foreign(stream) };
        other.join(&self.stream).map_err(failed("ordering streams"))
    }

    /// Makes later calls wait for all work so far of another stream, which wrote to [`actions`](Self::actions).
    ///
    /// # Errors
    /// Fails if CUDA does.
    ///
    /// # Safety
    /// As for [`release_to`](Self::release_to).
    pub unsafe fn acquire_from(&self, stream: usize) -> Result<(), GpuError> {
        // SAFETY: as the caller tells.
        let other = unsafe { self.foreign(stream) };
        self.stream.join(&other).map_err(failed("ordering streams"))
    }

    /// # Safety
    /// As for [`release_to`](Self::release_to).
    unsafe fn foreign(&self, stream: usize) -> Arc<CudaStream> {
        let handle = std::ptr::with_exposed_provenance_mut(stream);
        // SAFETY: the stream exists, and the wrapper goes before the call ends.
        unsafe { self.stream.context().wrap_borrowed_stream(handle) }
    }

    /// Waits for all calls, and copies the memory of all environments to the host.
    ///
    /// # Errors
    /// Fails if CUDA does.
    pub fn read(&self) -> Result<BatchMemory, GpuError> {
        let mut memory = BatchMemory::new(&self.tables, self.count);
        let Arrays {
            planes,
            random,
            elapsed,
            actions,
            rewards,
            ..
        } = &*self.arrays;
        download(&self.stream, planes, &mut memory.planes)?;
        download(&self.stream, random, &mut memory.random)?;
        download(&self.stream, elapsed, &mut memory.elapsed)?;
        download(&self.stream, actions, &mut memory.actions)?;
        download(&self.stream, rewards, &mut memory.rewards)?;
        self.stream.synchronize().map_err(failed("waiting for the GPU"))?;
        Ok(memory)
    }

    /// Gives planes to another library, without a copy: 32-bit integers of the shape planes × words, where bit `i` of word `w`
    /// belongs to environment `32 w + i`. Every call on the environments changes them.
    #[must_use]
    pub fn planes(&self, planes: Planes) -> DlPack {
        let (first, count) = self.tables.planes(planes);
        let words = self.count.div_ceil(32) as usize;
        let start = (4 * first * words) as u64;
        self.share(&self.arrays.planes, start, DataType::INT, &[count, words])
    }

    /// Gives the rewards of the last step to another library, without a copy: a 64-bit floating-point number per environment.
    #[must_use]
    pub fn rewards(&self) -> DlPack {
        self.share(&self.arrays.rewards, 0, DataType::DOUBLE, &[self.count as usize])
    }

    /// Gives the operators of the last step to another library, without a copy: a 32-bit integer per environment. The other
    /// library may write operators for [`step_written`](Self::step_written) to it.
    #[must_use]
    pub fn actions(&self) -> DlPack {
        self.share(&self.arrays.actions, 0, DataType::INT, &[self.count as usize])
    }

    fn share<T>(&self, array: &CudaSlice<T>, start: u64, element: DataType, shape: &[usize]) -> DlPack {
        let (pointer, _) = array.device_ptr(&self.stream);
        let view = View {
            address: pointer,
            start,
            device: Device::cuda(self.device),
            element,
            shape,
        };
        // SAFETY: the memory is as large as the layout of the tables tells, and the capsule keeps it alive.
        unsafe { DlPack::new(self.arrays.clone(), &view) }
    }

    const fn check_length(&self, found: usize) -> Result<(), GpuError> {
        let expected = self.count as usize;
        if found == expected {
            Ok(())
        } else {
            Err(GpuError::Length { found, expected })
        }
    }

    fn write_plane(&self, planes: Planes, words: &[u32]) -> Result<(), GpuError> {
        let start = self.tables.planes(planes).0 * words.len();
        upload(&self.stream, &self.arrays.planes, start, words)
    }

    fn call(&mut self, kind: CallKind) -> Result<(), GpuError> {
        if !self.seeded {
            return Err(GpuError::NotSeeded);
        }
        let words = self.count.div_ceil(32);
        if words == 0 {
            return Ok(());
        }
        let (kind, [rules, horizon]) = (kind as u32, self.episode);
        let goal_reward = self.tables.goal_reward();
        let Arrays {
            list,
            ends,
            amounts,
            planes,
            random,
            elapsed,
            actions,
            rewards,
        } = &*self.arrays;
        let mut launch = self.stream.launch_builder(&self.kernel);
        launch
            .arg(list)
            .arg(ends)
            .arg(amounts)
            .arg(planes)
            .arg(random)
            .arg(elapsed);
        launch
            .arg(actions)
            .arg(rewards)
            .arg(&self.count)
            .arg(&kind)
            .arg(&rules);
        launch.arg(&horizon).arg(&goal_reward);
        let threads = LaunchConfig {
            grid_dim: (words.div_ceil(THREADS), 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of the kernel's declaration, the arrays have the lengths of its layout, and all that
        // writes them is in the order of one stream.
        let launched = unsafe { launch.launch(threads) };
        launched.map(drop).map_err(failed("starting the kernel"))
    }
}

impl fmt::Debug for GpuEnvs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuEnvs")
            .field("count", &self.count)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

impl Arrays {
    fn new(stream: &Arc<CudaStream>, tables: &KernelTables, count: u32) -> Result<Self, DriverError> {
        let [planes, random, elapsed, actions, rewards] = tables.lengths(count).map(|length| length.max(1));
        Ok(Self {
            list: copied(stream, tables.list())?,
            ends: copied(stream, tables.ends())?,
            amounts: copied(stream, tables.amounts())?,
            planes: stream.alloc_zeros(planes)?,
            random: stream.alloc_zeros(random)?,
            elapsed: stream.alloc_zeros(elapsed)?,
            actions: stream.alloc_zeros(actions)?,
            rewards: stream.alloc_zeros(rewards)?,
        })
    }
}

impl Drop for Arrays {
    /// Makes the GPU's context that of this thread: without one, the memory would not be freed.
    fn drop(&mut self) {
        let context = self.planes.context();
        context.record_err(context.bind_to_thread());
    }
}

/// Copies items to the GPU. There is no empty array there.
fn copied<T: DeviceRepr + ValidAsZeroBits>(
    stream: &Arc<CudaStream>,
    items: &[T],
) -> Result<CudaSlice<T>, DriverError> {
    if items.is_empty() {
        stream.alloc_zeros(1)
    } else {
        stream.clone_htod(items)
    }
}

/// Returns the context of a GPU, if the libraries of CUDA and the GPU are there.
fn context(device: usize) -> Result<Arc<CudaContext>, GpuError> {
    // SAFETY: they load the libraries of CUDA, whose initialisation has no requirements.
    let (driver, compiler) = unsafe {
        (
            cudarc::driver::sys::is_culib_present(),
            cudarc::nvrtc::sys::is_culib_present(),
        )
    };
    if !driver {
        return Err(GpuError::NoDriver);
    }
    if !compiler {
        return Err(GpuError::NoCompiler);
    }
    let count = match CudaContext::device_count() {
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
        counted => counted.map_err(failed("counting the GPUs"))?,
    };
    let count = usize::try_from(count).unwrap_or(0);
    if device >= count {
        return Err(GpuError::NoDevice { device, count });
    }
    CudaContext::new(device).map_err(failed("opening the GPU"))
}

fn failed(call: &'static str) -> impl FnOnce(DriverError) -> GpuError {
    move |error| GpuError::Driver {
        call,
        reason: error.to_string(),
    }
}

/// Copies items into an array, from place `start` on. They must fit.
fn upload<T>(stream: &CudaStream, array: &CudaSlice<T>, start: usize, items: &[T]) -> Result<(), GpuError> {
    assert!(start + items.len() <= array.len(), "the items fit");
    if items.is_empty() {
        return Ok(());
    }
    let bound = stream.context().bind_to_thread();
    bound.map_err(failed("copying to the GPU"))?;
    let (pointer, _order) = array.device_ptr(stream);
    let place = pointer + (start * size_of::<T>()) as u64;
    // SAFETY: the items fit into the array. The stream is waited for, so that `items` may go.
    let copied = unsafe { result::memcpy_htod_async(place, items, stream.cu_stream()) };
    let done = copied.and_then(|()| stream.synchronize());
    done.map_err(failed("copying to the GPU"))
}

/// Copies the beginning of an array to `items`, in the order of the stream. The caller waits for it.
fn download<T: DeviceRepr>(
    stream: &Arc<CudaStream>,
    array: &CudaSlice<T>,
    items: &mut [T],
) -> Result<(), GpuError> {
    if items.is_empty() {
        return Ok(());
    }
    let view = array.slice(..items.len());
    let copied = stream.memcpy_dtoh(&view, items);
    copied.map_err(failed("copying from the GPU"))
}
