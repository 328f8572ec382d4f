//! What is to be found: a domain with problems, and how near a sketch is to it.

use herbrand_edit::{Edit, Ground, Literal, Model, Rules};
use herbrand_pddl::{Domain, Problem, Source};

use crate::arena::{Arena, Machine, Patterns, holds};
use crate::compare::compare;
use crate::error::Faulty;
use crate::evidence::Evidence;
use crate::read::{self, Parts};
use crate::solve::{self, Verdict};
use crate::{Change, PARTS, Predictions, Sign, Sketch, Vocabulary, Walks, WorldError};

/// A domain that is to be found, with the problems on which models are judged.
///
/// Its operators are conjunctions of literals: the literals of preconditions and effects are what is edited. Types,
/// parameters, predicates, equalities between parameters, and assignments to numbers stay as they are. Other domains are
/// refused, with everything in them that cannot be edited.
///
/// ```
/// use herbrand_pddlworld::{Sketch, Target};
///
/// let target = Target::light_switch();
/// let vocabulary = target.vocabulary();
/// let empty = Sketch::empty(vocabulary);
/// let text = |sketch: &Sketch| sketch.integers(vocabulary).map(|number| number.to_string());
/// assert_eq!(text(&empty), ["1170", "1170"]);
/// assert_eq!(text(target.sketch()), ["1297", "612"]);
/// assert_eq!(empty.distance(target.sketch()), 6);
///
/// // The empty model thinks that turning off is possible while the switch is off.
/// let witness = target.witness(&empty).expect("they differ");
/// assert_eq!(witness.to_string(), "(turn-on) where (on) holds: applicable in the model, inapplicable in the target");
/// ```
#[derive(Clone, Debug)]
pub struct Target {
    name: String,
    vocabulary: Vocabulary,
    sketch: Sketch,
    /// The target with each of its problems.
    models: Vec<Model>,
    arenas: Vec<Arena>,
    /// By problem: what the target does.
    machines: Vec<Machine>,
    /// By operator.
    patterns: Vec<Patterns>,
    evidence: Evidence,
}

/// A state in which a model does not do what the target does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The name of the problem whose objects these are.
    pub problem: String,
    /// The ground action, as PDDL writes it.
    pub action: String,
    /// The number of its operator.
    pub operator: usize,
    /// By literal of the operator: whether it holds.
    pub literals: Vec<bool>,
    /// The atoms that hold; all others do not.
    pub state: Vec<String>,
    /// What the model does: the atoms that hold after the action; `None` if it is not applicable.
    pub model: Option<Vec<String>>,
    /// What the target does.
    pub target: Option<Vec<String>>,
}

impl Target {
    /// The light switch: a switch and a lamp that it lights, two operators and two propositions.
    ///
    /// # Panics
    /// Never: its texts are part of the program.
    #[must_use]
    pub fn light_switch() -> Self {
        Self::light_switch_seen(Walks::default())
    }

    /// The light switch, with traces of these walks.
    ///
    /// # Panics
    /// Never: its texts are part of the program.
    #[must_use]
    pub fn light_switch_seen(walks: Walks) -> Self {
        let (domain, problems) = Self::light_switch_texts();
        let source = |(name, text): (&str, &str)| Source::new(name, text);
        let target = Self::from_sources(&source(domain), &problems.map(source), walks);
        target.expect("the light switch can be edited")
    }

    /// The names and texts of the light switch: of its domain, and of its problems.
    #[must_use]
    pub const fn light_switch_texts() -> ((&'static str, &'static str), [(&'static str, &'static str); 2]) {
        let domain = (
            "light-switch",
            include_str!("../targets/light-switch/domain.pddl"),
        );
        let evening = ("evening", include_str!("../targets/light-switch/evening.pddl"));
        let night = ("night", include_str!("../targets/light-switch/night.pddl"));
        (domain, [evening, night])
    }

    /// The target of texts in PDDL.
    ///
    /// # Errors
    /// When a text is at fault, with all faults of it, and as [`new`](Self::new).
    pub fn from_sources(domain: &Source, problems: &[Source], walks: Walks) -> Result<Self, WorldError> {
        let domain = Domain::parse(domain)?;
        let problems = problems.iter().map(|source| Problem::parse(source, &domain));
        let problems = problems.collect::<Result<Vec<_>, _>>()?;
        Self::new(&domain, &problems, walks)
    }

