//! Pictures of the states of RDDL instances.

use herbrand_rddl::{Instance, PvariableId, PvariableKind, Range, TypeId, Value};
use herbrand_render::{
    DrawnObject, DrawnProblem, DrawnValue, Moment, NamedFact, Picture, PictureVocabulary, Pictured,
    StateRenderer,
};

use crate::simulate::RddlSimulator;
use crate::suite::{RddlError, RddlSuite};
use crate::vocabulary::vocabulary;

/// The picture is declared by `[render]` in `env.toml`, or generic.
///
/// ```
/// use herbrand_render::Pictured;
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/cartpole-discrete")?.problem("1")?;
/// let simulator = suite.simulator(0)?;
/// let scene = suite.renderer(0, &simulator)?.scene(&simulator);
/// assert!(scene.faults().is_empty());
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
impl Pictured for RddlSuite {
    fn renderer(
        &self,
        index: usize,
        simulator: &RddlSimulator,
    ) -> Result<StateRenderer<RddlSimulator>, RddlError> {
        let picture = of_instance(self, index, vocabulary(self.domain()), &Moment::of(simulator))?;
        Ok(StateRenderer::new(picture, Moment::of))
    }
}

/// Prepares a picture of an instance with this vocabulary.
pub(crate) fn of_instance(
    suite: &RddlSuite,
    index: usize,
    vocabulary: PictureVocabulary,
    first: &Moment,
) -> Result<Picture, RddlError> {
    let instance = suite.instance(index)?;
    let name = suite.problem_name(index).unwrap_or_default();
    let world = DrawnProblem {
        title: format!("{} {name}", suite.name()),
        objects: objects(instance),
        constants: constants(instance),
    };
    let declaration = suite.settings().render.as_ref();
    Ok(Picture::new(declaration, vocabulary, world, first))
}

/// Returns the objects of all types, and the values of enums.
fn objects(instance: &Instance) -> Vec<DrawnObject> {
    let types = (0..instance.domain.types.len()).map(TypeId::from_index);
    let items = types.flat_map(|id| (0..instance.size(id)).map(move |item| (id, item)));
    items
        .map(|(id, item)| DrawnObject {
            name: instance.item_name(id, item).to_string(),
            types: vec![instance.domain.type_of(id).name.to_string()],
        })
        .collect()
}

/// If a non-fluent has more ground values than this, only values that differ from the default are listed.
const MOST: u64 = 4096;

/// Returns the values of non-fluents: true bools, and all numbers and items.
fn constants(instance: &Instance) -> Vec<NamedFact> {
    let mut constants = Vec::new();
    for id in instance.domain.of_kind(PvariableKind::NonFluent) {
        let values: Vec<(u64, Value)> = if instance.count(id) > MOST {
            instance.non_fluents[id.index()].clone()
        } else {
            (0..).zip(instance.values(id)).collect()
        };
        for (number, value) in values {
            constants.extend(constant(instance, id, number, value));
        }
    }
    constants
}

/// Returns the constant with this number; `None` if it is false.
fn constant(instance: &Instance, id: PvariableId, number: u64, value: Value) -> Option<NamedFact> {
    let pvariable = instance.domain.pvariable(id);
    let value = match (pvariable.range, value) {
        (_, Value::Bool(false)) => return None,
        (_, Value::Bool(true)) => DrawnValue::True,
        (_, Value::Int(value)) => DrawnValue::Number(value as f64),
        (_, Value::Real(value)) => DrawnValue::Number(value),
        (Range::Item(of), Value::Item(item)) => DrawnValue::Symbol(instance.item_name(of, item).to_string()),
        (_, Value::Item(item)) => DrawnValue::Number(f64::from(item)),
    };
    let items = pvariable.parameters.iter().zip(instance.arguments(id, number));
    Some(NamedFact {
        name: pvariable.name.to_string(),
        arguments: items
            .map(|(&of, item)| instance.item_name(of, item).to_string())
            .collect(),
        value,
    })
}
