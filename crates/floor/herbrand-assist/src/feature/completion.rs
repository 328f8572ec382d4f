//! Completion: the words that fit a place. Only tokens are used to find the place, so it works in the middle of a word.

mod rddl;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat, TextEdit};
use herbrand_text::{NameKind, Role, Span};

use super::hover::{headline, requirement};
use super::signature::parameter_at;
use crate::brackets::{self, Element, OpenList, Place};
use crate::documents::{TextFile, bare};
use crate::lookup::Found;
use crate::words;
use crate::workspace::Workspace;

/// The maximum number of items.
const MOST: usize = 1000;

/// Returns the words that fit at a byte of a file, at most 1,000; empty in a comment, in settings, and where nothing
/// fits. Each has the edit that replaces the word around the byte. With `snippets`, a word that begins a section also writes
/// its parts, with places to fill in. The file may be faulty.
pub fn completion(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    offset: u32,
    snippets: bool,
) -> Vec<CompletionItem> {
    if file.is_settings() {
        return Vec::new();
    }
    let Some(place) = brackets::place(file, offset) else {
        return Vec::new();
    };
    let mut list = Completion {
        workspace,
        file,
        scope: workspace.scope(file),
        replaced: place.word,
        snippets,
        items: Vec::new(),
        seen: BTreeSet::new(),
    };
    match file.language {
        Language::Pddl => list.pddl(&place),
        Language::Rddl => list.rddl(&place),
    }
    list.items
}

struct Completion<'w> {
    workspace: &'w Workspace,
    file: &'w Arc<TextFile>,
    /// The files whose declarations the place can refer to.
    scope: Vec<Arc<TextFile>>,
    /// The word that an item replaces.
    replaced: Span,
    /// Whether the editor fills in the places of a snippet.
    snippets: bool,
    items: Vec<CompletionItem>,
    seen: BTreeSet<String>,
}

/// A variable that a place can name, with the words of its types.
struct Bound {
    name: Span,
    types: Vec<String>,
}