    /// The target of a domain and problems of it, with traces of random walks on them.
    ///
    /// # Errors
    /// [`WorldError::Unsuitable`] with everything that cannot be edited, and for problems that are too large to be
    /// grounded for every binding; [`WorldError::Options`] without a problem.
    pub fn new(domain: &Domain, problems: &[Problem], walks: Walks) -> Result<Self, WorldError> {
        if problems.is_empty() {
            let message = format!("`{}` has no problem to judge models on", domain.name);
            return Err(WorldError::Options(message));
        }
        let parts = read::operators(domain)?;
        let vocabulary = Vocabulary::of(domain, &parts)?;
        let sketch = sketch_of(&vocabulary, &parts);
        let flat = Domain::from_text(&read::flattened(domain, &parts).to_pddl())?;
        let mut patterns = vec![Patterns::default(); vocabulary.operators().len()];
        let (mut arenas, mut models, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (number, problem) in problems.iter().enumerate() {
            match Arena::of(domain, problem, &vocabulary, number, &mut patterns) {
                Ok(arena) => arenas.push(arena),
                Err(faulty) => faults.extend_from_slice(faulty.faults()),
            }
            let problem = Problem::from_text(&problem.to_pddl(domain), &flat)?;
            models.push(Model::new(flat.clone(), problem));
        }
        Faulty::unless_none(faults)?;
        let machines: Vec<_> = arenas
            .iter()
            .map(|arena| arena.machine(&vocabulary, &sketch))
            .collect();
        Ok(Self {
            name: domain.name.to_string(),
            evidence: Evidence::record(&arenas, &machines, &vocabulary, &patterns, walks),
            vocabulary,
            sketch,
            models,
            arenas,
            machines,
            patterns,
        })
    }

    /// The name of the domain.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The operators and their literals.
    #[must_use]
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The target itself.
    #[must_use]
    pub const fn sketch(&self) -> &Sketch {
        &self.sketch
    }

    /// The names of the problems.
    pub fn problem_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arenas.iter().map(|arena| arena.name.as_str())
    }

    /// How many problems there are.
    #[must_use]
    pub fn problems(&self) -> usize {
        self.arenas.len()
    }

    /// The atoms of the problem of this number that ground actions, its initial state and its goal name.
    ///
    /// # Panics
    /// When there is no such problem.
    #[must_use]
    pub fn atoms(&self, problem: usize) -> &[Ground] {
        &self.arenas[problem].atoms
    }

    /// How near a sketch's operator is to the target's.
    pub(crate) fn judge(&self, sketch: &Sketch, operator: usize) -> OperatorScore {
        let (signs, aims) = (sketch.operator(operator), self.sketch.operator(operator));
        let mut score = OperatorScore {
            distance: signs[0].distance(aims[0]) + signs[1].distance(aims[1]),
            is_equivalent: true,
            ..OperatorScore::default()
        };
        for found in &self.patterns[operator].list {
            let comparison = compare(found.pattern.behaviour(signs), found.pattern.behaviour(aims));
            score.agreement += comparison.agreement * found.groundings as f64;
            score.groundings += found.groundings;
            score.is_equivalent &= comparison.witness.is_none();
        }
        score
    }

    /// In which share of all states and ground actions a sketch does what the target does: the action is inapplicable in both,
    /// or applicable in both with the same successor. Exact, for any number of atoms.
    #[must_use]
    pub fn agreement(&self, sketch: &Sketch) -> f64 {
        let scores: Vec<_> = (0..sketch.operators())
            .map(|operator| self.judge(sketch, operator))
            .collect();
        OperatorScore::agreement(&scores)
    }

    /// Whether a sketch does what the target does in every state.
    #[must_use]
    pub fn is_equivalent(&self, sketch: &Sketch) -> bool {
        (0..sketch.operators()).all(|operator| self.judge(sketch, operator).is_equivalent)
    }

