//! Targets: hidden domains with problems, and measures of a sketch's similarity to them.

use herbrand_edit::{Edit, EditRules, Ground, PlanningModel, SchemaLiteral};
use herbrand_pddl::{Domain, Problem, Source};

use crate::arena::{GroundedProblem, Machine, Patterns, holds};
use crate::compare::compare;
use crate::error::{UnsuitableTarget, WorldError};
use crate::evidence::{Evidence, Predictions, Walks};
use crate::read::{self, Parts};
use crate::sign::{PARTS, Sign};
use crate::sketch::{SignEdit, Sketch};
use crate::solve::{self, Verdict};
use crate::vocabulary::SketchVocabulary;

/// A hidden domain, with the problems on which models are judged. [`new`](Self::new) creates it.
/// [`Worlds::new`](crate::Worlds::new) makes it an environment.
///
/// The preconditions and effects of its operators must be conjunctions of literals; these literals are edited. Types,
/// parameters, predicates, equalities between parameters and numeric assignments are fixed. Other domains are rejected
/// with a list of everything that cannot be edited. Functions that take a sketch need one of the target's vocabulary,
/// and may panic otherwise ([`Sketch::fits`]).
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
/// // The empty model permits turning on while the switch is already on.
/// let witness = target.witness(&empty).expect("they differ");
/// assert_eq!(witness.to_string(), "(turn-on) where (on) holds: applicable in the model, inapplicable in the target");
/// ```
#[derive(Clone, Debug)]
pub struct Target {
    name: String,
    vocabulary: SketchVocabulary,
    sketch: Sketch,
    /// The target with each of its problems.
    models: Vec<PlanningModel>,
    arenas: Vec<GroundedProblem>,
    /// For each problem, the compiled target.
    machines: Vec<Machine>,
    /// The patterns of each operator.
    patterns: Vec<Patterns>,
    evidence: Evidence,
}

/// A state in which a model and the target behave differently, returned by [`Target::witness`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The name of the problem whose objects the state has.
    pub problem: String,
    /// The ground action on which they differ, in PDDL syntax.
    pub action: String,
    /// The index of its operator.
    pub operator: usize,
    /// For each literal of the operator, in the order of the vocabulary, whether its atom is true in the state.
    pub literals: Vec<bool>,
    /// The true atoms of the state, in PDDL syntax; all others are false.
    pub state: Vec<String>,
    /// The true atoms after the action in the model; `None` if the action is not applicable there.
    pub model: Option<Vec<String>>,
    /// The true atoms after the action in the target; `None` if the action is not applicable there.
    pub target: Option<Vec<String>>,
}

impl Target {
    /// Returns the target of the light switch domain, an example with a switch and a lamp, two operators, two
    /// propositions and two problems. It records the random walks of [`Walks::default`].
    ///
    /// # Panics
    /// Never, because its texts are part of the program.
    #[must_use]
    pub fn light_switch() -> Self {
        Self::light_switch_seen(Walks::default())
    }

    /// Like [`light_switch`](Self::light_switch), but records the random walks `walks`, for
    /// [`predictions`](Self::predictions).
    ///
    /// # Panics
    /// Never, because its texts are part of the program.
    #[must_use]
    pub fn light_switch_seen(walks: Walks) -> Self {
        let (domain, problems) = Self::light_switch_texts();
        let source = |(name, text): (&str, &str)| Source::new(name, text);
        let target = Self::from_sources(&source(domain), &problems.map(source), walks);
        target.expect("the light switch can be edited")
    }

    /// Returns the light switch domain and its two problems, each as its name and its PDDL text, for [`Source::new`]
    /// and [`from_sources`](Self::from_sources).
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

    /// Creates a target from the PDDL texts of a domain and its problems. Records the random walks `walks` on them, for
    /// [`predictions`](Self::predictions).
    ///
    /// # Errors
    /// [`WorldError::Pddl`] with all faults of the first invalid text, and the errors of [`new`](Self::new).
    pub fn from_sources(domain: &Source, problems: &[Source], walks: Walks) -> Result<Self, WorldError> {
        let domain = Domain::parse(domain)?;
        let problems = problems.iter().map(|source| Problem::parse(source, &domain));
        let problems = problems.collect::<Result<Vec<_>, _>>()?;
        Self::new(&domain, &problems, walks)
    }

