//! Batch tapes: compiled steps of many environments of one problem at once.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use herbrand_core::BatchSystem;
use herbrand_dataflow::{BatchRegisters, BatchTape, Graph, Layout, NodeId, Registers, Tape, ValueType};
use herbrand_limits::Budget;

use super::compiled::Outcome;
use super::simulator::RddlSimulator;
use super::turn;
use super::values::{FluentRegisters, Lanes, Values};

/// The batch tapes of a problem, each compiled on first use.
pub(crate) struct Batches {
    source: Option<Source>,
    whole: OnceLock<Option<Batch>>,
    lean: OnceLock<Option<Batch>>,
    whole_together: OnceLock<Option<Batch>>,
    lean_together: OnceLock<Option<Batch>>,
}

/// The input of batch compilation.
struct Source {
    graph: Arc<Graph>,
    inputs: Layout,
    /// The nodes of a step, with their registers on the step's tape.
    outputs: Vec<(NodeId, u32)>,
    lean: Lean,
    /// The registers of the next state on the step's tape.
    next: FluentRegisters,
    registers: Outcome,
}

/// The subset of a step that roll-outs need.
pub(crate) struct Lean {
    /// The next state, the reward, and whether the episode is over, with their registers on the step's tape.
    pub(crate) outputs: Vec<(NodeId, u32)>,
    /// Nodes that are not outputs but whose failure makes the step fail.
    pub(crate) needed: Vec<NodeId>,
}

/// A batch tape, and the places of its results.
pub(crate) struct Batch {
    pub(crate) tape: BatchTape,
    pub(crate) outputs: BatchOutputs,
    /// The rows of the next state, the reward and the end of the episode.
    pub(crate) arrival: Arrival,
    /// Registers that are not in use. Threads take them out and put them back.
    idle: Mutex<Vec<BatchRegisters>>,
}

/// The rows of a step's results: the next state by kind and in order, the reward, and the end of the episode.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival {
    bools: Vec<u32>,
    ints: Vec<u32>,
    reals: Vec<u32>,
    reward: u32,
    terminal: u32,
    sound: u32,
}

/// By kind: the row of each result, and its register on the step's tape.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchOutputs {
    bools: Vec<(u32, u32)>,
    ints: Vec<(u32, u32)>,
    reals: Vec<(u32, u32)>,
}

/// The maximum size of a graph with a batch tape. The values of a larger graph do not fit in any cache, and the loops of
/// templates are as good.
const MOST: usize = 1 << 17;

/// The maximum number of simulators that step together.
pub(crate) const MOST_TOGETHER: usize = <RddlSimulator as BatchSystem>::PREFERRED_BATCH;

/// The maximum size in bytes of the registers of a batch tape.
const MOST_BYTES: u64 = 64 << 20;

impl Batches {
    /// Prepares batch tapes for the graph of a step. There are none if the graph is too large or the step has templates.
    pub(crate) fn new(
        graph: &Arc<Graph>,
        inputs: Layout,
        step: &Tape,
        outputs: Vec<(NodeId, u32)>,
        lean: Lean,
        (next, registers): (&FluentRegisters, &Outcome),
    ) -> Self {
        let small = graph.len() <= MOST && step.templates() == 0;
        Self {
            source: small.then(|| Source {
                graph: Arc::clone(graph),
                inputs,
                outputs,
                lean,
                next: next.clone(),
                registers: registers.clone(),
            }),
            whole: OnceLock::new(),
            lean: OnceLock::new(),
            whole_together: OnceLock::new(),
            lean_together: OnceLock::new(),
        }
    }

    /// Returns the batch tape for all values of a step, as wide as its registers allow; `None` if the problem is too large
    /// or uses templates.
    pub(crate) fn whole(&self) -> Option<&Batch> {
        self.compiled(&self.whole, |source| Batch::whole(source, usize::MAX))
    }

    /// Returns the batch tape for the values that roll-outs need.
    pub(crate) fn lean(&self) -> Option<&Batch> {
        self.compiled(&self.lean, |source| Batch::lean(source, usize::MAX))
    }

    /// Like [`whole`](Self::whole), but at most as wide as the number of simulators that step together.
    pub(crate) fn whole_together(&self) -> Option<&Batch> {
        self.compiled(&self.whole_together, |source| Batch::whole(source, MOST_TOGETHER))
    }

    /// Like [`lean`](Self::lean), but at most as wide as the number of simulators that step together.
    pub(crate) fn lean_together(&self) -> Option<&Batch> {
        self.compiled(&self.lean_together, |source| Batch::lean(source, MOST_TOGETHER))
    }

    fn compiled<'b>(
        &'b self,
        place: &'b OnceLock<Option<Batch>>,
        compile: impl FnOnce(&Source) -> Option<Batch>,
    ) -> Option<&'b Batch> {
        let source = self.source.as_ref()?;
        place.get_or_init(|| compile(source)).as_ref()
    }
}

impl Batch {
    fn whole(source: &Source, most: usize) -> Option<Self> {
        Self::compile(source, &source.outputs, &[], most)
    }

    fn lean(source: &Source, most: usize) -> Option<Self> {
        Self::compile(source, &source.lean.outputs, &source.lean.needed, most)
    }

    /// Compiles a batch tape for up to `most` environments at a time; `None` if its registers are too large.
    fn compile(source: &Source, outputs: &[(NodeId, u32)], needed: &[NodeId], most: usize) -> Option<Self> {
        let values: Vec<NodeId> = outputs.iter().map(|&(node, _)| node).collect();
        let mut meter = Budget::unlimited().meter("compiling");
        let tape =
            BatchTape::compile(&source.graph, source.inputs, [&values, needed], most, &mut meter).ok()?;
        let outputs = BatchOutputs::of(&tape, outputs);
        (tape.bytes_of_registers() <= MOST_BYTES).then_some(Self {
            arrival: Arrival::of(source, &outputs)?,
            tape,
            outputs,
            idle: Mutex::new(Vec::new()),
        })
    }