    /// A state in which a sketch does not do what the target does, with an action; `None` if they are equivalent.
    #[must_use]
    pub fn witness(&self, sketch: &Sketch) -> Option<Witness> {
        (0..sketch.operators()).find_map(|operator| {
            self.patterns[operator].list.iter().find_map(|found| {
                let model = found.pattern.behaviour(sketch.operator(operator));
                let target = found.pattern.behaviour(self.sketch.operator(operator));
                let state = compare(model, target).witness?;
                let (number, action) = found.example;
                let arena = &self.arenas[number as usize];
                let atoms = arena.literals(action as usize, &self.vocabulary);
                // The atoms of a pattern are numbered by their first literals.
                let names = |state: u128| {
                    let mut names = Vec::new();
                    for (literal, &atom) in atoms.iter().enumerate() {
                        let name = arena.atoms[atom as usize].to_string();
                        if state >> found.pattern.atoms[literal] & 1 != 0 && !names.contains(&name) {
                            names.push(name);
                        }
                    }
                    names
                };
                let after = |behaviour: crate::pattern::Behaviour| {
                    behaviour.applies(state).then(|| names(behaviour.after(state)))
                };
                let literals = found.pattern.atoms.iter().map(|atom| state >> atom & 1 != 0);
                Some(Witness {
                    problem: arena.name.clone(),
                    action: arena.action_name(action as usize, &self.vocabulary),
                    operator,
                    literals: literals.collect(),
                    state: names(state),
                    model: after(model),
                    target: after(target),
                })
            })
        })
    }

    /// What comes of planning for the problem of this number with a sketch, and carrying the plan out in the target. The plan is
    /// a shortest one, found breadth first among `most_states` states at most.
    ///
    /// # Panics
    /// When there is no such problem.
    #[must_use]
    pub fn verdict(&self, sketch: &Sketch, problem: usize, most_states: usize) -> Verdict {
        let arena = &self.arenas[problem];
        let model = arena.machine(&self.vocabulary, sketch);
        solve::verdict(arena, &model, &self.machines[problem], most_states)
    }

    /// How many of the problems a sketch solves ([`verdict`](Self::verdict)).
    #[must_use]
    pub fn solved(&self, sketch: &Sketch, most_states: usize) -> usize {
        let solved = |&problem: &usize| self.verdict(sketch, problem, most_states).is_solved();
        (0..self.problems()).filter(solved).count()
    }

    /// How well a sketch predicts what was seen of the target on random walks.
    #[must_use]
    pub fn predictions(&self, sketch: &Sketch) -> Predictions {
        let operators = 0..sketch.operators();
        operators.fold(Predictions::default(), |sum, operator| {
            sum.and(self.predictions_of(sketch, operator))
        })
    }

    /// How well a sketch predicts what was seen of one operator.
    pub(crate) fn predictions_of(&self, sketch: &Sketch, operator: usize) -> Predictions {
        self.evidence.predictions(sketch, &self.patterns, operator)
    }

    /// The changes of one sketch into another as edits of the domain.
    #[must_use]
    pub fn edits(&self, from: &Sketch, to: &Sketch) -> Vec<Edit> {
        let mut edits = Vec::new();
        for Change {
            part,
            operator,
            literal,
            sign,
        } in from.changes_to(to, &self.vocabulary)
        {
            let of = &self.vocabulary.operators()[operator];
            let text = |sign: Sign| Literal {
                negated: sign == Sign::Negative,
                atom: of.literals[literal].clone(),
            };
            let schema = of.name.clone();
            let old = from.get(part, operator, literal);
            if old != Sign::Absent {
                edits.push(Edit::DeleteLiteral {
                    schema: schema.clone(),
                    part,
                    literal: text(old),
                });
            }
            if sign != Sign::Absent {
                edits.push(Edit::AddLiteral {
                    schema,
                    part,
                    literal: text(sign),
                });
            }
        }
        edits
    }

    /// The model that a sketch is, with the problem of this number.
    ///
    /// # Errors
    /// When its text is no domain, which no sketch of the vocabulary gives.
    ///
    /// # Panics
    /// When there is no such problem.
    pub fn model(&self, sketch: &Sketch, problem: usize) -> Result<Model, WorldError> {
        let edits = self.edits(&self.sketch, sketch);
        Ok(self.models[problem].apply(&edits, &Rules::default())?)
    }

