//! Serialisation of ground tasks with `serde` (feature `serde`).
//!
//! Lists of rows are written row by row and read by appending, so any input results in well-formed rows.
//! [`GroundTask::check`] then checks that the ids are consistent.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_pddl::{AtomList, MetricDirection, ObjectId, Probability, SchemaId};
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    AtomId, Block, BlockId, ChanceId, ConditionId, Conditions, Distribution, Effects, ExpressionId,
    GroundAction, GroundActions, GroundAssignment, GroundAxiom, GroundComparison, GroundExpression,
    GroundTask, Literal, Numeric, NumericId, Vocabulary,
};

/// The header of a serialised task. Its number changes with every change of the format.
const FORM: &str = "herbrand-task-2";

/// Writes the format's header, then the task.
impl Serialize for GroundTask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Bare<'a>(&'a GroundTask);

        impl Serialize for Bare<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Fields::serialize(self.0, serializer)
            }
        }

        let mut written = serializer.serialize_struct("Task", 2)?;
        written.serialize_field("form", FORM)?;
        written.serialize_field("task", &Bare(self))?;
        written.end()
    }
}

/// Fails if the format is another one, or if [`GroundTask::check`] fails.
impl<'de> Deserialize<'de> for GroundTask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Task", deny_unknown_fields)]
        struct Read {
            #[serde(rename = "form")]
            _form: Form,
            #[serde(with = "Fields")]
            task: GroundTask,
        }

        let Read { task, .. } = Read::deserialize(deserializer)?;
        task.check().map_err(D::Error::custom)?;
        Ok(task)
    }
}

/// The header of the format.
struct Form;

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = String::deserialize(deserializer)?;
        if form == FORM {
            return Ok(Self);
        }
        let message = format!("a task of the form `{form}`, where `{FORM}` is read");
        Err(D::Error::custom(message))
    }
}

/// The fields of a task.
#[derive(Serialize, Deserialize)]
#[serde(remote = "GroundTask", deny_unknown_fields)]
struct Fields {
    vocabulary: Arc<Vocabulary>,
    atoms: AtomList,
    fluents: u32,
    statics: AtomList,
    numerics: Vec<Numeric>,
    state_numerics: u32,
    expressions: Vec<GroundExpression>,
    conditions: Conditions,
    effects: Effects,
    actions: GroundActions,
    axioms: Vec<GroundAxiom>,
    strata: Vec<u32>,
    initial: Vec<AtomId>,
    initial_chance: BlockId,
    goal: ConditionId,
    reward: Option<NumericId>,
    goal_reward: Option<f64>,
    metric: Option<(MetricDirection, ExpressionId)>,
}

/// Calls `each` with every element of a list, without storing the list.
fn for_each<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    each: impl FnMut(T) -> Result<(), Full>,
) -> Result<(), D::Error> {
    struct Each<T, F>(F, PhantomData<T>);

    impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), Full>> Visitor<'de> for Each<T, F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
            while let Some(element) = list.next_element()? {
                (self.0)(element).map_err(|Full| A::Error::custom("a list of 2^32 numbers or more"))?;
            }
            Ok(())
        }
    }

    deserializer.deserialize_seq(Each(each, PhantomData))
}

/// The error of a list that cannot take another row.
struct Full;

/// The remaining capacity of lists that are indexed with 32 bits.
struct Capacity(u32);

impl Default for Capacity {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Capacity {
    /// Reserves one row that takes at most `places` places in each list.
    fn take(&mut self, places: usize) -> Result<(), Full> {
        let places = u32::try_from(places)
            .ok()
            .and_then(|places| places.checked_add(1));
        self.0 = places.and_then(|places| self.0.checked_sub(places)).ok_or(Full)?;
        Ok(())
    }
}

/// Writes a list of conditions. Each is a list of conjunctions, and each conjunction is a pair of lists.
impl Serialize for Conditions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.ids().map(|id| {
            let conjunctions = self.conjunctions(id).map(|id| self.get(id));
            conjunctions
                .map(|one| (one.literals, one.comparisons))
                .collect::<Vec<_>>()
        }))
    }
}

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Row = Vec<(Vec<Literal>, Vec<GroundComparison>)>;
        let (mut conditions, mut room) = (Self::default(), Capacity::default());
        for_each(deserializer, |row: Row| {
            room.take(0)?;
            for (literals, comparisons) in row {
                room.take(literals.len().max(comparisons.len()))?;
                conditions.conjunction(literals, comparisons);
            }
            conditions.finish();
            Ok(())
        })?;
        Ok(conditions)
    }
}

