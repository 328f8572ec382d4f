//! Why there are too few questions of a kind.

use std::collections::BTreeMap;

use crate::error::{VISITED, VISITED_OWN};
use crate::kind::{Form, Kind, Topic};
use crate::options::ExamOptions;
use crate::question::{Language, Question};
use crate::world::STATES;

/// How often problems gave no question, by the step that failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Misses {
    /// Problems that are too large or have numbers.
    pub(crate) worlds: u32,
    /// Problems without a state with a shortest plan of an allowed length.
    pub(crate) lengths: u32,
    /// Start states from which A* expands too few or too many states.
    pub(crate) efforts: u32,
    /// Problems with too many states for a kind.
    pub(crate) spaces: BTreeMap<Kind, u32>,
    /// Problems that do not have what a kind needs.
    pub(crate) drafts: BTreeMap<Kind, u32>,
}

impl Misses {
    pub(crate) fn add(&mut self, other: &Self) {
        self.worlds += other.worlds;
        self.lengths += other.lengths;
        self.efforts += other.efforts;
        for (own, others) in [
            (&mut self.spaces, &other.spaces),
            (&mut self.drafts, &other.drafts),
        ] {
            for (&kind, count) in others {
                *own.entry(kind).or_default() += count;
            }
        }
    }

    /// Returns why no more questions of a kind can be made, and the option or input to change. `made` of them were made.
    pub(crate) fn reason(&self, kind: Kind, made: usize, options: &ExamOptions) -> String {
        let of = |counts: &BTreeMap<Kind, u32>| counts.get(&kind).copied().unwrap_or_default();
        let counts = [
            self.worlds,
            self.lengths,
            self.efforts,
            of(&self.spaces),
            of(&self.drafts),
        ];
        let most = counts.into_iter().max().unwrap_or_default();
        let own = options.own.is_some();
        let visited = if own { VISITED_OWN } else { VISITED };
        let (least, longest) = options.lengths;
        let reason = match counts.into_iter().position(|count| count == most && count > 0) {
            _ if made > 0 && most == 0 => "there are no other ones".to_owned(),
            Some(0) => "the problems are too large, or have numbers".to_owned(),
            Some(1) => format!(
                "few states have a shortest plan of {least} to {longest} actions; allow other lengths with --length"
            ),
            Some(2) => "few plans take A* as many states as --effort allows".to_owned(),
            Some(3) if kind.visits_all() => {
                format!("the problems have more than {visited} reachable states; give smaller ones")
            }
            Some(3) => format!("the problems have more than {STATES} reachable states; give smaller ones"),
            Some(_) => kind.need().to_owned(),
            None => kind.need().to_owned(),
        };
        let made = if made > 0 && most > 0 {
            "; the others would be the same again"
        } else {
            ""
        };
        let more = if own {
            "or give more problems"
        } else {
            "or allow more domains"
        };
        format!("{reason}{made}; leave the kind out, {more}")
    }
}

impl Kind {
    /// Returns what problems need for questions of this kind, as the reason why some give none.
    const fn need(self) -> &'static str {
        match self {
            Self::PlanValid => "no shortest plan of the problems fails if two of its steps are exchanged",
            Self::PlanFailure => {
                "a start needs four to seven steps, each with another action of its form that cannot be carried out then"
            }
            Self::Gap => "no plan of the problems fails without one of its steps",
            Self::Reachable => {
                "the problems lack pairs of facts that can hold together, or pairs of the same form that cannot"
            }
            Self::Landmark => {
                "the problems lack facts that hold in every plan, or facts of the same form that do not"
            }
            Self::NextAction => {
                "a start needs four valid actions of one form, such as moves of one thing, of which one begins a shortest plan"
            }
            Self::OptimalLength => {
                "the states of the problems have fewer than four lengths of shortest plans"
            }
            Self::SameProblem => "exchanging objects of one type gives too few different problems",
            Self::Probability => {
                "the facts of the problems have fewer than four probabilities after actions of one form"
            }
            Self::ExpectedReward => "the actions of the problems have fewer than four expected rewards",
            Self::Plan => "the goal cannot be reached, or holds at the start",
            _ if matches!(self.form(), Form::Choice) => {
                "the four choices have one form, so the problems need several objects of each role"
            }
            _ => "the problems do not have what these questions need",
        }
    }
}

/// Returns why no domain of these topics gives questions of a kind; `None` if one may.
pub(crate) fn refusal(kind: Kind, topics: &[Topic], options: &ExamOptions) -> Option<String> {
    let has = |topic: Topic| topics.contains(&topic);
    if options.effort.is_some() && kind.topic() != Topic::Plain {
        return Some("with --effort, there are no questions about chance or in RDDL".to_owned());
    }
    if has(kind.topic()) {
        return None;
    }
    let reason = match kind.topic() {
        Topic::Rddl => "these questions are about problems in RDDL, and the domains are in PDDL",
        _ if has(Topic::Rddl) => "these questions are about problems in PDDL, and the domains are in RDDL",
        Topic::Plain => "the domains have chance, and these questions are about domains without",
        Topic::Chance => "these questions are about domains with chance",
    };
    let kinds = Kind::ALL.into_iter().filter(|kind| has(kind.topic()));
    let kinds: Vec<_> = kinds.map(Kind::as_str).collect();
    Some(format!(
        "{reason}; the kinds for these domains are {}",
        kinds.join(", ")
    ))
}

/// Returns a sentence about the kinds that the domains could not give; `None` if kinds were asked for, or there are too few
/// questions to tell.
#[must_use]
pub fn missing_kinds(options: &ExamOptions, questions: &[Question]) -> Option<String> {
    let is_rddl = questions
        .iter()
        .all(|question| question.language == Language::Rddl);
    // A domain of one's own has the kinds of one language.
    let may_have = |kind: &Kind| options.own.is_none() || (kind.topic() == Topic::Rddl) == is_rddl;
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(may_have).collect();
    if !options.kinds.is_empty() || questions.len() < kinds.len() {
        return None;
    }
    let is_of_chance = |kind: &Kind| kind.topic() == Topic::Chance;
    let names = |kinds: Vec<Kind>| {
        kinds
            .iter()
            .map(|kind| kind.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    if questions.iter().all(|question| is_of_chance(&question.kind)) {
        let kinds = names(Kind::ALL.into_iter().filter(is_of_chance).collect());
        return Some(format!(
            "about domains with chance, there are only the kinds {kinds}"
        ));
    }
    let is_missing = |kind: &Kind| questions.iter().all(|question| question.kind != *kind);
    let missing: Vec<Kind> = kinds.into_iter().filter(is_missing).collect();
    (!missing.is_empty()).then(|| format!("these domains give no questions of kind {}", names(missing)))
}
