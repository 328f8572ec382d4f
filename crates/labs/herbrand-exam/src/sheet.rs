//! A problem with questions about it.

use herbrand_core::Digest;
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};

use crate::ask::{ask, ask_rddl};
use crate::check::Checker;
use crate::draft::Draft;
use crate::error::ExamError;
use crate::kind::Kind;
use crate::options::ExamOptions;
use crate::phrases::{Phrases, wording};
use crate::question::{Difficulty, Language, ProblemSeed, Question};

/// A problem with the questions that are drawn about it. [`finish`](Self::finish) writes and checks them.
pub(crate) struct Sheet {
    pub(crate) domain: String,
    pub(crate) problem: ProblemSeed,
    /// The difficulty of all questions, without their steps.
    pub(crate) difficulty: Difficulty,
    pub(crate) domain_text: String,
    pub(crate) problem_text: String,
    /// The table of sentences and the settings of a domain of one's own; empty for bundled domains.
    pub(crate) tables: [String; 2],
    pub(crate) stated: Stated,
    pub(crate) asked: Vec<Asked>,
}

/// The models from which the words of the questions come.
pub(crate) enum Stated {
    Pddl(Box<(Domain, Problem)>),
    Rddl,
}

/// A question on a sheet.
pub(crate) struct Asked {
    pub(crate) kind: Kind,
    pub(crate) draft: Draft,
    /// Which of the listed answers is right.
    pub(crate) target: u32,
}

impl Asked {
    pub(crate) const fn new(kind: Kind, draft: Draft) -> Self {
        Self {
            kind,
            draft,
            target: 0,
        }
    }
}

impl Sheet {
    /// Returns a digest of the problem.
    pub(crate) fn digest(&self) -> u64 {
        Digest::of_text(&self.problem_text)
    }

    /// Writes the questions with their answers, and computes each answer by the second route too.
    pub(crate) fn finish(self, options: &ExamOptions, budget: &Budget) -> Result<Vec<Question>, ExamError> {
        if self.asked.is_empty() {
            return Ok(Vec::new());
        }
        let language = match &self.stated {
            Stated::Pddl(_) => Language::Pddl,
            Stated::Rddl => Language::Rddl,
        };
        let checker = Checker::new(language, &self.domain_text, &self.problem_text)?;
        let phrases = match &self.stated {
            Stated::Pddl(models) => {
                let (domain, problem) = &**models;
                let wording = wording(&self.domain, &self.tables[0], options.obfuscated, domain, problem)?;
                Some((domain, Phrases::new(domain, problem, wording, options.style)))
            }
            Stated::Rddl => None,
        };
        let mut questions = Vec::new();
        let [sentences, settings] = &self.tables;
        for Asked { kind, draft, target } in self.asked {
            let (subject, solution) = draft.with_answer(target);
            let (text, choices) = match &phrases {
                Some((domain, phrases)) => ask(kind, &subject, phrases, domain)?,
                None => ask_rddl(kind, &subject, &self.domain_text, &self.problem_text),
            };
            let ProblemSeed { seed, size, index } = self.problem;
            let name = self.domain.trim_start_matches("rddl/").replace('/', "-");
            let question = Question {
                // Other options make other questions of one problem.
                id: format!(
                    "herbrand-{kind}-{name}-{size}-{seed}-{index}-{:08x}",
                    Digest::of_text(&format!("{}\n{text}", self.problem_text)) as u32
                ),
                kind,
                form: kind.form(),
                domain: self.domain.clone(),
                problem: self.problem,
                obfuscated: options.obfuscated,
                question: text,
                choices,
                answer: solution.answer,
                accepted: solution.accepted,
                difficulty: Difficulty {
                    steps: subject.actions.len() as u32,
                    ..self.difficulty
                },
                subject,
                language,
                domain_text: self.domain_text.clone(),
                problem_text: self.problem_text.clone(),
                sentences: sentences.clone(),
                settings: settings.clone(),
            };
            checker.confirm(&question)?;
            budget.check("making questions", 0)?;
            questions.push(question);
        }
        Ok(questions)
    }
}