/// Writes a list of blocks, a list of distributions (lists of fractions), and a list of draws (the number of the
/// distribution and the blocks of the alternatives).
impl Serialize for Effects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Blocks<'a>(&'a Effects);

        impl Serialize for Blocks<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let ids = (0..self.0.len()).map(BlockId::from_index);
                serializer.collect_seq(ids.map(|id| self.0.get(id)))
            }
        }

        let mut distributions = Vec::new();
        let mut numbers = FxHashMap::default();
        let draws = (0..self.chances()).map(|index| {
            let draw = self.draw(ChanceId::from_index(index));
            let fractions = draw.distribution.written();
            let number = *numbers.entry(fractions).or_insert_with(|| {
                let fractions = fractions.iter().map(|p| (p.numerator(), p.denominator()));
                distributions.push(fractions.collect::<Vec<_>>());
                distributions.len() - 1
            });
            (number, draw.blocks)
        });
        let draws: Vec<_> = draws.collect();
        let mut written = serializer.serialize_struct("Effects", 3)?;
        written.serialize_field("blocks", &Blocks(self))?;
        written.serialize_field("distributions", &distributions)?;
        written.serialize_field("draws", &draws)?;
        written.end()
    }
}

impl<'de> Deserialize<'de> for Effects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Effects", deny_unknown_fields)]
        struct Read {
            blocks: Blocks,
            distributions: Vec<Fractions>,
            draws: Vec<(usize, Vec<BlockId>)>,
        }

        /// A distribution as a list of fractions.
        struct Fractions(Arc<Distribution>);

        impl<'de> Deserialize<'de> for Fractions {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fractions = Vec::<(u64, u64)>::deserialize(deserializer)?.into_iter();
                let probabilities = fractions.map(|(p, q)| {
                    let unfit = || D::Error::custom(format!("{p}/{q} is no probability"));
                    Probability::new(p, q).ok_or_else(unfit)
                });
                let probabilities = probabilities.collect::<Result<Vec<_>, _>>()?;
                Ok(Self(Arc::new(Distribution::of(probabilities))))
            }
        }

        /// Effects without draws, which are read later.
        struct Blocks(Effects);

        #[derive(Deserialize)]
        #[serde(rename = "Block", deny_unknown_fields)]
        struct Row {
            adds: Vec<AtomId>,
            deletes: Vec<AtomId>,
            assignments: Vec<GroundAssignment>,
            whens: Vec<(ConditionId, BlockId)>,
            draws: Vec<ChanceId>,
        }

        impl<'de> Deserialize<'de> for Blocks {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let (mut effects, mut room) = (Effects::default(), Capacity::default());
                for_each(deserializer, |row: Row| {
                    let atoms = row.adds.len().max(row.deletes.len());
                    let inner = row.whens.len().max(row.draws.len());
                    room.take(atoms.max(inner).max(row.assignments.len()))?;
                    effects.block(Block {
                        adds: &row.adds,
                        deletes: &row.deletes,
                        assignments: &row.assignments,
                        whens: &row.whens,
                        draws: &row.draws,
                    });
                    Ok(())
                })?;
                Ok(Self(effects))
            }
        }

        let Read {
            blocks: Blocks(mut effects),
            distributions,
            draws,
        } = Read::deserialize(deserializer)?;
        let mut room = Capacity::default();
        for (index, (number, blocks)) in draws.into_iter().enumerate() {
            room.take(blocks.len())
                .map_err(|Full| D::Error::custom("2^32 draws or more"))?;
            let Some(Fractions(distribution)) = distributions.get(number) else {
                let count = distributions.len();
                let fault = format!("distribution {number} is named, but there are {count}");
                return Err(D::Error::custom(fault));
            };
            let (expected, found) = (distribution.len(), blocks.len());
            if expected != found {
                let fault = format!("draw {index} has {found} blocks for {expected} probabilities");
                return Err(D::Error::custom(fault));
            }
            effects.chance(Arc::clone(distribution), blocks);
        }
        Ok(effects)
    }
}

/// Writes a list of actions.
impl Serialize for GroundActions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.ids().map(|id| self.get(id)))
    }
}

impl<'de> Deserialize<'de> for GroundActions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "GroundAction", deny_unknown_fields)]
        struct Row {
            schema: SchemaId,
            arguments: Vec<ObjectId>,
            precondition: ConditionId,
            effect: BlockId,
        }

        let (mut actions, mut room) = (Self::default(), Capacity::default());
        for_each(deserializer, |row: Row| {
            room.take(row.arguments.len())?;
            actions.push(GroundAction {
                schema: row.schema,
                arguments: &row.arguments,
                precondition: row.precondition,
                effect: row.effect,
            });
            Ok(())
        })?;
        Ok(actions)
    }
}
