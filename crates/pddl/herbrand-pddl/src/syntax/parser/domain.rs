//! Parsing of domains.

use super::ast::{Action, Derived, Domain, TypedList};
use super::typed::Element;
use super::{Code, Kind, List, Parser, Word};

impl Parser<'_> {
    /// Parses the sections of a domain.
    pub(super) fn domain(&mut self, list: List, name: Word) -> Domain {
        let mut domain = Domain {
            name,
            faulty: false,
            requirements: Vec::new(),
            types: TypedList::new(),
            constants: TypedList::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            derived: Vec::new(),
            actions: Vec::new(),
            agent_actions: Vec::new(),
        };
        let span = self.span(list);
        let markers = self
            .markers
            .iter()
            .filter(|word| span.start <= word.span.start && word.span.end <= span.end);
        domain.agent_actions.extend(markers);
        self.sections(list, |parser, keyword, head, section| match keyword {
            ":requirements" => parser.requirements(section, &mut domain.requirements),
            ":types" => domain.types.extend(parser.typed_list(section, Element::Name)),
            ":constants" => domain.constants.extend(parser.typed_list(section, Element::Name)),
            ":predicates" => domain.predicates.extend(parser.signatures(section)),
            ":functions" => domain.functions.extend(parser.function_signatures(section)),
            ":derived" => {
                let rule = parser.derived(section);
                parser.keep(&mut domain.derived, rule);
            }
            ":action" => {
                let action = parser.action(section);
                parser.keep(&mut domain.actions, action);
            }
            ":actions" => domain.agent_actions.extend(parser.names(section)),
            _ => parser.refuse_section(keyword, head, section, DOMAIN_SECTIONS),
        });
        domain
    }

    /// Parses requirement keywords up to the end of `list`.
    pub(super) fn requirements(&mut self, list: List, requirements: &mut Vec<Word>) {
        while self.position < list.close {
            if self.peek().kind == Kind::Keyword {
                let word = self.word();
                self.faults.push(requirements, word);
            } else {
                self.expected("a requirement such as `:typing`");
                self.skip();
            }
        }
    }

    fn names(&mut self, list: List) -> Vec<Word> {
        let mut names = Vec::new();
        while self.position < list.close {
            match self.name("the name of an action") {
                Some(name) => self.faults.push(&mut names, name),
                None => self.skip(),
            }
        }
        names
    }

    /// `(:derived (p ?x) body)`
    fn derived(&mut self, list: List) -> Option<Derived> {
        if self.position == list.close {
            self.expected("the head of a derivation rule, such as `(above ?x ?y)`");
            return None;
        }
        let head = self.signature();
        if self.position == list.close {
            self.expected("the body of the derivation rule");
            return None;
        }
        let body = self.formula();
        self.expect_one_condition(list);
        Some(Derived {
            head: head?,
            body: body?,
            span: self.span(list),
        })
    }

    /// `(:action NAME :parameters … :precondition … :effect …)`
    fn action(&mut self, list: List) -> Option<Action> {
        let Some(name) = self.name("the name of the action") else {
            self.position = list.close;
            return None;
        };
        let mut action = Action {
            name,
            parameters: TypedList::new(),
            precondition: None,
            effect: None,
            span: self.span(list),
        };
        let mut seen: [Option<Word>; 3] = [None; 3];
        // The elements of the preceding part in words, if users often forget the `and` around several of them.
        let mut several = None;
        while self.position < list.close {
            if self.peek().kind != Kind::Keyword {
                const PARTS: &str = "`:parameters`, `:precondition` or `:effect`";
                match several {
                    Some(what) if self.peek().kind == Kind::Open => self.one_too_many(what, PARTS),
                    _ => {
                        self.expected(PARTS);
                        self.skip();
                    }
                }
                continue;
            }
            let keyword = self.word();
            let part = match self.text[keyword.span.range()].to_ascii_lowercase().as_str() {
                ":parameters" => 0,
                ":precondition" => 1,
                ":effect" => 2,
                _ => {
                    self.refuse_part(keyword, list);
                    continue;
                }
            };
            self.once(&mut seen[part], keyword);
            several = [None, Some("conditions"), Some("effects")][part];
            // A keyword without a value means an empty part.
            if self.position == list.close || self.peek().kind == Kind::Keyword {
                continue;
            }
            match part {
                0 => action.parameters = self.parameters()?,
                1 => action.precondition = self.formula(),
                _ => action.effect = self.effect(),
            }
        }
        Some(action)
    }

    fn parameters(&mut self) -> Option<TypedList> {
        let parameters = self.variables();
        if parameters.is_none() {
            while !matches!(self.peek().kind, Kind::Keyword | Kind::Close) {
                self.skip();
            }
            return Some(TypedList::new());
        }
        parameters
    }

    /// Records that a part occurs, and reports it if it occurred before.
    pub(super) fn once(&mut self, seen: &mut Option<Word>, keyword: Word) {
        if let Some(first) = seen.replace(keyword) {
            let text = &self.text[keyword.span.range()];
            self.faults
                .report(Code::RepeatedSection, format!("`{text}` is given twice"), |d| {
                    d.primary(keyword.span, "given again here")
                        .label(first.span, "first given here")
                });
        }
    }

    /// Expects the end of `list` after a condition. Further conditions are reported as such.
    pub(super) fn expect_one_condition(&mut self, list: List) {
        if self.position < list.close && self.peek().kind == Kind::Open {
            self.one_too_many("conditions", "`)`");
        }
        self.expect_end(list);
    }

    pub(super) fn expect_end(&mut self, list: List) {
        if self.position < list.close {
            self.expected("`)`");
            self.position = list.close;
        }
    }
}

const DOMAIN_SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
];
