//! The grades of a class: several sets of answers to the same questions.

use std::fmt::Write as _;

use serde::Serialize;

use crate::kind::Kind;
use crate::question::Question;
use crate::report::{Grades, Score, escaped, page};

/// The grades of several students for the same questions. [`new`](Self::new) makes it of the [`Grades`] of each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClassGrades {
    /// The students, in the order given.
    pub students: Vec<StudentGrades>,
    /// The questions, in their order.
    pub questions: Vec<QuestionPoints>,
}

/// The grades of one student. [`ClassGrades::students`] lists them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudentGrades {
    /// The name of the student.
    pub student: String,
    /// The grades.
    #[serde(flatten)]
    pub grades: Grades,
}

/// How many students answered a question right. [`ClassGrades::questions`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QuestionPoints {
    /// The name of the question.
    pub id: String,
    /// The kind of the question.
    pub kind: Kind,
    /// The number of students who answered it right.
    pub right: usize,
}

impl ClassGrades {
    /// Collects the grades of students. All are for these questions.
    #[must_use]
    pub fn new(questions: &[Question], students: Vec<StudentGrades>) -> Self {
        let right = |at: usize| {
            let verdicts = students.iter().filter_map(|one| one.grades.verdicts.get(at));
            verdicts.filter(|verdict| verdict.right).count()
        };
        let questions = questions.iter().enumerate();
        Self {
            questions: questions
                .map(|(at, question)| QuestionPoints {
                    id: question.id.clone(),
                    kind: question.kind,
                    right: right(at),
                })
                .collect(),
            students,
        }
    }

    /// Returns the kinds of the questions, in the order of [`Kind::ALL`].
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let has = |kind: &Kind| self.questions.iter().any(|question| question.kind == *kind);
        Kind::ALL.into_iter().filter(has).collect()
    }

    /// Returns the numbers of the questions that fewest students answered right, from 1, at most `most` of them. Questions that
    /// all students answered right are left out.
    #[must_use]
    pub fn hardest(&self, most: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (1..=self.questions.len()).collect();
        let right = |number: &usize| self.questions[number - 1].right;
        numbers.retain(|number| right(number) < self.students.len());
        numbers.sort_by_key(right);
        numbers.truncate(most);
        numbers
    }

    /// Returns a table as CSV: a line for each student with the points, one for each right answer, the points for each kind
    /// and for each question. The last line has the points that are possible.
    #[must_use]
    pub fn csv(&self) -> String {
        let kinds = self.kinds();
        let mut text = "student,right,questions,mean,blank,unread".to_owned();
        for kind in &kinds {
            let _ = write!(text, ",{kind}");
        }
        for number in 1..=self.questions.len() {
            let _ = write!(text, ",{number}");
        }
        text.push('\n');
        let mut line = |name: &str, total: &Score, blank: usize, kinds: Vec<usize>, questions: Vec<usize>| {
            let _ = write!(
                text,
                "{},{},{},{:.4},{blank},{}",
                quoted(name),
                total.right,
                total.answers,
                total.mean,
                total.unread
            );
            for points in kinds.into_iter().chain(questions) {
                let _ = write!(text, ",{points}");
            }
            text.push('\n');
        };
        for StudentGrades { student, grades } in &self.students {
            let of_kind = |kind: &Kind| grades.kinds.get(kind).map_or(0, |score| score.right);
            let points = grades.verdicts.iter().map(|verdict| usize::from(verdict.right));
            line(
                student,
                &grades.total,
                grades.blank,
                kinds.iter().map(of_kind).collect(),
                points.collect(),
            );
        }
        let count = self.questions.len();
        let possible = Score {
            answers: count,
            right: count,
            mean: 1.0,
            ..Score::default()
        };
        let of_kind = |kind: &Kind| {
            self.questions
                .iter()
                .filter(|question| question.kind == *kind)
                .count()
        };
        line(
            "(possible)",
            &possible,
            0,
            kinds.iter().map(of_kind).collect(),
            vec![1; count],
        );
        text
    }

    /// Returns the grades as an HTML page, complete with its own style: a table of the students and one of the questions, which
    /// are these, and then the wrong answers of each student, on a page of their own when printed.
    #[must_use]
    pub fn html(&self, questions: &[Question]) -> String {
        let kinds = self.kinds();
        let mut text =
            "<table class=\"class\"><tr><th>student</th><th>right</th><th>mean</th><th>blank</th>".to_owned();
        for kind in &kinds {
            let _ = write!(text, "<th>{kind}</th>");
        }
        text.push_str("<th>lines not graded</th>");
        text.push_str("</tr>\n");
        for StudentGrades { student, grades } in &self.students {
            let Score {
                right, answers, mean, ..
            } = grades.total;
            let _ = write!(
                text,
                "<tr><td>{}</td><td>{right}/{answers}</td><td>{mean:.3}</td><td>{}</td>",
                escaped(student),
                grades.blank
            );
            for kind in &kinds {
                let score = grades.kinds.get(kind).copied().unwrap_or_default();
                let _ = write!(text, "<td>{}/{}</td>", score.right, score.answers);
            }
            let _ = writeln!(text, "<td>{}</td></tr>", grades.odd_lines);
        }
        text.push_str(
            "</table>\n<h2>Questions</h2>\n<table class=\"words\"><tr><th>number</th><th>question</th><th>right</th></tr>\n",
        );
        for (number, QuestionPoints { kind, right, .. }) in (1..).zip(&self.questions) {
            let _ = writeln!(
                text,
                "<tr><td>{number}</td><td>{}</td><td>{right} of {}</td></tr>",
                kind.title(),
                self.students.len()
            );
        }
        text.push_str("</table>\n");
        for StudentGrades { student, grades } in &self.students {
            let Score { right, answers, .. } = grades.total;
            let _ = writeln!(
                text,
                "<section><h2>{}</h2>\n<p>{right} of {answers} right, {} left blank</p>",
                escaped(student),
                grades.blank
            );
            text += &grades.wrong_answers(questions);
            text.push_str("</section>\n");
        }
        page(&text)
    }
}

/// Returns a text as a cell of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
