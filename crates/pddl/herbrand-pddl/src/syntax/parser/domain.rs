//! Parsing of domains.

use super::ast::{Action, Derived, Domain, TypedList};
use super::habits::LONGEST;
use super::problem::PROBLEM_SECTIONS;
use super::refused::PARTS;
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
            if matches!(keyword, ":action" | ":actions" | ":derived" | ":requirements") {
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
        let mut seen: [Option<Word>; 3] = [None; 3];
        // The elements of the preceding part in words, if users often forget the `and` around several of them.
        let mut several = None;
        while self.position < list.close {
            let without_colon = self.part_without_colon();
            if self.peek().kind != Kind::Keyword && without_colon.is_none() {
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
            let text = self.text[keyword.span.range()].to_ascii_lowercase();
            let Some(part) = without_colon
                .or_else(|| PARTS.iter().position(|&part| part == text))
                .or_else(|| self.refuse_part(keyword, list))
            else {
                continue;
            };
            let help = (part == 2 && seen[2].is_some() && seen[1].is_none() && !self.has_precondition(list))
                .then_some("was the first meant as `:precondition`?");
            self.once_with(&mut seen[part], keyword, help);
            several = [None, Some("conditions"), Some("effects")][part];
            // A keyword without a value means an empty part.
            if self.position == list.close || self.peek().kind == Kind::Keyword {
                continue;
            }
            match part {
                0 => action.parameters = self.parameters()?,
                1 => action.precondition = self.only_formula(),
                _ => action.effect = self.only_effect(),
            }
        }
        Some(action)
    }

    fn parameters(&mut self) -> Option<TypedList> {
        if self.peek().kind == Kind::Variable {
            return Some(self.bare_parameters());
        }
        let parameters = self.variables();
        if parameters.is_none() {
            while !matches!(self.peek().kind, Kind::Keyword | Kind::Close) {
                self.skip();
            }
            return Some(TypedList::new());
        }
        parameters
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

    /// Returns whether a `:precondition` comes after this position.
    fn has_precondition(&self, list: List) -> bool {
        self.tokens[self.position..list.close].iter().any(|token| {
            token.kind == Kind::Keyword && self.text[token.span.range()].eq_ignore_ascii_case(":precondition")
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

/// The words that begin the sections of a domain.
pub const DOMAIN_SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
];
