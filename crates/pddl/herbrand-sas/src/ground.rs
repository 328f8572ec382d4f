//! Makes ground tasks of finite-domain tasks, also of files that other translators wrote.

use std::collections::BTreeMap;
use std::sync::Arc;

use fxhash::{FxHashMap, FxHashSet};
use herbrand_ground::{
    ActionId, AtomId, Block, BlockId, ConditionId, Conditions, Effects, ExpressionId, GroundAction,
    GroundActions, GroundAssignment, GroundAxiom, GroundExpression, GroundTask, Literal, Numeric, NumericId,
    PredicateDeclaration, Signature, Vocabulary,
};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{
    AssignOperator, AtomList, FunctionId, MetricDirection, Name, Object, ObjectId, Place, PredicateId,
    PredicateKind, SchemaId, Type, TypeId, TypeUnion,
};

use crate::task::{Effect, Fact, FiniteDomainTask};

/// A ground task for a finite-domain task. [`ground_task`] returns it. Its plans and states correspond to those of the
/// finite-domain task; [`plan`](Self::plan) maps a plan back.
#[derive(Clone, Debug)]
pub struct Grounded {
    /// The ground task.
    pub task: GroundTask,
    /// The operator of each action, by [`ActionId`]: its index in [`FiniteDomainTask::operators`].
    pub operators: Vec<usize>,
    /// The atom of each value of each variable, by the indices of variable and value; `None` for a value that holds if
    /// none of the others does.
    pub atoms: Vec<Vec<Option<AtomId>>>,
}

/// Makes a ground task with an atom for each value of each variable, except for a last value such as `<none of those>`.
/// Values named like `Atom on(a, b)`, and operators named like `move a b`, become atoms and actions with these
/// predicates, schemas and objects. A value with another name, or with a name that occurs twice, gets a name made of its
/// number; so does an operator with another name. Later operators of one name become `move#2`, `move#3` and so on. The states of both tasks correspond to each other, as do their plans. Mutex groups are
/// dropped. `name` is the name of the problem in the vocabulary of the ground task.
///
/// # Errors
/// If the budget is exhausted.
///
/// # Panics
/// If the task names variables or values that it does not have. Tasks that were read or translated do not.
pub fn ground_task(
    task: &FiniteDomainTask,
    name: &str,
    budget: &Budget,
) -> Result<Grounded, BudgetExhausted> {
    let mut writer = Writer {
        task,
        names: Names::default(),
        atoms: Vec::new(),
        conditions: Conditions::default(),
        effects: Effects::default(),
    };
    let (atoms, fluents) = writer.atoms();
    let goal = writer.condition(std::slice::from_ref(&task.goal));
    let mut axioms = Vec::new();
    let mut strata = Vec::new();
    writer.axioms(&mut axioms, &mut strata);
    let mut meter = budget.meter("making a ground task");
    let mut expressions = vec![GroundExpression::Fluent(NumericId::new(0))];
    let mut amounts: FxHashMap<u64, ExpressionId> = FxHashMap::default();
    let (mut actions, mut operators) = (GroundActions::default(), Vec::new());
    for (schema, arguments, index) in writer.actions() {
        let operator = &task.operators[index];
        let mut known: Vec<_> = operator.preconditions().collect();
        known.sort_unstable();
        known.dedup();
        let precondition = writer.condition(&[known]);
        let assignment = GroundAssignment {
            operator: AssignOperator::Increase,
            target: NumericId::new(0),
            value: *amounts.entry(operator.cost).or_insert_with(|| {
                expressions.push(GroundExpression::Number(operator.cost as f64));
                ExpressionId::from_index(expressions.len() - 1)
            }),
        };
        let effect = writer.effect(&operator.effects, task.metric.then_some(assignment));
        actions.push(GroundAction {
            schema,
            arguments: &arguments,
            precondition,
            effect,
        });
        operators.push(index);
        if !meter.charge(64 + 32 * operator.effects.len() as u64) {
            meter.check()?;
        }
    }
    meter.finish()?;
    let initial = (0..)
        .zip(&task.initial)
        .filter_map(|(variable, &value)| writer.atom(Fact::new(variable, value)));
    let mut initial: Vec<_> = initial.filter(|atom| atom.number() < fluents).collect();
    initial.sort_unstable();
    let total = Numeric {
        function: FunctionId::new(0),
        arguments: Vec::new(),
        initial: Some(0.0),
    };
    let initial_chance = writer.effects.block(Block::default());
    let ground = GroundTask {
        vocabulary: Arc::new(writer.names.vocabulary(name, task.metric)),
        atoms,
        fluents,
        statics: AtomList::default(),
        numerics: if task.metric { vec![total] } else { Vec::new() },
        state_numerics: 0,
        expressions: if task.metric { expressions } else { Vec::new() },
        conditions: writer.conditions,
        effects: writer.effects,
        actions,
        axioms,
        strata,
        initial,
        initial_chance,
        goal,
        reward: None,
        goal_reward: None,
        metric: task
            .metric
            .then_some((MetricDirection::Minimize, ExpressionId::new(0))),
    };
    Ok(Grounded {
        task: ground,
        operators,
        atoms: writer.atoms,
    })
}

