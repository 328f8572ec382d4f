//! Parsing of domains.

use super::ast::{Action, Derived, Domain, DurativeAction, TypedList};
use super::habits::LONGEST;
use super::problem::PROBLEM_SECTIONS;
use super::refused::{DURATIVE_PARTS, PARTS};
use super::typed::Element;
use super::{Code, Kind, List, Parser, Word};

impl Parser<'_> {
    /// Parses the sections of a domain.
    pub(super) fn domain(&mut self, list: List, name: Word) -> Domain {
        let mut domain = Domain {
            name,
            faulty: false,
            declares: false,
            declarations: Vec::new(),
            requirements: Vec::new(),
            types: TypedList::new(),
            constants: TypedList::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            derived: Vec::new(),
            actions: Vec::new(),
            durative_actions: Vec::new(),
            agent_actions: Vec::new(),
        };
        let span = self.span(list);
        let markers = self
            .markers
            .iter()
            .filter(|word| span.start <= word.span.start && word.span.end <= span.end);
        domain.agent_actions.extend(markers);
        let errors = self.faults.errors();
        let mut harmless = 0;
        self.sections(list, DOMAIN_SECTIONS, |parser, keyword, head, section| {
            let before = parser.faults.errors();
            let keyword = parser.meant(keyword, head, DOMAIN_SECTIONS);
            let named = parser.faults.errors();
            parser.domain_section(keyword, head, section, &mut domain);
            harmless += named - before;
            if matches!(
                keyword,
                ":action" | ":actions" | ":derived" | ":durative-action" | ":requirements"
            ) {
                harmless += parser.faults.errors() - named;
            } else {
                domain.declarations.push(parser.span(section));
            }
        });
        domain.declares = self.faults.errors() - errors == harmless;
        domain
    }

    fn domain_section(&mut self, keyword: &str, head: Word, section: List, domain: &mut Domain) {
        match keyword {
            ":requirements" => self.requirements(section, &mut domain.requirements),
            ":types" => domain.types.extend(self.typed_list(section, Element::Name)),
            ":constants" => domain.constants.extend(self.typed_list(section, Element::Name)),
            ":predicates" => domain.predicates.extend(self.signatures(section)),
            ":functions" => domain.functions.extend(self.function_signatures(section)),
            ":derived" => {
                let rule = self.derived(section);
                self.keep(&mut domain.derived, rule);
            }
            ":action" => {
                let action = self.action(section);
                self.keep(&mut domain.actions, action);
            }
            ":durative-action" => {
                let action = self.durative_action(section);
                self.keep(&mut domain.durative_actions, action);
            }
            ":actions" if self.is_action(section) => {
                self.report_action(head);
                let action = self.action(section);
                self.keep(&mut domain.actions, action);
            }
            ":actions" => domain.agent_actions.extend(self.names(section)),
            _ => self.refuse_section(keyword, head, section, PROBLEM_SECTIONS),
        }
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

    /// Returns whether a section `(:actions NAME :parameters …` is an action rather than a list of names.
    fn is_action(&self, list: List) -> bool {
        let mut tokens = self.tokens[self.position..list.close].iter().take(2);
        tokens.any(|token| token.kind == Kind::Keyword)
    }

    fn report_action(&mut self, head: Word) {
        let name = self.peek();
        let name = match name.kind {
            Kind::Name | Kind::Number => &self.text[name.span.range()],
            _ => "NAME",
        };
        self.faults
            .report(Code::UnknownSection, "`:actions` is a list of names", |d| {
                d.primary(head.span, "read as an action")
                    .help(format!("did you mean `(:action {name} …)`?"))
            });
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
        let body = self.only_formula();
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
        self.parts(list, PARTS, |parser, part| match part {
            ":parameters" => action.parameters = parser.parameters(),
            ":precondition" => action.precondition = parser.only_formula(),
            _ => action.effect = parser.only_effect(),
        });
        Some(action)
    }

    /// `(:durative-action NAME :parameters … :duration … :condition … :effect …)`
    fn durative_action(&mut self, list: List) -> Option<DurativeAction> {
        let Some(name) = self.name("the name of the durative action") else {
            self.position = list.close;
            return None;
        };
        let mut action = DurativeAction {
            name,
            parameters: TypedList::new(),
            duration: None,
            condition: None,
            effect: None,
            span: self.span(list),
        };
        self.parts(list, DURATIVE_PARTS, |parser, part| match part {
            ":parameters" => action.parameters = parser.parameters(),
            ":duration" => action.duration = parser.only_formula(),
            ":condition" => action.condition = parser.only_formula(),
            _ => action.effect = parser.only_effect(),
        });
        Some(action)
    }

    /// Parses the parts of an action, whose keywords are `known`, with `read`. A keyword without a value means an empty part.
    fn parts(
        &mut self,
        list: List,
        known: &'static [&'static str],
        mut read: impl FnMut(&mut Self, &'static str),
    ) {
        let mut seen: [Option<Word>; DURATIVE_PARTS.len()] = [None; DURATIVE_PARTS.len()];
        // The elements of the preceding part in words, if users often forget the `and` around several of them.
        let mut several = None;
        while self.position < list.close {
            let without_colon = self.part_without_colon(known);
            if self.peek().kind != Kind::Keyword && without_colon.is_none() {
                let expected = one_of(known);
                match several {
                    Some(what) if self.peek().kind == Kind::Open => self.one_too_many(what, &expected),
                    _ => {
                        self.expected(&expected);
                        self.skip();
                    }
                }
                continue;
            }
            let keyword = self.word();
            let text = self.text[keyword.span.range()].to_ascii_lowercase();
            let Some(part) = without_colon
                .or_else(|| known.iter().position(|&part| part == text))
                .or_else(|| self.refuse_part(keyword, list, known))
            else {
                continue;
            };
            let last = known.len() - 1;
            let help = (part == last
                && seen[last].is_some()
                && seen[last - 1].is_none()
                && !self.has_part(list, known[last - 1]))
            .then(|| format!("was the first meant as `{}`?", known[last - 1]));
            self.once_with(&mut seen[part], keyword, help.as_deref());
            several = match known[part] {
                ":precondition" | ":condition" => Some("conditions"),
                ":effect" => Some("effects"),
                _ => None,
            };
            if self.position < list.close && self.peek().kind != Kind::Keyword {
                read(self, known[part]);
            }
        }
    }

    fn parameters(&mut self) -> TypedList {
        if self.peek().kind == Kind::Variable {
            return self.bare_parameters();
        }
        self.variables().unwrap_or_else(|| {
            while !matches!(self.peek().kind, Kind::Keyword | Kind::Close) {
                self.skip();
            }
            TypedList::new()
        })
    }

    /// Reports parameters without parentheses, as in `:parameters ?x - t`, and parses them.
    fn bare_parameters(&mut self) -> TypedList {
        let open = self.position - 1;
        let mut close = self.position;
        loop {
            let token = self.tokens[close];
            match token.kind {
                Kind::Close => break,
                Kind::Keyword if token.span.end - token.span.start > 1 => break,
                Kind::Open if self.tokens[close - 1].kind == Kind::Dash => close = token.mate() + 1,
                Kind::Open => break,
                _ => close += 1,
            }
        }
        let span = self.peek().span.to(self.tokens[close - 1].span);
        let text = &self.text[span.range()];
        let written = if text.len() > LONGEST || text.contains([';', '\n']) {
            "(?x - t …)".to_owned()
        } else {
            format!("({text})")
        };
        let message = "the parameters stand without parentheses";
        self.faults.report(Code::Unexpected, message, |d| {
            d.primary(span, "parameters are a list").write(&written)
        });
        let parameters = self.typed_list(List { open, close }, Element::Variable);
        self.position = close;
        parameters
    }

    /// Records that a part occurs, and reports it if it occurred before.
    pub(super) fn once(&mut self, seen: &mut Option<Word>, keyword: Word) {
        self.once_with(seen, keyword, None);
    }

    /// Returns whether the keyword `part` comes after this position.
    fn has_part(&self, list: List, part: &str) -> bool {
        self.tokens[self.position..list.close].iter().any(|token| {
            token.kind == Kind::Keyword && self.text[token.span.range()].eq_ignore_ascii_case(part)
        })
    }

    fn once_with(&mut self, seen: &mut Option<Word>, keyword: Word, help: Option<&str>) {
        if let Some(first) = seen.replace(keyword) {
            let text = &self.text[keyword.span.range()];
            self.faults
                .report(Code::RepeatedSection, format!("`{text}` is given twice"), |d| {
                    let d = d
                        .primary(keyword.span, "given again here")
                        .label(first.span, "first given here");
                    match help {
                        Some(help) => d.help(help),
                        None => d,
                    }
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

/// Returns words as a text such as `` `:parameters`, `:precondition` or `:effect` ``.
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    let (last, rest) = quoted.split_last().expect("an action has parts");
    format!("{} or {last}", rest.join(", "))
}

/// The words that begin the sections of a domain.
pub const DOMAIN_SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
    ":durative-action",
];
