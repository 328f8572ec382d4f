//! `non-fluents NAME { … }` and `instance NAME { … }`

use super::super::ast::{Constant, ConstantKind, Instance, Objects, Setting, Word};
use super::super::lexer::Kind;
use super::{Parsed, Parser};

const SECTIONS: &[&str] = &[
    "domain",
    "objects",
    "non-fluents",
    "init-state",
    "max-nondef-actions",
    "horizon",
    "discount",
];

impl<'s> Parser<'s, '_> {
    /// The rest of a block, after its first word. Both kinds of block are read alike; the checker says what belongs where.
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
        self.items(|parser| parser.instance_section(&mut instance));
        instance.faulty = self.faults.errors() > errors;
        Some(instance)
    }

    fn instance_section(&mut self, instance: &mut Instance<'s>) -> Parsed<()> {
        let word = self.word_here();
        if self.peek().kind != Kind::Identifier || !SECTIONS.contains(&word.text) {
            return Err(self.refuse_section("an instance", SECTIONS));
        }
        self.advance();
        match (word.text, self.peek().kind) {
            ("objects", _) => {
                self.expect(Kind::OpenBrace, "`{`")?;
                self.items(|parser| parser.objects(&mut instance.objects));
            }
            ("init-state", _) => {
                self.expect(Kind::OpenBrace, "`{`")?;
                self.items(|parser| parser.setting(&mut instance.init_state));
            }
            ("non-fluents", Kind::OpenBrace) => {
                self.advance();
                self.items(|parser| parser.setting(&mut instance.non_fluents));
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
        self.expect(Kind::OpenBrace, "`{`")?;
        let names = self.list(Kind::CloseBrace, |parser| parser.identifier("an object"))?;
        self.faults.push(objects, Objects { of, names });
        self.end_of_item()
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

    /// An object or an enum value.
    fn item(&mut self) -> Parsed<Word<'s>> {
        match self.peek().kind {
            Kind::Enum => self.word_of(Kind::Enum, "an item"),
            _ => self.identifier("an object or an enum value"),
        }
    }
}