struct Writer<'a> {
    task: &'a FiniteDomainTask,
    names: Names,
    atoms: Vec<Vec<Option<AtomId>>>,
    conditions: Conditions,
    effects: Effects,
}

impl Writer<'_> {
    /// Writes the atoms: fluent ones, then derived ones, both in the order of their names. Returns them with the number of
    /// fluent ones.
    fn atoms(&mut self) -> (AtomList, u32) {
        let mut named = Vec::new();
        let mut used: FxHashSet<(PredicateId, Vec<ObjectId>)> = FxHashSet::default();
        for (variable, declared) in (0..).zip(&self.task.variables) {
            self.atoms.push(vec![None; declared.values.len()]);
            let derived = declared.layer.is_some();
            for (value, text) in (0..).zip(&declared.values) {
                let is_last = value as usize + 1 == declared.values.len();
                let negative = text == "<none of those>" || text.starts_with("NegatedAtom ");
                let default = self.task.initial[variable as usize] == value;
                // A derived atom says that the value is not the default.
                if if derived {
                    default
                } else {
                    is_last && negative && value > 0
                } {
                    continue;
                }
                let kind = if derived {
                    PredicateKind::Derived
                } else {
                    PredicateKind::Fluent
                };
                let atom =
                    parse_atom(text).and_then(|(name, arguments)| self.names.atom(name, &arguments, kind));
                let atom = atom.filter(|atom| !used.contains(atom));
                let atom = atom.unwrap_or_else(|| {
                    let predicate = self.names.predicate(&format!("v{variable}-is-{value}"), 0, kind);
                    (predicate, Vec::new())
                });
                used.insert(atom.clone());
                named.push((derived, atom, Fact::new(variable, value)));
            }
        }
        named.sort_unstable();
        let mut atoms = AtomList::default();
        for (index, (_, (predicate, arguments), fact)) in named.iter().enumerate() {
            atoms.push(*predicate, arguments);
            self.atoms[fact.variable as usize][fact.value as usize] = Some(AtomId::from_index(index));
        }
        let fluents = named.partition_point(|(derived, ..)| !derived);
        (atoms, AtomId::from_index(fluents).number())
    }

    fn atom(&self, fact: Fact) -> Option<AtomId> {
        self.atoms[fact.variable as usize][fact.value as usize]
    }

    /// The literals that say that a fact holds.
    fn literals(&self, fact: Fact) -> Vec<Literal> {
        match self.atom(fact) {
            Some(atom) => vec![Literal::positive(atom)],
            None => self.atoms[fact.variable as usize]
                .iter()
                .flatten()
                .map(|&atom| Literal::negative(atom))
                .collect(),
        }
    }

    /// Writes a disjunction of conjunctions of facts.
    fn condition(&mut self, disjuncts: &[Vec<Fact>]) -> ConditionId {
        for facts in disjuncts {
            let literals: Vec<_> = facts.iter().flat_map(|&fact| self.literals(fact)).collect();
            self.conditions.conjunction(literals, []);
        }
        self.conditions.finish()
    }

    /// Writes the axioms, layer by layer, and the end of each layer.
    fn axioms(&mut self, axioms: &mut Vec<GroundAxiom>, strata: &mut Vec<u32>) {
        let mut layers: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
        for (index, axiom) in self.task.axioms.iter().enumerate() {
            layers
                .entry(self.task.variables[axiom.head.variable as usize].layer)
                .or_default()
                .push(index);
        }
        for indices in layers.values() {
            for &index in indices {
                let axiom = &self.task.axioms[index];
                if let Some(head) = self.atom(axiom.head) {
                    let literals: Vec<_> = axiom
                        .condition
                        .iter()
                        .flat_map(|&fact| self.literals(fact))
                        .collect();
                    let body = self.conditions.conjunction(literals, []);
                    axioms.push(GroundAxiom { head, body });
                }
            }
            self.conditions.finish();
            strata.push(axioms.len() as u32);
        }
    }

    /// The schema, the arguments and the index of each operator, in ascending order of schema and arguments.
    fn actions(&mut self) -> Vec<(SchemaId, Vec<ObjectId>, usize)> {
        let mut counts: FxHashMap<(SchemaId, Vec<ObjectId>), usize> = FxHashMap::default();
        let mut all = Vec::with_capacity(self.task.operators.len());
        for (index, operator) in self.task.operators.iter().enumerate() {
            let mut words = operator.name.split_whitespace();
            let name = words.next().unwrap_or_default();
            let arguments: Vec<_> = words.collect();
            let (schema, arguments) = match self.names.action(name, &arguments) {
                Some((schema, arguments)) => {
                    let count = counts.entry((schema, arguments.clone())).or_insert(0);
                    *count += 1;
                    (self.names.repeated(schema, *count), arguments)
                }
                None => (self.names.schema(&format!("operator-{index}"), 0), Vec::new()),
            };
            all.push((schema, arguments, index));
        }
        all.sort_unstable();
        all
    }

    /// Writes the effects of an operator. Where several effects give a variable different values, the last one counts.
    fn effect(&mut self, effects: &[Effect], cost: Option<GroundAssignment>) -> BlockId {
        let (mut adds, mut deletes, mut whens) = (Vec::new(), Vec::new(), Vec::new());
        for (index, effect) in effects.iter().enumerate() {
            let later = effects[index + 1..]
                .iter()
                .take_while(|later| later.variable == effect.variable);
            let mut conditions = vec![effect.condition.clone()];
            for later in later.filter(|later| later.after != effect.after) {
                conditions = self.unless(&conditions, &later.condition);
            }
            let values = &self.atoms[effect.variable as usize];
            let added = self.atom(Fact::new(effect.variable, effect.after));
            let deleted = values
                .iter()
                .flatten()
                .copied()
                .filter(|&atom| Some(atom) != added);
            if conditions.iter().any(Vec::is_empty) {
                adds.extend(added);
                deletes.extend(deleted);
            } else if !conditions.is_empty() {
                let mut deleted: Vec<_> = deleted.collect();
                deleted.sort_unstable();
                let block = Block {
                    adds: added.as_slice(),
                    deletes: &deleted,
                    ..Block::default()
                };
                let block = self.effects.block(block);
                whens.push((self.condition(&conditions), block));
            }
        }
        adds.sort_unstable();
        adds.dedup();
        deletes.sort_unstable();
        deletes.dedup();
        self.effects.block(Block {
            adds: &adds,
            deletes: &deletes,
            assignments: cost.as_slice(),
            whens: &whens,
            draws: &[],
        })
    }

    /// Returns a disjunction of conjunctions that holds if one of `conditions` does and `other` does not.
    fn unless(&self, conditions: &[Vec<Fact>], other: &[Fact]) -> Vec<Vec<Fact>> {
        let mut all = Vec::new();
        for condition in conditions {
            let value = |variable: u32| {
                condition
                    .iter()
                    .find(|fact| fact.variable == variable)
                    .map(|fact| fact.value)
            };
            if other
                .iter()
                .any(|fact| value(fact.variable).is_some_and(|value| value != fact.value))
            {
                all.push(condition.clone());
                continue;
            }
            for fact in other.iter().filter(|fact| value(fact.variable).is_none()) {
                let values = 0..self.task.variables[fact.variable as usize].values.len() as u32;
                for value in values.filter(|&value| value != fact.value) {
                    let mut condition = condition.clone();
                    condition.push(Fact::new(fact.variable, value));
                    all.push(condition);
                }
            }
        }
        all
    }
}

