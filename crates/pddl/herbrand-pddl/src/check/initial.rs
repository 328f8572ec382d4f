//! Checking of initial states.

use fxhash::FxHasher64;
use hashbrown::HashTable;
use herbrand_text::{Source, Span};
use std::hash::Hasher as _;

use super::context::CheckContext;
use super::listed;
use crate::diagnostic::Code;
use crate::model::{
    FunctionId, FunctionValue, InitialChance, InitialOutcome, Number, ObjectId, PredicateId, PredicateKind,
    Probability,
};
use crate::requirements::Requirement;
use crate::syntax::ast::{Atom, Initial, Literal};

/// The memory charged per element of a state, in bytes, without its arguments: predicate, end of arguments and table entry.
const ELEMENT: usize = 3 * 16;

/// The facts and values of an initial state in the order written, without duplicates.
#[derive(Default)]
struct Gathered {
    outcome: InitialOutcome,
    facts: HashTable<u32>,
    values: HashTable<u32>,
    /// The span of each value.
    places: Vec<Span>,
    /// The facts that are listed under `not`, with their spans.
    absent: Vec<(PredicateId, Vec<ObjectId>, Span)>,
}

impl CheckContext<'_> {
    /// Resolves the elements of an initial state or of an alternative in one.
    pub(super) fn initial(&mut self, elements: &[Initial]) -> InitialOutcome {
        let mut gathered = Gathered::default();
        if !self.faults.charge(elements.len() * 2 * size_of::<u32>()) {
            return gathered.outcome;
        }
        gathered.facts.reserve(elements.len(), |_| 0);
        let mut arguments = Vec::new();
        for element in elements {
            if !self
                .faults
                .charge(ELEMENT + 3 * size_of_val(arguments.as_slice()))
            {
                break;
            }
            arguments.clear();
            match element {
                Initial::Fact(atom) => {
                    if let Some(predicate) = self.fact(atom, &mut arguments)
                        && !gathered.add_fact(predicate, &arguments)
                    {
                        self.report_repeated(atom.span);
                    }
                }
                Initial::Absent(atom) => {
                    if let Some(predicate) = self.fact(atom, &mut arguments) {
                        self.faults.charge(listed::<(PredicateId, Vec<ObjectId>, Span)>());
                        gathered.absent.push((predicate, arguments.clone(), atom.span));
                    }
                }
                Initial::Value(term, value) => {
                    self.initial_value(term, *value, &mut gathered, &mut arguments);
                }
                Initial::Same(left, right, span) => {
                    let (a, b) = (
                        self.object(left.symbol, left.span),
                        self.object(right.symbol, right.span),
                    );
                    if let (Some(a), Some(b)) = (a, b)
                        && a != b
                    {
                        self.report_same(*span);
                    }
                }
                // `timed_literals` reads these.
                Initial::At(..) => {}
                Initial::Chance(alternatives, span) => {
                    let chance = self.initial_chance(alternatives, *span);
                    gathered.outcome.chances.push(chance);
                }
            }
        }
        for (predicate, arguments, span) in &gathered.absent {
            if gathered.holds(*predicate, arguments) {
                self.report_contradiction(*span);
            }
        }
        gathered.outcome
    }

    /// Resolves a fact: writes its arguments to `arguments` and returns its predicate. `None` if it is faulty or not part of
    /// the state.
    fn fact(&mut self, atom: &Atom, arguments: &mut Vec<ObjectId>) -> Option<PredicateId> {
        let domain = self.domain;
        if self.tables.predicates.get(atom.name.symbol).is_none()
            && self.tables.functions.get(atom.name.symbol).is_some()
        {
            self.report_function(atom);
            return None;
        }
        let Some(id) = self.predicate_of(atom) else {
            self.look_up_objects(atom);
            return None;
        };
        let predicate = domain.predicate(id);
        if !self.check_arity(atom, "predicate", &predicate.parameters, predicate.place) {
            self.look_up_objects(atom);
            return None;
        }
        let is_complete = self.ground_arguments(atom, &predicate.parameters, arguments);
        match predicate.kind {
            PredicateKind::Derived => {
                self.report_derived(atom);
                None
            }
            // The agent's actions are not part of the state. Files of this dialect list all possible ones in `:init`.
            PredicateKind::Action => None,
            PredicateKind::Static | PredicateKind::Fluent => is_complete.then_some(id),
        }
    }

    /// Reports unknown arguments of a ground atom that already has another fault.
    #[cold]
    fn look_up_objects(&mut self, atom: &Atom) {
        for argument in self.arguments(atom) {
            if !argument.is_variable {
                self.object(argument.symbol, argument.span);
            }
        }
    }

    /// Resolves the arguments of a ground atom. Returns whether all of them were found.
    fn ground_arguments(
        &mut self,
        atom: &Atom,
        parameters: &[crate::model::Variable],
        ids: &mut Vec<ObjectId>,
    ) -> bool {
        let (objects, tables) = (self.objects, self.tables);
        for (&argument, parameter) in self.arguments(atom).iter().zip(parameters) {
            if argument.is_variable {
                self.report_variable(argument.symbol, argument.span);
                continue;
            }
            let Some(id) = tables.objects.get(argument.symbol) else {
                self.object(argument.symbol, argument.span);
                continue;
            };
            self.check_fit(&objects[id.index()].types, parameter, argument, atom.name);
            ids.push(id);
        }
        ids.len() == parameters.len()
    }

    fn initial_value(
        &mut self,
        term: &Atom,
        value: Literal,
        gathered: &mut Gathered,
        arguments: &mut Vec<ObjectId>,
    ) {
        let number = self.number(value);
        let Some(function) = self.function(term.name) else {
            return;
        };
        let parameters = self.function_parameters(function);
        let place = self.domain.function(function).place;
        let span = term.span.to(value.span);
        self.faults.charge(listed::<FunctionValue>());
        if !self.check_arity(term, "function", parameters, place)
            || !self.ground_arguments(term, parameters, arguments)
        {
            return;
        }
        if let Err(first) = gathered.add_value(function, arguments, number, span) {
            let name = self.name(term.name);
            self.faults.report(
                Code::ConflictingValues,
                format!("`{name}` is given two values"),
                |d| {
                    d.primary(span, "another value here")
                        .label(first, "the first value")
                },
            );
        }
    }

    fn initial_chance(&mut self, alternatives: &[(Literal, Vec<Initial>)], span: Span) -> InitialChance {
        self.features.note(Requirement::ProbabilisticEffects, span);
        let probabilities: Vec<(Literal, Probability)> = alternatives
            .iter()
            .map(|(literal, _)| (*literal, self.probability(*literal)))
            .collect();
        self.check_sum(&probabilities);
        let outcomes: Vec<InitialOutcome> = alternatives
            .iter()
            .map(|(_, elements)| self.initial(elements))
            .collect();
        InitialChance {
            alternatives: probabilities.into_iter().map(|(_, p)| p).zip(outcomes).collect(),
        }
    }

    #[cold]
    fn report_derived(&mut self, atom: &Atom) {
        let name = self.name(atom.name);
        let (domain, source): (_, &Source) = (self.domain, self.source);
        let rule = self.tables.predicates.get(atom.name.symbol);
        let rule = domain.axioms.iter().find(|axiom| Some(axiom.predicate) == rule);
        self.faults
            .report(Code::DerivedInInit, format!("`{name}` is derived"), |d| {
                let d = d.primary(
                    atom.span,
                    "an initial state cannot list it: it follows from other facts",
                );
                let origin = domain.origin.source().unwrap_or(source);
                d.label_in(origin, rule.and_then(|axiom| axiom.place.span()), "derived here")
            });
    }

    /// Reports a function as a fact, such as `(fuel car 3)`, which gives no value.
    #[cold]
    fn report_function(&mut self, atom: &Atom) {
        let name = self.name(atom.name);
        let text = |span: Span| &self.source.text()[span.range()];
        let arguments = self.arguments(atom);
        let mut words: Vec<&str> = arguments.iter().map(|argument| text(argument.span)).collect();
        let value = words.pop_if(|word| word.parse::<f64>().is_ok()).unwrap_or("0");
        let term = words.iter().fold(name.to_owned(), |term, word| term + " " + word);
        let help = format!("write `(= ({term}) {value})`");
        self.faults.report(
            Code::UnknownPredicate,
            format!("unknown predicate `{name}`"),
            |d| {
                d.primary(atom.span, format!("`{name}` is a function, which needs a value"))
                    .help(help)
            },
        );
    }

    #[cold]
    fn report_contradiction(&mut self, span: Span) {
        let fact = &self.source.text()[span.range()];
        self.faults.report(
            Code::ContradictedFact,
            format!("the initial state lists `{fact}` and its negation"),
            |d| {
                d.primary(span, "it is listed as a fact too, so it holds")
                    .help("remove one of the two")
            },
        );
    }

    #[cold]
    fn report_repeated(&mut self, span: Span) {
        let fact = &self.source.text()[span.range()];
        self.faults.report(
            Code::RepeatedFact,
            format!("the initial state lists `{fact}` twice"),
            |d| {
                d.primary(span, "it is listed above too")
                    .help("remove one of the two, or write the fact that was meant")
            },
        );
    }

    #[cold]
    fn report_same(&mut self, span: Span) {
        self.faults.report(
            Code::EffectOnFixed,
            "two different objects cannot be equal",
            |d| {
                d.primary(span, "an object is equal only to itself")
                    .help("to give a function a value, write a number: `(= (f a) 3)`")
            },
        );
    }

    #[cold]
    fn report_variable(&mut self, symbol: crate::syntax::Symbol, span: Span) {
        let name = self.names.text_of(symbol);
        self.faults
            .report(Code::UnboundVariable, format!("`?{name}` is not in scope"), |d| {
                d.primary(span, "an initial state contains no variables")
            });
    }
}

