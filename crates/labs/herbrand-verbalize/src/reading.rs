//! Actions read from text.

use herbrand_text::nearest;

use crate::answer::{AnswerError, AnswerFault};
use crate::english;
use crate::index::Meaning;
use crate::template::Slot;
use crate::term::TextTerm;
use crate::wording::{IDLE, Wording, number};

/// The maximum length of an action that is read, in bytes.
const LONGEST: usize = 4096;
/// Joint actions without actions, as they may be written.
const NO_ACTIONS: [&str; 4] = [IDLE, "()", "noop", "no-op"];

impl Wording {
    /// Parses an action that somebody wrote, and returns it in the syntax of its language. It may be written
    ///
    /// - as a sentence, as [`action`](Self::action) writes it, or as it would be written without a table;
    /// - in the syntax of the language, such as `(stack a b)`, `stack a b`, `stack(a, b)` or `order___apple=5`;
    /// - as the number, from 1, of an entry of `listed`, such as `3`, `3.` or `#3`; the entry is returned as it is.
    ///
    /// Case, articles, spaces, hyphens and punctuation do not matter unless they tell two actions apart. Whether the
    /// action is valid in a state is for the engine to say.
    ///
    /// # Errors
    /// Fails if the text names no action, or several, if it is empty or longer than 4,096 bytes, or if `listed` has no
    /// entry with the number. [`AnswerError::fault`] tells which.
    pub fn read(&self, text: &str, listed: &[String]) -> Result<String, AnswerError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(AnswerError::new(AnswerFault::Empty, "the action is empty"));
        }
        if text.len() > LONGEST {
            let message = format!("an action has at most {LONGEST} bytes");
            return Err(AnswerError::new(AnswerFault::TooLong, message));
        }
        if let Some(number) = number(text) {
            let entry = number.checked_sub(1).and_then(|at| listed.get(at));
            return entry.cloned().ok_or_else(|| {
                let message = match listed.len() {
                    0 => "no actions are listed, so an action has no number".to_owned(),
                    most => format!("the listed actions have the numbers 1 to {most}"),
                };
                AnswerError::new(AnswerFault::NoSuchNumber, message)
            });
        }
        let symbols = &self.vocabulary.actions;
        let exact = self
            .meanings(&self.exact, &self.actions.exact, symbols, text)
            .collect();
        if let Some(read) = self.only(exact, str::to_owned) {
            return read;
        }
        let is_term = text.starts_with('(') || text.contains("___");
        if !is_term {
            for (index, patterns) in self.levels.iter().zip(&self.actions.levels) {
                let normal = index.normal(text);
                let found = self.meanings(index, patterns, symbols, &normal).collect();
                if let Some(read) = self.only(found, |value| self.value(value)) {
                    return read;
                }
            }
            for (index, patterns) in self.levels.iter().zip(&self.actions.replaced) {
                let normal = index.normal(text);
                let patterns = patterns.iter().map(Option::as_ref);
                let found = self.meanings(index, patterns, symbols, &normal).collect();
                if let Some(read) = self.only(found, |value| self.value(value)) {
                    return read;
                }
            }
        }
        match self.read_term(text) {
            Some(Ok(read)) => Ok(read),
            Some(Err(fault)) if is_term => Err(fault),
            fault => {
                let nearest = (!is_term).then(|| self.sentence_fault(text)).flatten();
                let fault = nearest.or(fault.and_then(Result::err));
                Err(fault.unwrap_or_else(|| self.unknown(text, is_term)))
            }
        }
    }

    /// Parses actions that are taken together, separated by semicolons or ends of lines; `do nothing`, `noop` or `()`
    /// for none. Returns each as [`read`](Self::read) does, in order.
    ///
    /// # Errors
    /// Fails like [`read`](Self::read), with the first fault. An empty text is a fault too.
    pub fn read_joint(&self, text: &str, listed: &[String]) -> Result<Vec<String>, AnswerError> {
        let trimmed = text.trim().trim_end_matches('.').to_lowercase();
        if NO_ACTIONS.contains(&&*trimmed) && !self.actions.numbers.contains_key(&trimmed) {
            return Ok(Vec::new());
        }
        let parts = text
            .split([';', '\n'])
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let joint = parts
            .map(|part| self.read(part, listed))
            .collect::<Result<Vec<_>, _>>()?;
        if joint.is_empty() {
            return Err(AnswerError::new(AnswerFault::Empty, "the action is empty"));
        }
        Ok(joint)
    }

    /// Returns the action if there is one meaning, a fault if there are several, and `None` without one. `value`
    /// returns a value as the language writes it.
    fn only(
        &self,
        found: Vec<(usize, Meaning)>,
        value: impl Fn(&str) -> String,
    ) -> Option<Result<String, AnswerError>> {
        let written = |(at, meaning): (usize, Meaning)| {
            let value = meaning.value.as_deref().map(&value);
            self.term(at, Meaning { value, ..meaning })
        };
        let mut texts: Vec<_> = found.into_iter().map(written).collect();
        texts.sort();
        texts.dedup();
        match texts.as_slice() {
            [] => None,
            [only] => Some(Ok(only.clone())),
            several => {
                let message = format!("this may mean {}", several.join(" or "));
                Some(Err(AnswerError::new(AnswerFault::Ambiguous, message)))
            }
        }
    }

    /// Returns the text of an action in its language.
    fn term(&self, at: usize, meaning: Meaning) -> String {
        let arguments = meaning.arguments.into_iter().flatten();
        let term = TextTerm {
            name: self.vocabulary.actions[at].name.clone(),
            arguments: arguments
                .map(|object| self.vocabulary.objects[object as usize].name.clone())
                .collect(),
            value: meaning.value,
        };
        term.text(self.vocabulary.syntax)
    }

    /// Returns a value with the case of the object that it names.
    fn value(&self, value: &str) -> String {
        self.named(value).map_or_else(
            || value.to_owned(),
            |at| self.vocabulary.objects[at as usize].name.clone(),
        )
    }

    /// Parses words that begin with the name of an action; `None` if they do not.
    fn read_term(&self, text: &str) -> Option<Result<String, AnswerError>> {
        let is_term = text.starts_with('(');
        let text = text.replace("___", " ").replace("__", " ");
        let is_number = |(_, value): &(&str, &str)| value.trim().parse::<f64>().is_ok();
        let valued = text
            .split_once('=')
            .or_else(|| text.split_once(':').filter(is_number));
        let (text, mut value) = match valued {
            Some((text, value)) => (text.to_owned(), Some(value.trim().to_owned())),
            None => (text, None),
        };
        let words: Vec<_> = text
            .split(|c: char| c.is_whitespace() || "(),".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        let (count, at) = self.action_named(&words, is_term)?;
        let symbol = &self.vocabulary.actions[at];
        let mut given = words[count..].to_vec();
        let expected = symbol.parameters.len();
        if symbol.has_value && value.is_none() && given.len() == expected + 1 {
            value = given.pop().map(str::to_owned);
        }
        Some(self.fitted(at, &given, value))
    }

    /// Returns the number of the first words that name an action, and its index. If the exact name of an action with as
    /// many arguments is there, or `is_term`, it is that one; otherwise the name with most words, written in any way.
    fn action_named(&self, words: &[&str], is_term: bool) -> Option<(usize, usize)> {
        let loose = &self.levels[0];
        let first = words.first()?;
        let exact = self.actions.numbers.get(*first).copied().filter(|&at| {
            let arity = self.vocabulary.actions[at].parameters.len();
            is_term || words.len() - 1 == arity
        });
        if let Some(at) = exact {
            return Some((1, at));
        }
        (1..=words.len().min(6)).rev().find_map(|count| {
            let name = loose.normal(&words[..count].join(" "));
            let mut actions = self.vocabulary.actions.iter();
            Some((count, actions.position(|own| loose.normal(&own.name) == name)?))
        })
    }

    /// Returns an action with arguments as somebody wrote them.
    fn fitted(&self, at: usize, given: &[&str], value: Option<String>) -> Result<String, AnswerError> {
        let symbol = &self.vocabulary.actions[at];
        let expected = symbol.parameters.len();
        let unknown = given.iter().find(|word| self.named(word).is_none());
        if let Some(word) = unknown {
            let names = self.vocabulary.objects.iter().map(|object| object.name.as_str());
            let message = format!("there is no object `{word}` here");
            return Err(
                AnswerError::new(AnswerFault::UnknownObject, message).suggesting(nearest(word, names))
            );
        }
        if given.len() != expected {
            let names: Vec<_> = symbol
                .parameters
                .iter()
                .map(|parameter| parameter.name.as_str())
                .collect();
            let names = if names.is_empty() {
                String::new()
            } else {
                format!(" ({})", names.join(", "))
            };
            let message = format!(
                "`{}` takes {}{names}, not {}",
                symbol.name,
                herbrand_text::counted(expected, "argument"),
                given.len()
            );
            return Err(AnswerError::new(AnswerFault::WrongArity, message));
        }
        let objects: Vec<_> = given.iter().filter_map(|word| self.named(word)).collect();
        for (parameter, &object) in symbol.parameters.iter().zip(&objects) {
            let object = &self.vocabulary.objects[object as usize];
            if !parameter.takes(object) {
                let own = object.types.first().map_or("object", String::as_str);
                let message = format!(
                    "`{}` of `{}` is {}, but `{}` is {}",
                    parameter.name,
                    symbol.name,
                    english::with_article(&parameter.types.join(" or ")),
                    object.name,
                    english::with_article(own)
                );
                return Err(AnswerError::new(AnswerFault::WrongType, message));
            }
        }
        if symbol.has_value && value.is_none() {
            let message = format!("`{}` needs a value, such as `{}=1`", symbol.name, symbol.name);
            return Err(AnswerError::new(AnswerFault::WrongArity, message));
        }
        let meaning = Meaning {
            arguments: objects.into_iter().map(Some).collect(),
            value,
        };
        Ok(self.term(at, meaning))
    }

    /// Returns the object that a word names; in any case if only one object has this name then.
    fn named(&self, word: &str) -> Option<u32> {
        let loose = &self.levels[0];
        let exact = self.objects.get(word).copied();
        exact.or_else(|| match loose.objects(&loose.normal(word)) {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// Explains why a text that agrees with a sentence of an action, but for its objects, is no action; `None` if it
    /// agrees with none.
    fn sentence_fault(&self, text: &str) -> Option<AnswerError> {
        let normal = self.levels[1].normal(text);
        let own = self.actions.levels[1].iter().map(Some).enumerate();
        let replaced = self.actions.replaced[1].iter().map(Option::as_ref).enumerate();
        let mut alike = own
            .chain(replaced)
            .filter_map(|(at, pattern)| Some((at, pattern?.contents(&normal)?)));
        alike.next().map(|(at, contents)| self.fault_of(at, &contents))
    }

    /// Returns whether a text that may be prose is meant as an action: its first word is any, and the others are objects, or its
    /// first word is like the name or the verb of an action, and the others are objects or like the words of sentences.
    /// Whether it is an action is for [`read`](Self::read) to say.
    #[must_use]
    pub fn is_meant(&self, text: &str) -> bool {
        if text.len() > LONGEST || text.trim_end().ends_with(':') {
            return false;
        }
        let text = text.replace("___", " ").replace("__", " ");
        let words = text.split(|c: char| c.is_whitespace() || "(),;".contains(c));
        let mut words = words
            .map(|word| word.trim_end_matches(['.', '!']))
            .filter(|word| !word.is_empty());
        let Some(first) = words.next() else {
            return false;
        };
        let rest: Vec<_> = words.collect();
        let is_object = |word: &&str| self.named(word).is_some();
        let all = self
            .actions
            .templates
            .iter()
            .flat_map(|template| &template.literals);
        let is_known = |word: &&str| {
            let known = all.clone().flat_map(|literal| literal.split_whitespace());
            let types = self.vocabulary.types.iter().map(String::as_str);
            is_object(word) || nearest(word, known.chain(types).chain(["the"])).is_some()
        };
        rest.iter().any(is_object)
            && (rest.iter().all(is_object) || self.like(first).is_some() && rest.iter().all(is_known))
    }

    fn action_names(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.actions.iter().map(|action| action.name.as_str())
    }

    /// Returns the name or the first word of the sentence of an action that is like a word.
    fn like(&self, word: &str) -> Option<&str> {
        let verbs = self.actions.templates.iter().filter_map(|template| {
            let literal = template.literals.first()?;
            literal.split(' ').find(|word| !word.is_empty())
        });
        nearest(word, verbs.chain(self.action_names()))
    }

    /// Returns the fault that a text names no action.
    fn unknown(&self, text: &str, is_term: bool) -> AnswerError {
        if is_term {
            let mut words = text.split(|c: char| c.is_whitespace() || "(),_".contains(c));
            let word = words.find(|word| !word.is_empty()).unwrap_or(text);
            let message = format!("there is no action `{word}`");
            return AnswerError::new(AnswerFault::UnknownAction, message)
                .suggesting(nearest(word, self.action_names()));
        }
        let mut words = text.split(|c: char| c.is_whitespace() || c == '(');
        let suggestion = self.like(words.next().unwrap_or_default());
        let shown: String = text.chars().take(80).collect();
        let message = format!("no action is written `{shown}`");
        AnswerError::new(AnswerFault::UnknownAction, message).suggesting(suggestion)
    }

    /// Explains why a text that agrees with the sentence of an action is no action.
    fn fault_of(&self, at: usize, contents: &[(&Slot, &str)]) -> AnswerError {
        let index = &self.levels[1];
        let symbol = &self.vocabulary.actions[at];
        for (slot, content) in contents {
            let Slot::Argument(argument) = slot else {
                continue;
            };
            let parameter = &symbol.parameters[*argument];
            let Some(&object) = index.objects(content).first() else {
                let fitting = self.vocabulary.objects.iter().zip(&self.phrases);
                let fitting = fitting.filter(|(object, _)| parameter.takes(object));
                let names = fitting.flat_map(|(object, phrase)| [phrase.as_str(), object.name.as_str()]);
                let message = format!("there is no object `{content}` here");
                return AnswerError::new(AnswerFault::UnknownObject, message)
                    .suggesting(nearest(content, names));
            };
            let object = &self.vocabulary.objects[object as usize];
            if !parameter.takes(object) {
                let given: Vec<_> = contents
                    .iter()
                    .filter_map(|(slot, content)| match slot {
                        Slot::Argument(argument) => Some((*argument, *content)),
                        Slot::Value(_) => None,
                    })
                    .collect();
                let mut words = vec![""; symbol.parameters.len()];
                for (argument, content) in given {
                    let known = index.objects(content).first();
                    words[argument] =
                        known.map_or(content, |&at| self.vocabulary.objects[at as usize].name.as_str());
                }
                let fault = self.fitted(at, &words, None);
                if let Err(fault) = fault {
                    return fault;
                }
            }
        }
        AnswerError::new(
            AnswerFault::UnknownAction,
            format!("this is not how `{}` is written", symbol.name),
        )
    }
}