/// The names of a vocabulary under construction.
#[derive(Default)]
struct Names {
    objects: Vec<Name>,
    object_ids: FxHashMap<String, ObjectId>,
    predicates: Vec<(Name, usize, PredicateKind)>,
    predicate_ids: FxHashMap<String, PredicateId>,
    schemas: Vec<(Name, usize)>,
    schema_ids: FxHashMap<String, SchemaId>,
}

impl Names {
    /// Returns an atom; `None` if a name is not one of PDDL, or if the predicate has another kind or number of arguments.
    fn atom(
        &mut self,
        name: &str,
        arguments: &[&str],
        kind: PredicateKind,
    ) -> Option<(PredicateId, Vec<ObjectId>)> {
        let known = self.predicate_ids.get(name).copied();
        let fits = |id: &PredicateId| {
            let (_, arity, other) = &self.predicates[id.index()];
            (*arity, *other) == (arguments.len(), kind)
        };
        if !is_name(name)
            || !arguments.iter().all(|argument| is_name(argument))
            || known.is_some_and(|id| !fits(&id))
        {
            return None;
        }
        let id = known.unwrap_or_else(|| self.predicate(name, arguments.len(), kind));
        Some((id, self.objects(arguments)))
    }

    /// Returns a new predicate with this name, or with a longer one if the name is in use.
    fn predicate(&mut self, name: &str, arity: usize, kind: PredicateKind) -> PredicateId {
        let name = unused(name, &self.predicate_ids);
        let id = PredicateId::from_index(self.predicates.len());
        self.predicates.push((Name::new(&name), arity, kind));
        self.predicate_ids.insert(name, id);
        id
    }