impl Gathered {
    /// Returns whether a fact was added.
    fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let facts = &self.outcome.facts;
        let found = self.facts.find(hash(predicate.number(), arguments), |&index| {
            facts
                .get(index as usize)
                .is_some_and(|fact| fact.predicate == predicate && fact.arguments == arguments)
        });
        found.is_some()
    }

    /// Adds a fact. Returns whether it is new.
    fn add_fact(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        if self.holds(predicate, arguments) {
            return false;
        }
        let facts = &self.outcome.facts;
        let hash = hash(predicate.number(), arguments);
        let index = facts.len() as u32;
        self.facts.insert_unique(hash, index, |&index| {
            facts
                .get(index as usize)
                .map_or(0, |fact| self::hash(fact.predicate.number(), fact.arguments))
        });
        self.outcome.facts.push(predicate, arguments);
        true
    }

    /// Adds a value. If the function has a different value for the arguments, returns the span of that value as an error.
    fn add_value(
        &mut self,
        function: FunctionId,
        arguments: &[ObjectId],
        value: Number,
        span: Span,
    ) -> Result<(), Span> {
        let values = &self.outcome.values;
        let hash = hash(function.number(), arguments);
        let known = self.values.find(hash, |&index| {
            let known = &values[index as usize];
            known.function == function && known.arguments == arguments
        });
        if let Some(&known) = known {
            let known = known as usize;
            return if values[known].value == value {
                Ok(())
            } else {
                Err(self.places[known])
            };
        }
        let index = values.len() as u32;
        self.values.insert_unique(hash, index, |&index| {
            let known = &values[index as usize];
            self::hash(known.function.number(), &known.arguments)
        });
        self.outcome.values.push(FunctionValue {
            function,
            arguments: arguments.to_vec(),
            value,
        });
        self.places.push(span);
        Ok(())
    }
}

fn hash(head: u32, arguments: &[ObjectId]) -> u64 {
    let mut hasher = FxHasher64::default();
    hasher.write_u32(head);
    for argument in arguments {
        hasher.write_u32(argument.number());
    }
    // The table takes its buckets from the low bits; the rotation moves the better mixed high bits there.
    hasher.finish().rotate_left(26)
}
