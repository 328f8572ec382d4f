//! Facts and actions in the syntax of a planning language.

/// The syntax of facts and actions. [`TextVocabulary::syntax`](crate::TextVocabulary::syntax) says which one a problem has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// PDDL: `(stack a b)`. Names are in lower case.
    Pddl,
    /// RDDL: `order___apple=5`.
    Rddl,
}

/// A fact or an action by name, such as `(stack a b)`, or `order___apple=5` with a value.
/// [`parse`](Self::parse) reads one, and [`text`](Self::text) writes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TextTerm {
    /// The name of the predicate, fluent or action.
    pub name: String,
    /// The names of the arguments.
    pub arguments: Vec<String>,
    /// The value as text; `None` for true.
    pub value: Option<String>,
}

impl TextTerm {
    /// Parses a fact or an action, such as `(stack a b)`, `(fuel t) = 5`, `order___apple` and `order___apple=5`. Names
    /// are not checked, and case is kept. `None` if the text has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (head, value) = match text.rsplit_once('=') {
            Some((head, value)) => (head.trim(), Some(value.trim())),
            None => (text, None),
        };
        let (name, arguments): (&str, Vec<&str>) = match head.strip_prefix('(') {
            Some(rest) => {
                let mut words = rest.strip_suffix(')')?.split_whitespace();
                (words.next()?, words.collect())
            }
            None => match head.split_once("___") {
                Some((name, arguments)) => (name, arguments.split("__").collect()),
                None => (head, Vec::new()),
            },
        };
        let is_word = |word: &str| {
            !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "(),;".contains(c))
        };
        let words = std::iter::once(name)
            .chain(arguments.iter().copied())
            .chain(value);
        words.into_iter().all(is_word).then(|| Self {
            name: name.to_owned(),
            arguments: arguments.into_iter().map(str::to_owned).collect(),
            value: value.map(str::to_owned),
        })
    }

    /// Writes the action as the language does, in the form that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn text(&self, syntax: Syntax) -> String {
        let head = match syntax {
            Syntax::Pddl => {
                let mut words = vec![self.name.as_str()];
                words.extend(self.arguments.iter().map(String::as_str));
                format!("({})", words.join(" "))
            }
            Syntax::Rddl if self.arguments.is_empty() => self.name.clone(),
            Syntax::Rddl => format!("{}___{}", self.name, self.arguments.join("__")),
        };
        match (&self.value, syntax) {
            (None, _) => head,
            (Some(value), Syntax::Pddl) => format!("{head} = {value}"),
            (Some(value), Syntax::Rddl) => format!("{head}={value}"),
        }
    }
}