    /// Returns an action; `None` if a name is not one of PDDL, or if the schema has another number of arguments.
    fn action(&mut self, name: &str, arguments: &[&str]) -> Option<(SchemaId, Vec<ObjectId>)> {
        let known = self.schema_ids.get(name).copied();
        let fits = known.is_none_or(|id| self.schemas[id.index()].1 == arguments.len());
        if !fits || !is_name(name) || !arguments.iter().all(|argument| is_name(argument)) {
            return None;
        }
        let id = known.unwrap_or_else(|| self.schema(name, arguments.len()));
        Some((id, self.objects(arguments)))
    }

    /// Returns the schema for the repetition of an action with this number: the schema itself for 1, and from 2 one named
    /// like `take#2`, which no other schema is.
    fn repeated(&mut self, schema: SchemaId, number: usize) -> SchemaId {
        if number == 1 {
            return schema;
        }
        let (name, arity) = &self.schemas[schema.index()];
        let (name, arity) = (format!("{name}#{number}"), *arity);
        let known = self.schema_ids.get(&name).copied();
        known.unwrap_or_else(|| self.schema(&name, arity))
    }

    /// Returns a new schema with this name, or with a longer one if the name is in use.
    fn schema(&mut self, name: &str, arity: usize) -> SchemaId {
        let name = unused(name, &self.schema_ids);
        let id = SchemaId::from_index(self.schemas.len());
        self.schemas.push((Name::new(&name), arity));
        self.schema_ids.insert(name, id);
        id
    }

    fn objects(&mut self, names: &[&str]) -> Vec<ObjectId> {
        let object = |name: &&str| match self.object_ids.get(*name) {
            Some(&id) => id,
            None => {
                let id = ObjectId::from_index(self.objects.len());
                self.objects.push(Name::new(name));
                self.object_ids.insert((*name).to_owned(), id);
                id
            }
        };
        names.iter().map(object).collect()
    }

    fn vocabulary(self, problem: &str, metric: bool) -> Vocabulary {
        let any = || TypeUnion::single(TypeId::OBJECT);
        let signature = |name: Name, arity: usize| Signature {
            name,
            parameters: (0..arity)
                .map(|index| (Name::new(&format!("x{index}")), any()))
                .collect(),
        };
        let predicate = |(name, arity, kind)| PredicateDeclaration {
            signature: signature(name, arity),
            kind,
            auxiliary: false,
        };
        let object = |name| Object {
            name,
            types: any(),
            place: Place::NOWHERE,
        };
        Vocabulary {
            domain: Name::new(problem),
            problem: Name::new(problem),
            types: vec![Type {
                name: Name::new("object"),
                parents: Vec::new(),
                place: Place::NOWHERE,
            }],
            objects: self.objects.into_iter().map(object).collect(),
            predicates: self.predicates.into_iter().map(predicate).collect(),
            functions: if metric {
                vec![signature(Name::new("total-cost"), 0)]
            } else {
                Vec::new()
            },
            schemas: self
                .schemas
                .into_iter()
                .map(|(name, arity)| signature(name, arity))
                .collect(),
        }
    }
}

/// Returns the name, with more signs at its end if it is in use.
fn unused<T>(name: &str, used: &FxHashMap<String, T>) -> String {
    let mut name = name.to_owned();
    while used.contains_key(&name) {
        name.push('-');
    }
    name
}

/// Splits `Atom on(a, b)` into the predicate and the arguments.
fn parse_atom(text: &str) -> Option<(&str, Vec<&str>)> {
    let (name, arguments) = text.strip_prefix("Atom ")?.strip_suffix(')')?.split_once('(')?;
    let arguments = arguments
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty());
    Some((name, arguments.collect()))
}

/// The words of PDDL that are no names.
const RESERVED: [&str; 14] = [
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "probabilistic",
    "either",
    "object",
    "assign",
    "increase",
    "decrease",
    "define",
];

/// Returns whether a word can be a name in a PDDL text: lower-case letters, digits and a few signs, a letter first.
fn is_name(word: &str) -> bool {
    let sign =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_');
    let is_word = word.starts_with(|letter: char| letter.is_ascii_lowercase()) && word.chars().all(sign);
    is_word && !RESERVED.contains(&word)
}

impl Grounded {
    /// Returns the plan of the finite-domain task, indices of operators, for a plan of the ground task.
    ///
    /// # Panics
    /// If the ground task has no such action.
    #[must_use]
    pub fn plan(&self, actions: &[ActionId]) -> Vec<usize> {
        actions
            .iter()
            .map(|action| self.operators[action.index()])
            .collect()
    }
}
