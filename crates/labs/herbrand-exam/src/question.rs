//! Questions as they are stored.

use serde::{Deserialize, Serialize};

use crate::kind::{Form, Kind};

/// A question with its answer: one line of a file of questions. [`make`](crate::make) makes them. All fields are always
/// present with the same type, so that loaders of tables can read the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The name of the question, unique in its file.
    pub id: String,
    /// The kind of the question.
    pub kind: Kind,
    /// How it is answered.
    pub form: Form,
    /// The bundled domain, or the [name](crate::OwnDomain::name) of a domain of one's own.
    pub domain: String,
    /// The seed, size and index from which [`Generator`](herbrand_generate::Generator) makes the problem; its start
    /// state may be replaced by another one. For problems that are not generated, the size is the number of the bundled
    /// instance or of one's own problem.
    pub problem: ProblemSeed,
    /// Whether all names are replaced by invented ones.
    pub obfuscated: bool,
    /// The text to answer, with the problem, the choices and the form of the answer.
    pub question: String,
    /// The texts of the four choices; empty for other forms.
    pub choices: Vec<String>,
    /// The right answer: `yes`, `no`, a letter from `A`, a number, or actions in PDDL separated by line breaks. For
    /// [`Form::Action`] and [`Form::Plan`] it is one of several right answers.
    pub answer: String,
    /// All right answers in PDDL for [`Form::Action`]; empty for other forms.
    pub accepted: Vec<String>,
    /// How hard the question is.
    pub difficulty: Difficulty,
    /// The question in the planning language.
    pub subject: Subject,
    /// The planning language of the texts below.
    pub language: Language,
    /// The domain.
    pub domain_text: String,
    /// The problem or the instance, with the start state of the question.
    pub problem_text: String,
    /// The table of sentences of a domain of one's own; empty for bundled domains.
    pub sentences: String,
    /// The settings of a domain of one's own, with its picture; empty for bundled domains.
    #[serde(default)]
    pub settings: String,
}

impl Question {
    /// Returns whether the question states its problem in PDDL.
    pub(crate) fn is_in_pddl(&self) -> bool {
        self.question.contains("(define (domain ")
    }
}

/// The language in which the domain and the problem of a question are stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// PDDL, and PPDDL in domains with chance.
    Pddl,
    /// RDDL.
    Rddl,
}

/// The arguments of [`Generator::generate`](herbrand_generate::Generator::generate).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProblemSeed {
    /// The seed.
    pub seed: u64,
    /// The size.
    pub size: u32,
    /// The index.
    pub index: u64,
}

/// How hard a question is, measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Difficulty {
    /// The number of actions in a shortest plan from the start state; 0 if it is not known.
    pub length: u32,
    /// The number of states that A* with landmark cuts expands to find one; 0 if it was not run.
    pub expanded: u64,
    /// The number of objects.
    pub objects: u32,
    /// The number of actions in the question.
    pub steps: u32,
    /// The number of reachable states; 0 if there are too many to be counted.
    pub states: u32,
}

/// A question in the planning language, from which the answer can be computed with the problem. The kind determines the
/// fields in use. In RDDL, an action is a joint action, such as `go-up(e1), open-doors(e2)`, or `noop` for none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Subject {
    /// The actions of the plan, or the actions taken first.
    pub actions: Vec<String>,
    /// The facts, actions, numbers or problems among which to choose, or the facts that are asked about.
    pub options: Vec<String>,
    /// For `why-not`, the fact that does not hold; for `rddl-why-not`, the action that is not valid; for `probability` and
    /// `rddl-probability`, the fact; for `rddl-after`, the number, or empty if facts are the options. Otherwise empty.
    pub about: String,
    /// For `gap`, the number of actions before the gap. For `rddl-why-not`, 1 if the options are actions to be left
    /// out, and 0 if they are values of fluents. Otherwise 0.
    pub step: u32,
}

/// The right answer of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// See [`Question::answer`].
    pub answer: String,
    /// See [`Question::accepted`].
    pub accepted: Vec<String>,
}

impl Solution {
    pub(crate) fn only(answer: impl Into<String>) -> Self {
        Self {
            answer: answer.into(),
            accepted: Vec::new(),
        }
    }

    pub(crate) fn yes(is_so: bool) -> Self {
        Self::only(if is_so { "yes" } else { "no" })
    }

    pub(crate) fn letter(index: usize) -> Self {
        Self::only(letter(index).to_string())
    }
}

/// Returns the letter of a choice, from `A`.
pub(crate) fn letter(index: usize) -> char {
    (b'A'..=b'Z').nth(index).map_or('?', char::from)
}