    /// Creates a target from a domain and its problems. Records the random walks `walks` on them, for
    /// [`predictions`](Self::predictions).
    ///
    /// # Errors
    /// [`WorldError::Options`] if there is no problem. [`WorldError::Unsuitable`] with all faults of the first of these
    /// kinds: parts of the domain that cannot be edited; operators with more than 128 literals, or no operator; and
    /// problems that are too large, draw their initial state, or have a goal that is no conjunction of literals.
    pub fn new(domain: &Domain, problems: &[Problem], walks: Walks) -> Result<Self, WorldError> {
        if problems.is_empty() {
            let message = format!("`{}` has no problem to judge models on", domain.name);
            return Err(WorldError::Options(message));
        }
        let parts = read::operators(domain)?;
        let vocabulary = SketchVocabulary::of(domain, &parts)?;
        let sketch = sketch_of(&vocabulary, &parts);
        let flat = Domain::from_text(&read::flattened(domain, &parts).to_pddl())?;
        let mut patterns = vec![Patterns::default(); vocabulary.operators().len()];
        let (mut arenas, mut models, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (number, problem) in problems.iter().enumerate() {
            match GroundedProblem::of(domain, problem, &vocabulary, number, &mut patterns) {
                Ok(arena) => arenas.push(arena),
                Err(faulty) => faults.extend_from_slice(faulty.faults()),
            }
            let problem = Problem::from_text(&problem.to_pddl(domain), &flat)?;
            models.push(PlanningModel::new(flat.clone(), problem));
        }
        UnsuitableTarget::unless_none(faults)?;
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

    /// Returns the name of the hidden domain.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the operators of the domain and their literals.
    #[must_use]
    pub const fn vocabulary(&self) -> &SketchVocabulary {
        &self.vocabulary
    }

    /// Returns the target as a sketch: the signs of the literals in the hidden domain, which an agent tries to find.
    #[must_use]
    pub const fn sketch(&self) -> &Sketch {
        &self.sketch
    }

    /// Returns the names of the problems on which models are judged, in the order given to [`new`](Self::new). The
    /// functions that take the index of a problem count in this order.
    pub fn problem_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arenas.iter().map(|arena| arena.name.as_str())
    }

    /// Returns the number of problems on which models are judged.
    #[must_use]
    pub fn problems(&self) -> usize {
        self.arenas.len()
    }

    /// Returns the atoms that occur in the ground actions, the initial state or the goal of the problem with this index.
    /// Written as text, they are the names that [`successors`](Self::successors) takes.
    ///
    /// # Panics
    /// Panics if there is no such problem.
    #[must_use]
    pub fn atoms(&self, problem: usize) -> &[Ground] {
        &self.arenas[problem].atoms
    }

    /// Compares an operator of a sketch with that of the target.
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

    /// Returns the share of pairs of a state and a ground action on which the model of a sketch agrees with the target:
    /// the action is inapplicable in both, or applicable in both with the same successor. The states are all
    /// assignments of truth values to atoms, reachable or not; the ground actions are those of all problems. The result
    /// is exact up to rounding, for any number of atoms. It is 1 if there is no ground action.
    #[must_use]
    pub fn agreement(&self, sketch: &Sketch) -> f64 {
        let scores: Vec<_> = (0..sketch.operators())
            .map(|operator| self.judge(sketch, operator))
            .collect();
        OperatorScore::agreement(&scores)
    }

    /// Returns whether the model of a sketch agrees with the target on every ground action of the target's problems, in
    /// every state. Operators without a ground action are not compared. The sketch must have as many operators as the
    /// target's; panics if it has more.
    /// [`witness`](Self::witness) returns a state in which they differ.
    #[must_use]
    pub fn is_equivalent(&self, sketch: &Sketch) -> bool {
        (0..sketch.operators()).all(|operator| self.judge(sketch, operator).is_equivalent)
    }

    /// Returns a state and an action on which the model of a sketch disagrees with the target, for the first operator
    /// that differs; `None` if they are equivalent. The state need not be reachable.
    #[must_use]
    pub fn witness(&self, sketch: &Sketch) -> Option<Counterexample> {
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
                Some(Counterexample {
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

    /// Plans for the problem with index `problem` in the model of a sketch, and executes the plan in the target. The
    /// plan is a shortest one, found breadth-first among at most `most_states` states, the initial state included.
    /// Reaching the limit gives [`Verdict::Exhausted`], which says nothing about the model.
    ///
    /// # Panics
    /// Panics if there is no such problem.
    #[must_use]
    pub fn verdict(&self, sketch: &Sketch, problem: usize, most_states: usize) -> Verdict {
        let arena = &self.arenas[problem];
        let model = arena.machine(&self.vocabulary, sketch);
        solve::verdict(arena, &model, &self.machines[problem], most_states)
    }

    /// Returns the number of problems that the model of a sketch solves, by [`verdict`](Self::verdict) with the same
    /// `most_states`. A problem whose search exceeds the limit counts as not solved.
    #[must_use]
    pub fn solved(&self, sketch: &Sketch, most_states: usize) -> usize {
        let solved = |&problem: &usize| self.verdict(sketch, problem, most_states).is_solved();
        (0..self.problems()).filter(solved).count()
    }

    /// Counts the correct and wrong predictions of a sketch's model on the target's random walks, which were recorded
    /// when the target was created. The model predicts which actions are applicable in each state, and which atoms hold
    /// after each action taken. Both counts are 0 if no walks were recorded.
    #[must_use]
    pub fn predictions(&self, sketch: &Sketch) -> Predictions {
        let operators = 0..sketch.operators();
        operators.fold(Predictions::default(), |sum, operator| {
            sum.and(self.predictions_of(sketch, operator))
        })
    }

    /// Compares a sketch's predictions with the observations of one operator.
    pub(crate) fn predictions_of(&self, sketch: &Sketch, operator: usize) -> Predictions {
        self.evidence.predictions(sketch, &self.patterns, operator)
    }

    /// Returns the changes from one sketch to another as edits of the PDDL domain, for `herbrand-edit`. Pass them to
    /// [`PlanningModel::apply`] of the [`model`](Self::model) of `from`. A sign that turns from positive to negative,
    /// or back, takes two edits. The order is that of [`Sketch::changes_to`].
    #[must_use]
    pub fn edits(&self, from: &Sketch, to: &Sketch) -> Vec<Edit> {
        let mut edits = Vec::new();
        for SignEdit {
            part,
            operator,
            literal,
            sign,
        } in from.changes_to(to, &self.vocabulary)
        {
            let of = &self.vocabulary.operators()[operator];
            let text = |sign: Sign| SchemaLiteral {
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

    /// Returns the domain that a sketch describes, together with the problem of this index, as a model that can be
    /// printed.
    ///
    /// # Errors
    /// Fails if the text of the sketch is not a valid domain, which does not happen for sketches of the target's vocabulary.
    ///
    /// # Panics
    /// Panics if there is no such problem.
    pub fn model(&self, sketch: &Sketch, problem: usize) -> Result<PlanningModel, WorldError> {
        let edits = self.edits(&self.sketch, sketch);
        Ok(self.models[problem].apply(&edits, &EditRules::default())?)
    }

    /// Returns the sketch that describes a domain. The domain must have the same operators as the target, in the same
    /// order and with the same names of parameters, and the same predicates. [`model`](Self::model) makes a domain from
    /// a sketch.
    ///
    /// # Errors
    /// [`WorldError::Options`] if the domain has other operators or a literal outside the vocabulary.
    /// [`WorldError::Unsuitable`] if it has parts that cannot be edited.
    pub fn sketch_of(&self, domain: &Domain) -> Result<Sketch, WorldError> {
        let parts = read::operators(domain)?;
        let other = SketchVocabulary::of(domain, &parts)?;
        let sketch = sketch_of(&other, &parts);
        let mut translated = Sketch::empty(&self.vocabulary);
        let names = |one: &SketchVocabulary| {
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
                    translated.set(SignEdit {
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

    /// Returns the applicable ground actions of a sketch in a state, each with the true atoms of its successor. Actions
    /// and atoms are given by name, such as `(on)`. Atoms that `state` does not list are false; those that the problem
    /// does not have ([`atoms`](Self::atoms)) are ignored. Empty if no action is applicable.
    ///
    /// # Panics
    /// Panics if there is no such problem.
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

/// Returns the sketch of operators with these parts.
fn sketch_of(vocabulary: &SketchVocabulary, parts: &[Parts]) -> Sketch {
    let mut sketch = Sketch::empty(vocabulary);
    for (operator, (of, parts)) in vocabulary.operators().iter().zip(parts).enumerate() {
        for (part, literals) in PARTS.into_iter().zip([&parts.conditions, &parts.effects]) {
            for (atom, negated) in literals {
                let literal = of.atoms.iter().position(|one| one == atom);
                let sign = if *negated { Sign::Negative } else { Sign::Positive };
                if let Some(literal) = literal {
                    sketch.set(SignEdit {
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

/// The similarity of one operator to that of the target.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct OperatorScore {
    /// The number of signs that differ.
    pub(crate) distance: u32,
    /// The sum, over its ground actions, of the share of states in which both agree.
    pub(crate) agreement: f64,
    /// The number of its ground actions.
    pub(crate) groundings: u64,
    /// Whether both agree in every state.
    pub(crate) is_equivalent: bool,
    /// The predictions of the observations.
    pub(crate) predictions: Predictions,
}

impl OperatorScore {
    /// Returns the share of pairs of a state and a ground action on which all operators agree, or 1 if there is no ground
    /// action.
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

impl std::fmt::Display for Counterexample {
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