impl Completion<'_> {
    fn is(&self, span: Span, word: &str) -> bool {
        self.file.at(span).eq_ignore_ascii_case(word)
    }

    fn add(&mut self, label: &str, kind: CompletionItemKind, detail: Option<String>) {
        if self.items.len() >= MOST || !self.seen.insert(label.to_owned()) {
            return;
        }
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail,
            sort_text: Some(format!("{:04}", self.items.len())),
            filter_text: Some(label.to_owned()),
            text_edit: Some(
                TextEdit {
                    range: self.file.range(self.replaced),
                    new_text: label.to_owned(),
                }
                .into(),
            ),
            ..CompletionItem::default()
        });
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.add(word, CompletionItemKind::Keyword, None);
        }
    }

    /// Adds words that begin a section or a block, each with its parts if the editor takes snippets.
    fn sections(&mut self, words: &[&str]) {
        let (table, close) = match self.file.language {
            Language::Pddl if self.is_open() => (&words::SNIPPETS[..], ")"),
            Language::Pddl => (&words::SNIPPETS[..], ""),
            Language::Rddl => (&words::RDDL_SNIPPETS[..], ""),
        };
        for &word in words {
            let before = self.items.len();
            self.add(word, CompletionItemKind::Keyword, None);
            let parts = table.iter().find(|(first, _)| *first == word);
            if let (true, Some((_, parts)), Some(item)) = (self.snippets, parts, self.items.get_mut(before)) {
                item.kind = Some(CompletionItemKind::Snippet);
                item.insert_text_format = Some(InsertTextFormat::Snippet);
                let edit = TextEdit {
                    range: self.file.range(self.replaced),
                    new_text: format!("{parts}{close}"),
                };
                item.text_edit = Some(edit.into());
            }
        }
    }

    /// Returns whether the list at the place lacks its parenthesis in the same line. Editors often write it with the other.
    fn is_open(&self) -> bool {
        let behind = self.file.text()[self.replaced.end as usize..].lines().next();
        !behind.is_some_and(|behind| behind.trim_start().starts_with(')'))
    }

    /// Adds the declared names of a kind for which `fits` holds.
    fn declared(&mut self, kind: NameKind, fits: impl Fn(&Found) -> bool) {
        let shown = match kind {
            NameKind::Type => CompletionItemKind::Class,
            NameKind::Object => CompletionItemKind::Constant,
            NameKind::Value => CompletionItemKind::EnumMember,
            NameKind::Predicate => CompletionItemKind::Function,
            NameKind::Action => CompletionItemKind::Method,
            NameKind::Domain => CompletionItemKind::Module,
            _ => CompletionItemKind::Field,
        };
        for file in self.scope.clone() {
            for &mention in file.of_kind(kind, Role::Declares) {
                if self.items.len() >= MOST {
                    return;
                }
                let found = Found {
                    file: Arc::clone(&file),
                    mention,
                };
                if fits(&found) {
                    let label = file.at(mention.span).to_owned();
                    self.add(&label, shown, Some(headline(&found)));
                }
            }
        }
    }

    // PDDL.

    fn pddl(&mut self, place: &Place) {
        let lists = &place.lists;
        let Some(list) = lists.last() else { return };
        let depth = lists.len() - 1;
        if depth == 0 {
            return;
        }
        if list.elements.is_empty() {
            return self.pddl_head(place);
        }
        let Some(head) = list.head() else {
            // A list that begins with a list: a list of variables, or nothing of PDDL.
            return;
        };
        if self.after_dash(list) && self.is_typed(place) {
            return self.types();
        }
        let at = |word: &str| self.is(head, word);
        if at(":requirements") {
            for flag in herbrand_pddl::Requirement::ALL {
                let detail = requirement(flag.keyword()).map(str::to_owned);
                self.add(flag.keyword(), CompletionItemKind::Keyword, detail);
            }
        } else if at(":domain") {
            self.domains();
        } else if at(":metric") && list.elements.len() == 1 {
            self.words(&["minimize", "maximize"]);
        } else if let Some(parts) = self.action_parts(head) {
            let given: Vec<String> = list
                .elements
                .iter()
                .filter_map(|one| match one {
                    Element::Word(span) => Some(self.file.at(*span).to_ascii_lowercase()),
                    Element::List(_) => None,
                })
                .collect();
            let missing: Vec<&str> = parts
                .iter()
                .copied()
                .filter(|part| !given.iter().any(|own| own == part))
                .collect();
            if list.elements.len() > 1
                && list
                    .last_word()
                    .is_none_or(|last| !self.file.at(last).starts_with(':'))
            {
                self.words(&missing);
            }
        } else if at("define") || at("domain") || at("problem") || self.is_typed(place) {
            // A new name is given here.
        } else {
            self.pddl_argument(place, list, head);
        }
    }

    /// Adds the words that can begin a list.
    fn pddl_head(&mut self, place: &Place) {
        let lists = &place.lists;
        let outer = &lists[lists.len() - 2];
        let Some(head) = outer.head() else {
            if lists.len() == 2 {
                self.sections(&["define"]);
            }
            return;
        };
        let at = |word: &str| self.is(head, word);
        if at("define") {
            let titles = outer.elements.iter().filter_map(|one| match one {
                Element::List(span) => Some(self.file.at(*span).to_ascii_lowercase()),
                Element::Word(_) => None,
            });
            let title = titles.into_iter().next().unwrap_or_default();
            let is_problem = title.trim_start_matches('(').trim_start().starts_with("problem");
            return match (outer.elements.len(), is_problem) {
                (1, _) => self.words(&["domain", "problem"]),
                (_, true) => self.sections(herbrand_pddl::PROBLEM_SECTIONS),
                (_, false) => self.sections(herbrand_pddl::DOMAIN_SECTIONS),
            };
        }
        if at(":predicates") || at(":functions") || at(":types") || at(":requirements") {
            return;
        }
        if at(":init") {
            self.declared(NameKind::Predicate, |_| true);
            return self.words(&["="]);
        }
        if self.action_parts(head).is_some() {
            if at(":durative-action") {
                self.words(&words::TIMES);
            }
            // The value of a part: the part decides what may begin it.
            return match outer
                .last_word()
                .map(|part| self.file.at(part).to_ascii_lowercase())
                .as_deref()
            {
                Some(":effect") => self.effect_heads(),
                Some(":precondition" | ":condition") => self.condition_heads(),
                Some(":duration") => self.words(&["=", "<=", ">=", "and"]),
                _ => {}
            };
        }
        if self.in_effect(place) {
            self.effect_heads();
        } else {
            self.condition_heads();
        }
        if [
            "=",
            "<",
            "<=",
            ">",
            ">=",
            "+",
            "-",
            "*",
            "/",
            "assign",
            "increase",
            "decrease",
            "scale-up",
            "scale-down",
        ]
        .iter()
        .any(|operator| self.is(head, operator))
        {
            self.declared(NameKind::Function, |_| true);
        }
    }

    /// Returns the parts that a list has if it is an action of any kind.
    fn action_parts(&self, head: Span) -> Option<&'static [&'static str]> {
        if self.is(head, ":action") {
            Some(&words::ACTION_PARTS)
        } else {
            let is_durative = self.is(head, ":durative-action");
            is_durative.then_some(&words::DURATIVE_PARTS as &[_])
        }
    }

    fn condition_heads(&mut self) {
        self.declared(NameKind::Predicate, |_| true);
        self.words(&words::CONDITIONS);
    }

    fn effect_heads(&mut self) {
        self.declared(NameKind::Predicate, |_| true);
        self.words(&words::EFFECTS);
    }

    /// Returns whether a place is in the effect of an action, outside of conditions in it.
    fn in_effect(&self, place: &Place) -> bool {
        let is = |list: &&OpenList, word: &str| list.head().is_some_and(|head| self.is(head, word));
        let has_parts = |list: &&OpenList| list.head().is_some_and(|head| self.action_parts(head).is_some());
        let Some(action) = place.lists.iter().find(has_parts) else {
            return false;
        };
        let parts = action.elements.iter().rev().filter_map(|one| match one {
            Element::Word(span) => Some(*span),
            Element::List(_) => None,
        });
        let part = parts
            .into_iter()
            .find(|&word| self.file.at(word).starts_with(':'));
        // The first operand of `when` is a condition.
        let in_condition = place
            .lists
            .iter()
            .any(|list| is(&list, "when") && list.elements.len() == 1);
        part.is_some_and(|part| self.is(part, ":effect")) && !in_condition
    }

    fn after_dash(&self, list: &OpenList) -> bool {
        let is_dash = |span: Span| self.file.at(span) == "-";
        list.last_word().is_some_and(is_dash) || list.head().is_some_and(|head| self.is(head, "either"))
    }

    /// Returns whether the list around a place declares names with types.
    fn is_typed(&self, place: &Place) -> bool {
        let lists = &place.lists;
        let list = &lists[lists.len() - 1];
        let Some(head) = list.head() else { return false };
        let outer = lists.len().checked_sub(2).and_then(|at| lists[at].head());
        let is_any = |span: Span, words: &[&str]| words.iter().any(|word| self.is(span, word));
        if is_any(head, &["either"]) {
            return true;
        }
        is_any(head, &[":types", ":constants", ":objects"])
            || self.file.at(head).starts_with('?')
            || outer.is_some_and(|outer| is_any(outer, &[":predicates", ":functions"]))
    }

    fn types(&mut self) {
        self.declared(NameKind::Type, |_| true);
        self.words(&["object", "either"]);
    }

    fn domains(&mut self) {
        let mut names: Vec<String> = self
            .workspace
            .files()
            .filter(|file| file.language == self.file.language)
            .flat_map(|file| file.domains().iter().cloned())
            .collect();
        names.sort();
        for name in names {
            self.add(&name, CompletionItemKind::Module, None);
        }
    }

    /// Adds the variables and objects that fit an argument.
    fn pddl_argument(&mut self, place: &Place, list: &OpenList, head: Span) {
        let index = list.elements.len() - 1;
        let parameter = parameter_at(self.workspace, self.file, head, index);
        let wanted: Option<Vec<String>> = parameter.as_ref().map(|one| match one.mention.types {
            Some(types) => type_words(one.file.at(types)),
            None => vec!["object".to_owned()],
        });
        let accepted = wanted.map(|wanted| self.subtypes(wanted));
        let fits = |types: &[String]| match &accepted {
            None => true,
            Some(accepted) => accepted.contains("object") || types.iter().any(|of| accepted.contains(of)),
        };
        let bound = self.bound(place);
        for one in bound.iter().rev() {
            if fits(&one.types) {
                let label = self.file.at(one.name).to_owned();
                self.add(&label, CompletionItemKind::Variable, Some(one.types.join(" ")));
            }
        }
        if self.file.at(self.replaced).starts_with('?') {
            return;
        }
        if ["and", "or", "not", "imply", "when", "forall", "exists"]
            .iter()
            .any(|word| self.is(head, word))
        {
            return;
        }
        self.declared(NameKind::Object, |found| match found.mention.types {
            Some(types) => fits(&type_words(found.file.at(types))),
            None => fits(&["object".to_owned()]),
        });
    }

    /// Returns types with all types below them.
    fn subtypes(&self, types: Vec<String>) -> BTreeSet<String> {
        let mut below: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in &self.scope {
            for one in file.of_kind(NameKind::Type, Role::Declares) {
                let above = one
                    .types
                    .map(|types| type_words(file.at(types)))
                    .unwrap_or_default();
                for parent in above {
                    below.entry(parent).or_default().push(file.name(one));
                }
            }
        }
        let (mut open, mut found) = (types, BTreeSet::new());
        while let Some(next) = open.pop() {
            open.extend(below.remove(&next).into_iter().flatten());
            found.insert(next);
        }
        found
    }

    /// Returns the variables that the lists around a place bind, outermost first.
    fn bound(&self, place: &Place) -> Vec<Bound> {
        let mut bound = Vec::new();
        for list in &place.lists {
            let Some(head) = list.head() else { continue };
            if self.action_parts(head).is_some() {
                let mut after_keyword = false;
                for &element in &list.elements {
                    match element {
                        Element::List(span) if after_keyword => self.bind(span, &mut bound),
                        Element::Word(span) => after_keyword = self.is(span, ":parameters"),
                        Element::List(_) => {}
                    }
                }
            } else if (self.is(head, "forall") || self.is(head, "exists") || self.is(head, ":derived"))
                && let Some(&Element::List(span)) = list.elements.get(1)
            {
                self.bind(span, &mut bound);
            }
        }
        bound
    }

    /// Adds the variables of a typed list.
    fn bind(&self, list: Span, bound: &mut Vec<Bound>) {
        let lexemes = self.file.lexemes();
        let first = lexemes.partition_point(|one| one.span.start <= list.start);
        let (mut names, mut types, mut after_dash) = (Vec::new(), Vec::new(), false);
        let mut finish = |names: &mut Vec<Span>, types: &mut Vec<String>| {
            let of = if types.is_empty() {
                vec!["object".to_owned()]
            } else {
                std::mem::take(types)
            };
            bound.extend(names.drain(..).map(|name| Bound {
                name,
                types: of.clone(),
            }));
        };
        for one in lexemes[first..].iter().take_while(|one| one.span.end < list.end) {
            let text = self.file.at(one.span);
            if text.starts_with('?') {
                if after_dash {
                    finish(&mut names, &mut types);
                    after_dash = false;
                }
                names.push(one.span);
            } else if text == "-" {
                after_dash = true;
            } else if after_dash && !matches!(text, "(" | ")") && !text.eq_ignore_ascii_case("either") {
                types.push(text.to_ascii_lowercase());
            }
        }
        finish(&mut names, &mut types);
    }
}

/// Returns the names in a type: one, or several for `either`.
fn type_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "()".contains(c));
    words
        .filter(|word| !word.is_empty())
        .map(|word| bare(Language::Pddl, word))
        .collect()
}

#[cfg(test)]
mod tests;
