//! `non-fluents NAME { … }` and `instance NAME { … }`

use super::super::ast::{Constant, ConstantKind, Instance, Objects, Setting, Word};
use super::super::lexer::Kind;
use super::{Parsed, Parser};

/// The words that begin the settings and sections of an instance or a block of non-fluents.
pub const INSTANCE_SECTIONS: &[&str] = &[
    "domain",
    "objects",
    "non-fluents",
    "init-state",
    "max-nondef-actions",
    "horizon",
    "discount",
];

impl<'s> Parser<'s, '_> {
    /// Parses the rest of a block, after its first word. Both kinds of block share a grammar; the checker reports misplaced
    /// sections.
    pub(super) fn instance(&mut self) -> Option<Instance<'s>> {
        let errors = self.faults.errors();
        let name = self.block_head("a name").ok()?;
        let mut instance = Instance {
            name,
            faulty: false,
            domain: None,
            uses: None,
            objects: Vec::new(),
            non_fluents: Vec::new(),
            init_state: Vec::new(),
            max_nondef_actions: None,
            horizon: None,
            discount: None,
        };
        self.sections(|parser| parser.instance_section(&mut instance));
        instance.faulty = self.faults.errors() > errors;
        Some(instance)
    }

    fn instance_section(&mut self, instance: &mut Instance<'s>) -> Parsed<()> {
        let word = self.section_word("an instance", INSTANCE_SECTIONS)?;
        match (word.text, self.peek().kind) {
            ("objects", _) => {
                self.expect(Kind::OpenBrace, "`{`")?;
                let begins = |parser: &Self| parser.begins_instance_section(word.text);
                return self.section_items(begins, |parser| parser.objects(&mut instance.objects));
            }
            ("init-state", _) => {
                self.expect(Kind::OpenBrace, "`{`")?;
                let begins = |parser: &Self| parser.begins_instance_section(word.text);
                return self.section_items(begins, |parser| parser.setting(&mut instance.init_state));
            }
            ("non-fluents", Kind::OpenBrace) => {
                self.advance();
                let begins = |parser: &Self| parser.begins_instance_section(word.text);
                return self.section_items(begins, |parser| parser.setting(&mut instance.non_fluents));
            }
            (section, _) => {
                self.expect(Kind::Assign, "`=`")?;
                let is_repeated = match section {
                    "domain" => {
                        let name = self.identifier("the name of a domain")?;
                        instance.domain.replace(name).is_some()
                    }
                    "non-fluents" => {
                        let name = self.identifier("the name of a block of non-fluents")?;
                        instance.uses.replace(name).is_some()
                    }
                    "horizon" if self.is_word("terminate-when") => return self.refuse_terminate_when(),
                    "horizon" => instance.horizon.replace(self.constant()?).is_some(),
                    "discount" => instance.discount.replace(self.constant()?).is_some(),
                    _ => instance.max_nondef_actions.replace(self.constant()?).is_some(),
                };
                if is_repeated {
                    self.repeated(word);
                }
            }
        }
        self.end_of_item()
    }

    /// `type : { a, b };`
    fn objects(&mut self, objects: &mut Vec<Objects<'s>>) -> Parsed<()> {
        let of = self.identifier("a type")?;
        self.expect(Kind::Colon, "`:`")?;
        let open = self.peek().span;
        self.expect(Kind::OpenBrace, "`{`")?;
        let mut names = Vec::new();
        let closed = loop {
            if self.accept(Kind::CloseBrace) {
                break true;
            }
            if !names.is_empty() {
                if self.ends_objects() {
                    break false;
                }
                self.expect(Kind::Comma, "`,` or `}`")?;
            }
            let name = self.identifier("an object")?;
            self.faults.push(&mut names, name);
        };
        self.faults.push(objects, Objects { of, names });
        if closed {
            return self.end_of_item();
        }
        self.unclosed_since(open);
        self.accept(Kind::Semicolon);
        Ok(())
    }

    /// Returns whether the next token can only follow the objects of a type.
    fn ends_objects(&self) -> bool {
        match self.peek().kind {
            Kind::Semicolon => true,
            Kind::Identifier => {
                matches!(self.peek_second(), Kind::Colon | Kind::OpenBrace | Kind::Assign)
            }
            _ => false,
        }
    }

    /// Returns whether a new section of the instance begins here, and cannot be an item of the section `inside`.
    fn begins_instance_section(&self, inside: &str) -> bool {
        let word = self.word_here();
        let is_section = self.peek().kind == Kind::Identifier && INSTANCE_SECTIONS.contains(&word.text);
        let second = self.peek_second();
        // A fluent may have the name of a section.
        is_section && (second == Kind::OpenBrace || inside == "objects" && second == Kind::Assign)
    }

    /// `p(a, b) = v;`, `p(a);` or `~p(a);`
    fn setting(&mut self, settings: &mut Vec<Setting<'s>>) -> Parsed<()> {
        let start = self.peek().span;
        let negated = self.accept(Kind::Not);
        let name = self.identifier("a fluent")?;
        let arguments = if self.accept(Kind::OpenParenthesis) {
            self.list(Kind::CloseParenthesis, Self::item)?
        } else {
            Vec::new()
        };
        let span = start.to(self.previous_span());
        let value = if !negated && self.accept(Kind::Assign) {
            self.constant()?
        } else {
            Constant {
                kind: ConstantKind::Bool(!negated),
                negative: false,
                word: name,
            }
        };
        let setting = Setting {
            name,
            arguments,
            value,
            span,
        };
        self.faults.push(settings, setting);
        self.end_of_item()
    }

    /// Parses an object or an enum value.
    fn item(&mut self) -> Parsed<Word<'s>> {
        self.skip_dollar();
        match self.peek().kind {
            Kind::Enum => self.word_of(Kind::Enum, "an item"),
            _ => self.identifier("an object or an enum value"),
        }
    }
}
