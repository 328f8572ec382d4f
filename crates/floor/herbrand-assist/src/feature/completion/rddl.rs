//! The words that fit a place in RDDL.

use std::sync::Arc;

use gen_lsp_types::CompletionItemKind;
use herbrand_text::{NameKind, Span};

use super::Completion;
use crate::brackets::{Element, OpenList, Place};
use crate::words;

impl Completion<'_> {
    pub(super) fn rddl(&mut self, place: &Place) {
        let file = Arc::clone(self.file);
        let text = |span: Span| file.at(span);
        let braces: Vec<&OpenList> = place
            .lists
            .iter()
            .skip(1)
            .filter(|list| text(list.open) == "{")
            .collect();
        let typed = text(self.replaced).to_owned();
        let Some(block) = place.lists.first().filter(|_| !braces.is_empty()) else {
            return self.sections(&["domain", "non-fluents", "instance"]);
        };
        // The words before a brace tell the block and the section.
        let kind = block.elements.iter().rev().filter_map(|one| match one {
            Element::Word(span) => Some(*span),
            Element::List(_) => None,
        });
        let kind = kind
            .map(text)
            .find(|word| ["domain", "non-fluents", "instance"].contains(word));
        let is_domain = kind == Some("domain");
        let section = braces
            .get(1)
            .and_then(|list| list.before)
            .map(text)
            .unwrap_or_default();
        let inside = &place.lists[place.lists.len() - 1];
        if typed.starts_with('@') {
            return self.declared(NameKind::Value, |_| true);
        }
        if typed.starts_with('?') {
            return self.rddl_variables(place);
        }
        match (braces.len(), section) {
            (1, _) => {
                let last = inside.last_word().map(text);
                match last {
                    Some("=") if is_domain => self.rddl_expression(place),
                    Some("=") => {
                        self.domains();
                        self.declared(NameKind::NonFluents, |_| true);
                    }
                    _ if is_domain => {
                        self.sections(herbrand_rddl::DOMAIN_SECTIONS);
                        if self.in_reward(inside) {
                            self.rddl_expression(place);
                        }
                    }
                    _ => {
                        // Within an instance, these words begin an assignment.
                        self.words(&["domain", "non-fluents"]);
                        self.sections(herbrand_rddl::INSTANCE_SECTIONS);
                    }
                }
            }
            (_, "types") => self.words(&["object"]),
            (2, "pvariables") => self.declared(NameKind::Type, |_| true),
            (_, "pvariables") => match inside.elements.len() {
                0 => {
                    for kind in herbrand_rddl::PvariableKind::ALL {
                        self.add(kind.as_str(), CompletionItemKind::Keyword, None);
                    }
                }
                _ => {
                    self.words(&["bool", "int", "real", "default", "true", "false"]);
                    self.declared(NameKind::Type, |_| true);
                }
            },
            (2, "objects") => self.declared(NameKind::Type, |_| true),
            (_, "objects" | "requirements") => {}
            (_, "init-state" | "non-fluents") => {
                if text(inside.open) == "(" {
                    self.declared(NameKind::Object, |_| true);
                    self.declared(NameKind::Value, |_| true);
                } else {
                    self.declared(NameKind::Fluent, |_| true);
                    self.words(&["true", "false"]);
                }
            }
            _ => self.rddl_expression(place),
        }
    }

    fn in_reward(&self, list: &OpenList) -> bool {
        let last = list.elements.iter().rev().filter_map(|one| match one {
            Element::Word(span) => Some(self.file.at(*span)),
            Element::List(_) => None,
        });
        last.take_while(|word| *word != ";").any(|word| word == "reward")
    }

    fn rddl_expression(&mut self, place: &Place) {
        self.rddl_variables(place);
        self.declared(NameKind::Fluent, |_| true);
        self.declared(NameKind::Value, |_| true);
        if place
            .lists
            .last()
            .is_some_and(|list| list.before.is_some() && self.file.at(list.open) == "{")
        {
            self.declared(NameKind::Type, |_| true);
        }
        let distributions: Vec<&str> = herbrand_rddl::distributions().collect();
        self.words(&distributions);
        self.words(&words::RDDL_WORDS);
    }

    /// Adds the variables between the start of the item and the place.
    fn rddl_variables(&mut self, place: &Place) {
        let mut names = Vec::new();
        for lexeme in self.file.lexemes() {
            if lexeme.span.end > place.word.start {
                break;
            }
            let text = self.file.at(lexeme.span);
            if text == ";" {
                names.clear();
            } else if text.starts_with('?') && text.len() > 1 {
                names.push(text.to_owned());
            }
        }
        for name in names {
            self.add(&name, CompletionItemKind::Variable, None);
        }
    }
}