    /// Takes out registers for a run of the batch tape.
    pub(crate) fn take(&self) -> BatchRegisters {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| self.tape.registers())
    }

    /// Puts registers back.
    pub(crate) fn put_back(&self, registers: BatchRegisters) {
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(registers);
    }
}

impl Arrival {
    fn of(source: &Source, outputs: &BatchOutputs) -> Option<Self> {
        let rows = |kind| -> Option<Vec<u32>> {
            let registers = source.next.range(kind);
            registers
                .map(|register| outputs.row(kind, register as u32))
                .collect()
        };
        Some(Self {
            bools: rows(ValueType::Bool)?,
            ints: rows(ValueType::Int)?,
            reals: rows(ValueType::Real)?,
            reward: outputs.row(ValueType::Real, source.registers.reward)?,
            terminal: outputs.row(ValueType::Bool, source.registers.terminal)?,
            sound: outputs.row(ValueType::Bool, source.registers.sound)?,
        })
    }

    /// Copies the next states of the first lanes. Numbers are copied row by row, as in [`FluentRegisters::load_each`].
    pub(crate) fn store(&self, batch: &BatchRegisters, states: Lanes<&mut Values>) {
        fn copy<T: Copy>(places: &[u32], rows: &[T], width: usize, to: &mut [&mut [T]]) {
            for (at, &row) in places.iter().enumerate() {
                let row = &rows[row as usize * width..][..width];
                to.iter_mut()
                    .zip(row)
                    .for_each(|(values, &value)| values[at] = value);
            }
        }
        let width = batch.width();
        let (mut bools, mut ints, mut reals) = (Lanes::new(), Lanes::new(), Lanes::new());
        for state in states {
            bools.push(&mut *state.bools);
            ints.push(&mut *state.ints);
            reals.push(&mut *state.reals);
        }
        turn::rows_to_states(batch.bools(), width, &self.bools, &mut bools);
        copy(&self.ints, batch.ints(), width, &mut ints);
        copy(&self.reals, batch.reals(), width, &mut reals);
    }

    /// Returns, by lane, the reward, whether the episode ends, and whether the invariants hold.
    pub(crate) fn outcomes<'b>(
        &self,
        batch: &'b BatchRegisters,
    ) -> impl Iterator<Item = (f64, bool, bool)> + use<'b> {
        let row = |row: u32| row as usize * batch.width()..(row as usize + 1) * batch.width();
        let ends = &batch.bools()[row(self.terminal)];
        let sound = &batch.bools()[row(self.sound)];
        let rewards = batch.reals()[row(self.reward)].iter();
        let rows = rewards.zip(ends.iter().zip(sound));
        rows.map(|(&reward, (&ends, &sound))| (reward, ends, sound))
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").finish_non_exhaustive()
    }
}

impl BatchOutputs {
    fn of(tape: &BatchTape, outputs: &[(NodeId, u32)]) -> Self {
        let mut of_kinds = Self::default();
        for (&(kind, row), &(_, register)) in tape.results().iter().zip(outputs) {
            let of_kind = match kind {
                ValueType::Bool => &mut of_kinds.bools,
                ValueType::Int => &mut of_kinds.ints,
                ValueType::Real => &mut of_kinds.reals,
            };
            of_kind.push((row, register));
        }
        for of_kind in [&mut of_kinds.bools, &mut of_kinds.ints, &mut of_kinds.reals] {
            of_kind.sort_unstable_by_key(|&(_, register)| register);
        }
        of_kinds
    }

    /// Returns the row of the result with this register on the step's tape.
    pub(crate) fn row(&self, kind: ValueType, register: u32) -> Option<u32> {
        let of_kind = match kind {
            ValueType::Bool => &self.bools,
            ValueType::Int => &self.ints,
            ValueType::Real => &self.reals,
        };
        let found = of_kind
            .binary_search_by_key(&register, |&(_, register)| register)
            .ok()?;
        Some(of_kind[found].0)
    }

    /// Copies the results of a single environment to a lane.
    pub(crate) fn put(&self, registers: &Registers, lane: usize, batch: &mut BatchRegisters) {
        fn copy<T: Copy>(places: &[(u32, u32)], from: &[T], rows: &mut [T], width: usize, lane: usize) {
            for &(row, register) in places {
                rows[row as usize * width + lane] = from[register as usize];
            }
        }
        let width = batch.width();
        let (bools, ints, reals) = batch.rows_mut();
        copy(&self.bools, &registers.bools, bools, width, lane);
        copy(&self.ints, &registers.ints, ints, width, lane);
        copy(&self.reals, &registers.reals, reals, width, lane);
    }

    /// Copies the results of a lane to the registers of a single environment.
    pub(crate) fn store(&self, batch: &BatchRegisters, lane: usize, registers: &mut Registers) {
        fn copy<T: Copy>(places: &[(u32, u32)], rows: &[T], width: usize, lane: usize, to: &mut [T]) {
            for &(row, register) in places {
                to[register as usize] = rows[row as usize * width + lane];
            }
        }
        let width = batch.width();
        copy(&self.bools, batch.bools(), width, lane, &mut registers.bools);
        copy(&self.ints, batch.ints(), width, lane, &mut registers.ints);
        copy(&self.reals, batch.reals(), width, lane, &mut registers.reals);
    }
}
