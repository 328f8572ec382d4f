//! Parsing of problems.

use herbrand_text::nearest;

use super::ast::{Atom, Initial, Metric, Problem, TypedList};
use super::domain::DOMAIN_SECTIONS;
use super::typed::Element;
use super::{Argument, Code, Kind, Known, List, Parser, Word};
use crate::model::MetricDirection;

impl Parser<'_> {
    /// Parses the sections of a problem.
    pub(super) fn problem(&mut self, list: List, name: Word) -> Problem {
        let mut problem = Problem {
            name,
            domain_name: None,
            faulty: false,
            requirements: Vec::new(),
            objects: TypedList::new(),
            init: Vec::new(),
            has_init: false,
            goal: None,
            goal_reward: None,
            metric: None,
        };
        let mut seen: [Option<Word>; 4] = [None; 4];
        self.sections(list, PROBLEM_SECTIONS, |parser, keyword, head, section| {
            match parser.meant(keyword, head, PROBLEM_SECTIONS) {
                ":domain" => {
                    parser.once(&mut seen[0], head);
                    problem.domain_name = parser.name("the name of the domain");
                    parser.expect_end(section);
                }
                ":requirements" => parser.requirements(section, &mut problem.requirements),
                ":objects" => problem.objects.extend(parser.typed_list(section, Element::Name)),
                ":init" => {
                    problem.has_init = true;
                    parser.initial_elements(section, &mut problem.init);
                }
                ":goal" => {
                    parser.once(&mut seen[1], head);
                    if parser.position < section.close {
                        problem.goal = parser.only_formula();
                    }
                    parser.expect_one_condition(section);
                }
                ":goal-reward" => {
                    parser.once(&mut seen[2], head);
                    problem.goal_reward = parser.number(Code::NumberExpected, "a number");
                    parser.expect_end(section);
                }
                ":metric" => {
                    parser.once(&mut seen[3], head);
                    problem.metric = parser.metric(section);
                    parser.expect_end(section);
                }
                // `:length` bounded the plans of early planners. It is ignored because it is no part of the task.
                ":length" => parser.position = section.close,
                keyword => parser.refuse_section(keyword, head, section, DOMAIN_SECTIONS),
            }
        });
        problem
    }

    fn initial_elements(&mut self, list: List, elements: &mut Vec<Initial>) {
        // A fact has about five tokens.
        self.faults
            .meter()
            .reserve(elements, (list.close - list.open) / 5);
        while self.position < list.close {
            self.note_conjunction();
            self.initial(elements);
        }
    }

    /// Warns of `(and …)` around facts. The outcomes of `probabilistic` may have it.
    fn note_conjunction(&mut self) {
        let token = self.tokens[self.position + 1];
        if self.peek().kind == Kind::Open && token.kind == Kind::Name && token.symbol() == Known::And.symbol()
        {
            let message = "`and` stands in an initial state";
            self.faults.report(Code::LooseNotation, message, |d| {
                d.primary(token.span, "read as its facts, but other planners may reject it")
                    .help("list the facts one after the other, as in `(:init (p) (q))`")
            });
        }
    }

    /// Parses an element of an initial state.
    fn initial(&mut self, elements: &mut Vec<Initial>) {
        match self.peek().kind {
            Kind::Open => {
                let list = self.enter();
                self.initial_in(list, elements);
                self.leave(list);
            }
            Kind::Name => {
                self.note_bare_atom();
                let fact = self.bare_atom().map(Initial::Fact);
                self.keep(elements, fact);
            }
            _ => {
                self.expected("a fact such as `(on a b)`");
                self.skip();
            }
        }
    }

    fn initial_in(&mut self, list: List, elements: &mut Vec<Initial>) {
        if self.position == list.close {
            return;
        }
        if !matches!(self.peek().kind, Kind::Name | Kind::Operator | Kind::Number) {
            self.expected("a predicate, `=`, `not` or `probabilistic`");
            return;
        }
        let head = self.word();
        match Known::of(head.symbol) {
            None => {
                let fact = self.atom(head, list).map(Initial::Fact);
                self.keep(elements, fact);
            }
            Some(Known::And) => self.initial_elements(list, elements),
            Some(Known::Not) => {
                if self.position == list.close {
                    self.wrong_operand_count(list, "not", 1, 0);
                    return;
                }
                let absent = self.negated_atom().map(Initial::Absent);
                self.keep(elements, absent);
                if self.position < list.close {
                    self.wrong_operand_count(list, "not", 1, 2);
                }
            }
            Some(Known::Equal) => {
                let value = self.initial_value(list);
                self.keep(elements, value);
            }
            Some(Known::Probabilistic) => {
                let alternatives = self.alternatives(list, |parser| {
                    let mut outcome = Vec::new();
                    parser.initial(&mut outcome);
                    Some(outcome)
                });
                let chance = Initial::Chance(alternatives, self.span(list));
                self.faults.push(elements, chance);
            }
            Some(Known::At) if self.is_timed_literal(list) => {
                let time = self.number(Code::NumberExpected, "a time");
                let mut literals = Vec::new();
                self.initial_elements(list, &mut literals);
                if let Some(time) = time {
                    let literal = Initial::At(time, literals, self.span(list));
                    self.faults.push(elements, literal);
                }
            }
            Some(known) if known.is_reserved() => self.misplaced(head.span, "an initial state"),
            Some(_) => {
                let fact = self.atom(head, list).map(Initial::Fact);
                self.keep(elements, fact);
            }
        }
    }

    /// Parses `(= (f a) 3)`, or `(= a a)`, which occurs in old files.
    fn initial_value(&mut self, list: List) -> Option<Initial> {
        if self.position == list.close {
            self.wrong_operand_count(list, "=", 2, 0);
            return None;
        }
        if self.peek().kind == Kind::Open {
            let term = self.function_term();
            if self.position == list.close {
                self.wrong_operand_count(list, "=", 2, 1);
                return None;
            }
            return self.value_of(term, list);
        }
        let left = self.argument()?;
        if self.position == list.close {
            self.wrong_operand_count(list, "=", 2, 1);
            return None;
        }
        // Two numbers are the names of objects.
        let is_value = self.peek().kind == Kind::Number && self.tokens[self.position - 1].kind == Kind::Name;
        if is_value {
            let end = self.arguments.len() as u32;
            let name = Word {
                symbol: left.symbol,
                span: left.span,
            };
            let term = Atom {
                name,
                arguments: end..end,
                span: left.span,
            };
            return self.value_of(Some(term), list);
        }
        let right = self.argument()?;
        self.expect_end(list);
        Some(Initial::Same(left, right, self.span(list)))
    }

    fn value_of(&mut self, term: Option<Atom>, list: List) -> Option<Initial> {
        let value = self.number(Code::NumberExpected, "a number");
        self.expect_end(list);
        Some(Initial::Value(term?, value?))
    }

    fn argument(&mut self) -> Option<Argument> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Name | Kind::Variable | Kind::Number) {
            self.expected("a function or an object");
            self.skip();
            return None;
        }
        self.position += 1;
        Some(Argument::of(token))
    }

    /// `minimize expression`
    fn metric(&mut self, list: List) -> Option<Metric> {
        let direction = match Known::of(self.peek().symbol()) {
            Some(Known::Minimize) if self.peek().kind == Kind::Name => MetricDirection::Minimize,
            Some(Known::Maximize) if self.peek().kind == Kind::Name => MetricDirection::Maximize,
            _ => {
                let span = self.peek().span;
                let word = self.text[span.range()].to_ascii_lowercase();
                let meant = nearest(&word, ["minimize", "maximize"]);
                self.expected_with("`minimize` or `maximize`", |d| match meant {
                    Some(meant) => d.write(meant),
                    None => d,
                });
                self.position = list.close;
                return None;
            }
        };
        self.position += 1;
        if self.position == list.close {
            self.expected("a numeric expression");
            return None;
        }
        let expression = self.expression()?;
        Some(Metric {
            direction,
            expression,
            span: self.span(list),
        })
    }
}

/// The words that begin the sections of a problem.
pub const PROBLEM_SECTIONS: &[&str] = &[
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":goal-reward",
    ":metric",
];