    /// The sketch of a domain with the same operators and predicates.
    ///
    /// # Errors
    /// When it has others, or parts that cannot be edited.
    pub fn sketch_of(&self, domain: &Domain) -> Result<Sketch, WorldError> {
        let parts = read::operators(domain)?;
        let other = Vocabulary::of(domain, &parts)?;
        let sketch = sketch_of(&other, &parts);
        let mut translated = Sketch::empty(&self.vocabulary);
        let names = |one: &Vocabulary| {
            one.operators()
                .iter()
                .map(|of| of.name.clone())
                .collect::<Vec<_>>()
        };
        if names(&other) != names(&self.vocabulary) {
            let message = format!("`{}` has other actions than `{}`", domain.name, self.name);
            return Err(WorldError::Options(message));
        }
        for (operator, of) in other.operators().iter().enumerate() {
            for part in PARTS {
                for (literal, atom) in of.literals.iter().enumerate() {
                    let sign = sketch.get(part, operator, literal);
                    if sign == Sign::Absent {
                        continue;
                    }
                    let known = self.vocabulary.operators()[operator].find(atom).ok_or_else(|| {
                        WorldError::Options(format!("`{}` has no literal `{atom}` to choose from", of.name))
                    })?;
                    translated.set(Change {
                        part,
                        operator,
                        literal: known,
                        sign,
                    });
                }
            }
        }
        Ok(translated)
    }

    /// The ground actions of a problem and what they do in a state according to a sketch: each applicable one by name, with the
    /// atoms that hold after it. States are atoms by name; atoms that the problem does not have are left out.
    ///
    /// # Panics
    /// When there is no such problem.
    #[must_use]
    pub fn successors(
        &self,
        sketch: &Sketch,
        problem: usize,
        state: &[String],
    ) -> Vec<(String, Vec<String>)> {
        let arena = &self.arenas[problem];
        let machine = arena.machine(&self.vocabulary, sketch);
        let mut bits = vec![0_u64; arena.words()];
        for (atom, name) in arena.atoms.iter().enumerate() {
            if state.iter().any(|one| *one == name.to_string()) {
                bits[atom / 64] |= 1 << (atom % 64);
            }
        }
        let applicable = (0..machine.len()).filter(|&action| machine.applies(action, &bits));
        let after = applicable.map(|action| {
            let after = machine.after(action, &bits);
            let held = (0..).zip(&arena.atoms).filter(|(atom, _)| holds(&after, *atom));
            let names = held.map(|(_, name)| name.to_string());
            (arena.action_name(action, &self.vocabulary), names.collect())
        });
        after.collect()
    }
}

/// The signs of the parts of operators.
fn sketch_of(vocabulary: &Vocabulary, parts: &[Parts]) -> Sketch {
    let mut sketch = Sketch::empty(vocabulary);
    for (operator, (of, parts)) in vocabulary.operators().iter().zip(parts).enumerate() {
        for (part, literals) in PARTS.into_iter().zip([&parts.conditions, &parts.effects]) {
            for (atom, negated) in literals {
                let literal = of.atoms.iter().position(|one| one == atom);
                let sign = if *negated { Sign::Negative } else { Sign::Positive };
                if let Some(literal) = literal {
                    sketch.set(Change {
                        part,
                        operator,
                        literal,
                        sign,
                    });
                }
            }
        }
    }
    sketch
}

/// How near one operator is to the target's.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct OperatorScore {
    /// How many of its signs differ.
    pub(crate) distance: u32,
    /// The sum over its ground actions of the share of states in which they do the same.
    pub(crate) agreement: f64,
    /// How many ground actions it has.
    pub(crate) groundings: u64,
    /// Whether it does the same in every state.
    pub(crate) is_equivalent: bool,
    /// What it predicts of what was seen.
    pub(crate) predictions: Predictions,
}

impl OperatorScore {
    /// The share of states and ground actions in which all operators do the same; 1 if there is no ground action.
    pub(crate) fn agreement(scores: &[Self]) -> f64 {
        let groundings: u64 = scores.iter().map(|score| score.groundings).sum();
        let agreement: f64 = scores.iter().map(|score| score.agreement).sum();
        if groundings == 0 {
            1.0
        } else {
            agreement / groundings as f64
        }
    }
}

impl std::fmt::Display for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.state.as_slice() {
            [] => write!(f, "{} where nothing holds: ", self.action)?,
            [atom] => write!(f, "{} where {atom} holds: ", self.action)?,
            atoms => write!(f, "{} where {} hold: ", self.action, atoms.join(" "))?,
        }
        let told = |after: &Option<Vec<String>>| match (after, self.model.is_some() && self.target.is_some())
        {
            (None, _) => "inapplicable".to_owned(),
            (Some(_), false) => "applicable".to_owned(),
            (Some(atoms), true) if atoms.is_empty() => "nothing holds after it".to_owned(),
            (Some(atoms), true) => format!("{} after it", atoms.join(" ")),
        };
        write!(
            f,
            "{} in the model, {} in the target",
            told(&self.model),
            told(&self.target)
        )
    }
}
