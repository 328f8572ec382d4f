//! The names in a parsed text with their places, for editors.

use herbrand_text::{Mention, NameKind, Role, Span};

use crate::syntax::ast::{
    Case, CaseLabel, Constant, ConstantKind, Cpf, Domain, Expression, File, Instance, Node, Pvariable,
    Setting, Word,
};

/// Returns all names of the blocks of a text, sorted by place. Names in parts that the parser skipped are missing.
pub(crate) fn mentions(text: &str, file: &File<'_>) -> Vec<Mention> {
    let mut list = MentionList {
        text,
        found: Vec::new(),
        bound: Vec::new(),
    };
    file.domains.iter().for_each(|domain| list.domain(domain));
    for block in &file.non_fluents {
        list.instance(NameKind::NonFluents, block);
    }
    for block in &file.instances {
        list.instance(NameKind::Problem, block);
    }
    list.found
        .sort_by_key(|mention| (mention.span.start, mention.role));
    list.found
}

struct MentionList<'s> {
    text: &'s str,
    found: Vec<Mention>,
    /// The variables in scope, innermost last: with the scope and the type of each.
    bound: Vec<(&'s str, Span, Option<Span>)>,
}

impl<'s> MentionList<'s> {
    fn add(&mut self, kind: NameKind, role: Role, word: Word<'s>, extent: Span) {
        self.found.push(Mention {
            kind,
            role,
            span: word.span,
            extent,
            types: None,
        });
    }

    fn read(&mut self, kind: NameKind, word: Word<'s>) {
        self.add(kind, Role::Reads, word, word.span);
    }

    /// Adds a use of a fluent, whose name may have a prime.
    fn fluent(&mut self, role: Role, word: Word<'s>, extent: Span) {
        let mut bare = word;
        if word.text.ends_with('\'') {
            bare.span.end -= 1;
        }
        self.add(NameKind::Fluent, role, bare, extent);
    }

    /// Returns the place of an item from `first` that ends with `last`, with the `}` and `;` behind it.
    fn item(&self, first: Span, last: Span) -> Span {
        let rest = &self.text[last.end as usize..];
        let after = rest.trim_start().trim_start_matches('}').trim_start();
        let end = match after.strip_prefix(';') {
            Some(after) => self.text.len() - after.len(),
            None => last.end as usize,
        };
        Span::from(first.start as usize..end)
    }

    fn domain(&mut self, domain: &Domain<'s>) {
        self.add(NameKind::Domain, Role::Declares, domain.name, domain.name.span);
        for &word in &domain.requirements {
            self.read(NameKind::Requirement, word);
        }
        for one in &domain.types {
            let values = one.values.as_deref().unwrap_or_default();
            let last = values.last().map_or(one.name.span, |value| value.span);
            let extent = self.item(one.name.span, last);
            self.add(NameKind::Type, Role::Declares, one.name, extent);
            for &value in values {
                self.found.push(Mention {
                    kind: NameKind::Value,
                    role: Role::Declares,
                    span: value.span,
                    extent: value.span,
                    types: Some(one.name.span),
                });
            }
        }
        domain.pvariables.iter().for_each(|one| self.pvariable(one));
        domain.cpfs.iter().for_each(|cpf| self.cpf(cpf));
        let conditions = [
            &domain.preconditions,
            &domain.constraints,
            &domain.invariants,
            &domain.terminations,
        ];
        for formula in domain.reward.iter().chain(conditions.into_iter().flatten()) {
            self.expression(formula);
        }
    }

    fn pvariable(&mut self, one: &Pvariable<'s>) {
        let last = one.default.map_or(one.range.span, |value| value.word.span);
        let extent = self.item(one.name.span, last);
        self.found.push(Mention {
            kind: NameKind::Fluent,
            role: Role::Declares,
            span: one.name.span,
            extent,
            types: Some(one.range.span),
        });
        for &word in one.parameters.iter().chain([&one.range]) {
            self.read(NameKind::Type, word);
        }
        one.default.iter().for_each(|&value| self.constant(value));
    }

    fn constant(&mut self, value: Constant<'s>) {
        if value.kind == ConstantKind::Item {
            self.item_word(value.word);
        }
    }

    /// Adds a use of an object or of a value of an enum.
    fn item_word(&mut self, word: Word<'s>) {
        let is_value = word.text.starts_with('@');
        self.read(
            if is_value {
                NameKind::Value
            } else {
                NameKind::Object
            },
            word,
        );
    }

    fn bind(&mut self, word: Word<'s>, scope: Span, types: Option<Span>) {
        self.found.push(Mention {
            kind: NameKind::Variable,
            role: Role::Declares,
            span: word.span,
            extent: scope,
            types,
        });
        self.bound.push((word.text, scope, types));
    }

    fn variable(&mut self, word: Word<'s>) {
        let innermost = self.bound.iter().rev().find(|(name, ..)| *name == word.text);
        let (extent, types) = innermost.map_or((word.span, None), |&(_, scope, types)| (scope, types));
        self.found.push(Mention {
            kind: NameKind::Variable,
            role: Role::Reads,
            span: word.span,
            extent,
            types,
        });
    }

    fn cpf(&mut self, cpf: &Cpf<'s>) {
        let extent = self.item(cpf.name.span, cpf.body.span);
        self.fluent(Role::Defines, cpf.name, extent);
        for &word in &cpf.parameters {
            self.bind(word, extent, None);
        }
        self.expression(&cpf.body);
        self.bound.clear();
    }

    fn expression(&mut self, expression: &Expression<'s>) {
        let outer = self.bound.len();
        match &expression.node {
            Node::Variable(word) => self.variable(*word),
            Node::Enum(word) => self.read(NameKind::Value, *word),
            Node::Name(word) | Node::Call(word, _) => self.fluent(Role::Reads, *word, expression.span),
            Node::Binder(_, variables, _) => {
                for one in variables {
                    self.read(NameKind::Type, one.of);
                    self.bind(one.variable, expression.span, Some(one.of.span));
                }
            }
            Node::Discrete(_, of, cases) => {
                self.read(NameKind::Type, *of);
                self.labels(cases);
            }
            Node::Switch(_, cases) => self.labels(cases),
            Node::Matrix(_, [row, column], _) => {
                self.bind(*row, expression.span, None);
                self.bind(*column, expression.span, None);
            }
            _ => {}
        }
        expression.node.parts().for_each(|part| self.expression(part));
        self.bound.truncate(outer);
    }

    fn labels(&mut self, cases: &[Case<'s>]) {
        for case in cases {
            if let CaseLabel::Item(word) = case.label {
                self.item_word(word);
            }
        }
    }

    fn instance(&mut self, kind: NameKind, block: &Instance<'s>) {
        self.add(kind, Role::Declares, block.name, block.name.span);
        if let Some(word) = block.domain {
            self.read(NameKind::Domain, word);
        }
        if let Some(word) = block.uses {
            self.read(NameKind::NonFluents, word);
        }
        for list in &block.objects {
            self.read(NameKind::Type, list.of);
            for &word in &list.names {
                self.found.push(Mention {
                    kind: NameKind::Object,
                    role: Role::Declares,
                    span: word.span,
                    extent: word.span,
                    types: Some(list.of.span),
                });
            }
        }
        for setting in block.non_fluents.iter().chain(&block.init_state) {
            self.setting(setting);
        }
    }

    fn setting(&mut self, setting: &Setting<'s>) {
        self.fluent(Role::Sets, setting.name, setting.span);
        for &word in &setting.arguments {
            self.item_word(word);
        }
        self.constant(setting.value);
    }
}
