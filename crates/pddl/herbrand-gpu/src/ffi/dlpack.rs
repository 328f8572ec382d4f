//! Arrays for other libraries: DLPack, whose structures have a fixed layout in memory (dmlc/dlpack, `dlpack.h`, version 0).

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

/// A kind of memory and the number of the device that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Device {
    /// 1 for the memory of the host, 2 for that of a CUDA device.
    pub kind: i32,
    /// The number of the device, counted from 0.
    pub id: i32,
}

impl Device {
    /// Returns the memory of a CUDA device.
    pub(crate) const fn cuda(device: usize) -> Self {
        Self {
            kind: 2,
            id: device as i32,
        }
    }
}

/// A type of array elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct DataType {
    /// 0 for signed integers, 2 for floating-point numbers.
    pub code: u8,
    /// The number of bits.
    pub bits: u8,
    /// The number of numbers in an element: 1.
    pub lanes: u16,
}

impl DataType {
    /// A 32-bit integer.
    pub(crate) const INT: Self = Self {
        code: 0,
        bits: 32,
        lanes: 1,
    };
    /// A 64-bit floating-point number.
    pub(crate) const DOUBLE: Self = Self {
        code: 2,
        bits: 64,
        lanes: 1,
    };
}

/// An array, as `DLTensor` describes it.
#[derive(Debug)]
#[repr(C)]
pub struct Tensor {
    /// The beginning of the memory.
    pub data: *mut c_void,
    /// The device that has the memory.
    pub device: Device,
    /// The number of dimensions.
    pub dimensions: i32,
    /// The type of the elements.
    pub element: DataType,
    /// The length of each dimension.
    pub shape: *mut i64,
    /// By dimension, the distance of neighbours in elements.
    pub strides: *mut i64,
    /// The place of the first element behind `data`, in bytes.
    pub start: u64,
}

/// An array with the function that gives it back, as `DLManagedTensor` describes it.
#[derive(Debug)]
#[repr(C)]
pub struct ManagedTensor {
    /// The array.
    pub tensor: Tensor,
    /// The data of `deleter`.
    pub context: *mut c_void,
    /// The function that its last user calls.
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

/// An array in memory that it keeps alive, for libraries that know DLPack: PyTorch, JAX, CuPy. In Python, it goes into a
/// capsule of the name `dltensor`. It is in rows, without gaps.
///
/// [`into_raw`](Self::into_raw) gives it away. Otherwise it is given back when it is dropped.
pub struct DlPack(NonNull<ManagedTensor>);

// SAFETY: the array can be described and given back on every thread.
unsafe impl Send for DlPack {}

/// The place and form of an array.
pub(crate) struct View<'a> {
    pub(crate) address: u64,
    pub(crate) start: u64,
    pub(crate) device: Device,
    pub(crate) element: DataType,
    pub(crate) shape: &'a [usize],
}

/// The data that a deleter frees.
struct Context {
    numbers: [Vec<i64>; 2],
    _owner: Arc<dyn Any + Send + Sync>,
}

impl DlPack {
    /// Creates an array in memory of `owner`.
    ///
    /// # Safety
    /// The memory must be as `view` tells while `owner` lives.
    pub(crate) unsafe fn new(owner: Arc<dyn Any + Send + Sync>, view: &View<'_>) -> Self {
        let shape: Vec<i64> = view.shape.iter().map(|&length| length as i64).collect();
        let rest = |place: usize| shape[place + 1..].iter().product();
        let strides = (0..shape.len()).map(rest).collect();
        let mut context = Box::new(Context {
            numbers: [shape, strides],
            _owner: owner,
        });
        let [shape, strides] = &mut context.numbers;
        let tensor = Tensor {
            data: std::ptr::without_provenance_mut(view.address as usize),
            device: view.device,
            dimensions: view.shape.len() as i32,
            element: view.element,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            start: view.start,
        };
        let managed = Box::new(ManagedTensor {
            tensor,
            context: Box::into_raw(context).cast(),
            deleter: Some(give_back),
        });
        Self(NonNull::from(Box::leak(managed)))
    }

    /// Returns the array.
    #[must_use]
    pub fn tensor(&self) -> &Tensor {
        // SAFETY: the array lives until it is given back.
        &unsafe { self.0.as_ref() }.tensor
    }

    /// Returns the lengths of the dimensions.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        let tensor = self.tensor();
        // SAFETY: the shape has a length per dimension, and lives as long as the array.
        unsafe { std::slice::from_raw_parts(tensor.shape, tensor.dimensions as usize) }
    }

    /// Gives the array away: the receiver calls its `deleter` once, when it needs the memory no longer.
    #[must_use]
    pub fn into_raw(self) -> *mut ManagedTensor {
        std::mem::ManuallyDrop::new(self).0.as_ptr()
    }
}

impl Drop for DlPack {
    fn drop(&mut self) {
        // SAFETY: the array was not given away.
        unsafe { give_back(self.0.as_ptr()) }
    }
}

impl fmt::Debug for DlPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DlPack")
            .field("shape", &self.shape())
            .finish_non_exhaustive()
    }
}

/// Frees an array, and gives up its share in the memory.
unsafe extern "C" fn give_back(managed: *mut ManagedTensor) {
    // SAFETY: `managed` and its context are boxes of `DlPack::new`, and this is the only call for them.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Context>()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_keeps_its_memory() {
        let memory: Arc<Vec<i32>> = Arc::new((0..12).collect());
        let view = View {
            address: memory.as_ptr().expose_provenance() as u64,
            start: 16,
            device: Device { kind: 1, id: 0 },
            element: DataType::INT,
            shape: &[2, 4],
        };
        // SAFETY: the memory has twelve items, and the array those from the fifth on.
        let array = || unsafe { DlPack::new(memory.clone(), &view) };
        let (own, given) = (array(), array());
        assert_eq!(Arc::strong_count(&memory), 3);
        assert_eq!((own.shape(), own.tensor().dimensions), (&[2, 4][..], 2));
        drop(own);
        let raw = given.into_raw();
        assert_eq!(Arc::strong_count(&memory), 2);
        // SAFETY: the array was given to this test, which reads it as other libraries do and then gives it back.
        let read = unsafe {
            let ManagedTensor { tensor, deleter, .. } = &*raw;
            let strides = [*tensor.strides, *tensor.strides.add(1)];
            assert_eq!(
                (strides, tensor.device.kind, tensor.element),
                ([4, 1], 1, DataType::INT)
            );
            let data: *const i32 = std::ptr::with_exposed_provenance(tensor.data.addr());
            let data = data.byte_add(tensor.start as usize);
            let read = [*data, *data.offset((strides[0] + 2 * strides[1]) as isize)];
            deleter.expect("a deleter")(raw);
            read
        };
        assert_eq!((read, Arc::strong_count(&memory)), ([4, 10], 1));
    }

    #[test]
    fn structures_have_the_layout_of_the_standard() {
        assert_eq!((size_of::<Tensor>(), size_of::<ManagedTensor>()), (48, 64));
        assert_eq!(std::mem::offset_of!(Tensor, element), 20);
        assert_eq!(std::mem::offset_of!(Tensor, shape), 24);
        assert_eq!(std::mem::offset_of!(ManagedTensor, deleter), 56);
    }
}
