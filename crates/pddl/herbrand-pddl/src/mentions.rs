//! The names in a parsed text with their places, for editors.

use herbrand_text::{Mention, NameKind, Role, Span};

use crate::syntax::ast::{
    Action, Argument, Assignment, Atom, Derived, Domain, DurativeAction, Effect, Expression, File, Formula,
    Initial, Problem, Signature, TypedGroup, TypedList,
};
use crate::syntax::{Symbol, Word};

/// Returns all names of the definitions, sorted by place. Names in parts that the parser skipped are missing.
pub(crate) fn mentions(file: &File) -> Vec<Mention> {
    let mut list = MentionList {
        file,
        found: Vec::new(),
        bound: Vec::new(),
    };
    file.domains.iter().for_each(|domain| list.domain(domain));
    file.problems.iter().for_each(|problem| list.problem(problem));
    list.found
        .sort_by_key(|mention| (mention.span.start, mention.role));
    list.found
}

struct MentionList<'f> {
    file: &'f File,
    found: Vec<Mention>,
    /// The variables in scope, innermost last: with the scope and the types of each.
    bound: Vec<(Symbol, Span, Option<Span>)>,
}

impl MentionList<'_> {
    fn add(&mut self, kind: NameKind, role: Role, span: Span, extent: Span) {
        self.found.push(Mention {
            kind,
            role,
            span,
            extent,
            types: None,
        });
    }

    fn word(&mut self, kind: NameKind, role: Role, word: Word) {
        self.add(kind, role, word.span, word.span);
    }

    fn domain(&mut self, domain: &Domain) {
        self.word(NameKind::Domain, Role::Declares, domain.name);
        for &word in &domain.requirements {
            self.word(NameKind::Requirement, Role::Reads, word);
        }
        self.declared(NameKind::Type, &domain.types);
        self.declared(NameKind::Object, &domain.constants);
        for predicate in &domain.predicates {
            self.signature(NameKind::Predicate, predicate);
        }
        for function in &domain.functions {
            self.signature(NameKind::Function, function);
        }
        for &word in &domain.agent_actions {
            self.word(NameKind::Predicate, Role::Reads, word);
        }
        domain.derived.iter().for_each(|rule| self.rule(rule));
        domain.actions.iter().for_each(|action| self.action(action));
        let durative = domain.durative_actions.iter();
        durative.for_each(|action| self.durative_action(action));
    }

    fn problem(&mut self, problem: &Problem) {
        self.word(NameKind::Problem, Role::Declares, problem.name);
        if let Some(word) = problem.domain_name {
            self.word(NameKind::Domain, Role::Reads, word);
        }
        for &word in &problem.requirements {
            self.word(NameKind::Requirement, Role::Reads, word);
        }
        self.declared(NameKind::Object, &problem.objects);
        problem.init.iter().for_each(|element| self.initial(element));
        problem.goal.iter().for_each(|goal| self.formula(goal));
        if let Some(metric) = &problem.metric {
            self.expression(&metric.expression);
        }
    }

    /// Adds the names that a list declares, with their types.
    fn declared(&mut self, kind: NameKind, list: &TypedList) {
        for group in list {
            let types = self.types(group);
            for word in &group.names {
                let extent = match types {
                    Some(types) if types.end > word.span.end => word.span.to(types),
                    _ => word.span,
                };
                self.found.push(Mention {
                    kind,
                    role: Role::Declares,
                    span: word.span,
                    extent,
                    types,
                });
            }
        }
    }

    /// Adds the types of a group, and returns their place.
    fn types(&mut self, group: &TypedGroup) -> Option<Span> {
        for &word in &group.types {
            self.word(NameKind::Type, Role::Reads, word);
        }
        let (first, last) = (group.types.first()?, group.types.last()?);
        Some(first.span.to(last.span))
    }

    /// Brings the variables of a list into scope. Restore the length of `bound` to end it.
    fn bind(&mut self, list: &TypedList, scope: Span) {
        for group in list {
            let types = self.types(group);
            for word in &group.names {
                self.found.push(Mention {
                    kind: NameKind::Variable,
                    role: Role::Declares,
                    span: word.span,
                    extent: scope,
                    types,
                });
                self.bound.push((word.symbol, scope, types));
            }
        }
    }

    fn signature(&mut self, kind: NameKind, signature: &Signature) {
        self.add(kind, Role::Declares, signature.name.span, signature.span);
        self.bind(&signature.parameters, signature.span);
        self.bound.clear();
    }

    fn rule(&mut self, rule: &Derived) {
        self.add(NameKind::Predicate, Role::Defines, rule.head.name.span, rule.span);
        self.bind(&rule.head.parameters, rule.span);
        self.formula(&rule.body);
        self.bound.clear();
    }

    fn action(&mut self, action: &Action) {
        self.add(NameKind::Action, Role::Declares, action.name.span, action.span);
        self.bind(&action.parameters, action.span);
        action
            .precondition
            .iter()
            .for_each(|formula| self.formula(formula));
        action.effect.iter().for_each(|effect| self.effect(effect));
        self.bound.clear();
    }

    fn durative_action(&mut self, action: &DurativeAction) {
        self.add(NameKind::Action, Role::Declares, action.name.span, action.span);
        self.bind(&action.parameters, action.span);
        let formulas = action.duration.iter().chain(&action.condition);
        formulas.for_each(|formula| self.formula(formula));
        action.effect.iter().for_each(|effect| self.effect(effect));
        self.bound.clear();
    }

    fn atom(&mut self, kind: NameKind, role: Role, atom: &Atom) {
        self.add(kind, role, atom.name.span, atom.span);
        for &argument in self.file.arguments(atom) {
            self.argument(argument);
        }
    }

    fn argument(&mut self, argument: Argument) {
        if !argument.is_variable {
            self.add(NameKind::Object, Role::Reads, argument.span, argument.span);
            return;
        }
        let innermost = self
            .bound
            .iter()
            .rev()
            .find(|(symbol, ..)| *symbol == argument.symbol);
        let (extent, types) = innermost.map_or((argument.span, None), |&(_, scope, types)| (scope, types));
        self.found.push(Mention {
            kind: NameKind::Variable,
            role: Role::Reads,
            span: argument.span,
            extent,
            types,
        });
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(NameKind::Predicate, Role::Reads, atom),
            Formula::Compare(_, sides, _) => match &**sides {
                [Expression::Term(left), Expression::Term(right)]
                | [Expression::Number(left), Expression::Number(right)] => {
                    self.argument(*left);
                    self.argument(*right);
                }
                // Beside a variable, a number is an object.
                [Expression::Term(variable), Expression::Number(object)]
                | [Expression::Number(object), Expression::Term(variable)]
                    if variable.is_variable =>
                {
                    self.argument(*variable);
                    self.argument(*object);
                }
                sides => sides.iter().for_each(|side| self.expression(side)),
            },
            Formula::Not(part, _) => self.formula(part),
            Formula::And(parts) | Formula::Or(parts, _) => parts.iter().for_each(|part| self.formula(part)),
            Formula::Imply(sides, _) => sides.iter().for_each(|side| self.formula(side)),
            Formula::Forall(list, body, span) | Formula::Exists(list, body, span) => {
                let outer = self.bound.len();
                self.bind(list, *span);
                self.formula(body);
                self.bound.truncate(outer);
            }
            Formula::At(_, body, _) => self.formula(body),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_) => {}
            Expression::Term(argument) if argument.is_variable => self.argument(*argument),
            Expression::Term(argument) => {
                self.add(NameKind::Function, Role::Reads, argument.span, argument.span);
            }
            Expression::Call(term) => self.atom(NameKind::Function, Role::Reads, term),
            Expression::Apply(_, operands) => operands.iter().for_each(|operand| self.expression(operand)),
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Add(atom) | Effect::Delete(atom) => self.atom(NameKind::Predicate, Role::Changes, atom),
            Effect::Assign(assignment) => {
                let Assignment { target, value, .. } = &**assignment;
                self.atom(NameKind::Function, Role::Changes, target);
                self.expression(value);
            }
            Effect::Forall(list, body, span) => {
                let outer = self.bound.len();
                self.bind(list, *span);
                self.effect(body);
                self.bound.truncate(outer);
            }
            Effect::When(condition, body, _) => {
                self.formula(condition);
                self.effect(body);
            }
            Effect::Probabilistic(outcomes, _) => {
                outcomes.iter().for_each(|(_, outcome)| self.effect(outcome))
            }
            Effect::At(_, body, _) => self.effect(body),
        }
    }

    fn initial(&mut self, element: &Initial) {
        match element {
            Initial::Fact(atom) | Initial::Absent(atom) => self.atom(NameKind::Predicate, Role::Sets, atom),
            Initial::Value(term, _) => self.atom(NameKind::Function, Role::Sets, term),
            Initial::Same(left, right, _) => {
                self.argument(*left);
                self.argument(*right);
            }
            Initial::Chance(outcomes, _) => {
                let elements = outcomes.iter().flat_map(|(_, elements)| elements);
                elements.for_each(|element| self.initial(element));
            }
            Initial::At(_, literals, _) => literals.iter().for_each(|literal| self.initial(literal)),
        }
    }
}
