//! Questions and their answers on sheets of paper.

use std::fmt::Write as _;

use herbrand_core::Digest;
use herbrand_env::{ActionMode, ProblemFile, StatePicture, Suite, SuiteFiles};
use herbrand_pddl::Source;
use herbrand_render::scene::SceneElement;
use herbrand_render::{Moment, Theme};

use crate::kind::{Form, Kind};
use crate::phrases::{Phrases, Style, bundled_file};
use crate::question::{Language, Question, letter};
use crate::reason::{models, question_wording, reason, right_answer};
use crate::report::escaped;

/// The format of a printable sheet. [`question_sheet`] and [`answer_sheet`] write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SheetFormat {
    /// A page of HTML, complete with its own style. No question is split between two pages of paper if it fits on one, and
    /// neither is the statement of its problem.
    Html,
    /// Markdown, with the text of each question in a code block.
    Markdown,
}

/// A question in the parts that a sheet has.
struct Parts {
    /// The actions of the domain.
    rules: String,
    /// The objects, the start and the goal.
    situation: String,
    /// The question itself, without choices.
    asked: String,
    /// The picture of the start in HTML; empty if the domain declares none.
    picture: String,
}

/// Returns a sheet for students: the rules of each domain once, and then the numbered questions with room for the answers. A
/// problem that several questions share is stated before the first of them. In HTML, it has a picture if its domain declares
/// one.
#[must_use]
pub fn question_sheet(questions: &[Question], format: SheetFormat) -> String {
    let parts: Vec<Parts> = questions.iter().map(parts).collect();
    let mut rules: Vec<(&str, String)> = Vec::new();
    let mut situations: Vec<(u64, usize)> = Vec::new();
    let (mut domains, mut list) = (String::new(), String::new());
    for (number, (question, parts)) in (1..).zip(questions.iter().zip(&parts)) {
        let title = match rules.iter().find(|(known, _)| *known == parts.rules) {
            Some((_, title)) => title.clone(),
            None => {
                let same = rules
                    .iter()
                    .filter(|(_, title)| title.split(", ").next() == Some(&question.domain));
                let title = match same.count() {
                    0 => question.domain.clone(),
                    before => format!("{}, variant {}", question.domain, before + 1),
                };
                if !parts.rules.is_empty() {
                    domains += &domain_block(&title, question, &parts.rules, format);
                }
                rules.push((&parts.rules, title.clone()));
                title
            }
        };
        let key = Digest::of_text(&format!("{}\n{}", parts.rules, parts.situation));
        let first = situations
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, first)| *first);
        if first.is_none() {
            situations.push((key, number));
        }
        list += &question_block(number, &title, question, parts, first, format);
    }
    let count = questions.len();
    match format {
        SheetFormat::Html => format!(
            "{}<p class=\"name\">Name <span></span> Points <span></span> of {count}</p>\n<p>{HOW}</p>\n\
             {domains}{list}</html>\n",
            head("Questions")
        ),
        SheetFormat::Markdown => format!("# Questions\n\n{HOW}\n{domains}{list}"),
    }
}

/// How answers are written in a file.
const HOW: &str = "Answers in a file have the number of the question before them, such as “3. B”, one a line. The steps of a plan are \
                   in one line, with semicolons between them, or in indented lines below the number.";

/// Returns the right answers of the questions with the same numbers as on the [`question_sheet`], and the reasons if they can
/// be stated in a sentence: why a plan fails, and why each wrong choice is wrong.
#[must_use]
pub fn answer_sheet(questions: &[Question], format: SheetFormat) -> String {
    let mut sheet = match format {
        SheetFormat::Html => head("Answers"),
        SheetFormat::Markdown => "# Answers\n".to_owned(),
    };
    for (number, question) in (1..).zip(questions) {
        let mut text = right_answer(question);
        let reasons = reasons(question);
        if !reasons.is_empty() {
            text += &format!("\n\n{}", reasons.join("\n"));
        }
        // Writing to a string cannot fail.
        let _ = match format {
            SheetFormat::Html => writeln!(
                sheet,
                "<section><h2>Question {number} <small>{}</small></h2>\n<pre>{}</pre></section>",
                escaped(&question.id),
                escaped(&text)
            ),
            SheetFormat::Markdown => writeln!(
                sheet,
                "\n## Question {number}\n\n```text\n{text}\n```\n\n`{}`",
                question.id
            ),
        };
    }
    sheet
}

/// Returns the beginning of a page.
fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n<style>@page {{ size: A4; margin: \
         16mm; }} body {{ font: 10.5pt/1.35 sans-serif; max-width: 48em; margin: auto; }} h1 {{ font-size: 16pt; margin: 0; }} \
         h2 {{ font-size: 12pt; margin: 0 0 .3em; break-after: avoid; }} section {{ border-top: 1px solid #999; padding: .7em 0 \
         1em; }} .whole, pre, dd {{ break-inside: avoid; overflow: hidden; }} pre {{ white-space: pre-wrap; font: inherit; margin: .3em \
         0; }} pre.code {{ font: 7.5pt/1.25 monospace; columns: 2; break-inside: auto; }} .facts {{ columns: 13em 3; font-size: 9pt; \
         margin: .2em 0 .5em; padding: 0; }} .facts li {{ break-inside: avoid; margin-left: 1.2em; }} .short {{ columns: auto; \
         list-style: none; }} .short li {{ display: inline-block; margin: 0 1.5em 0 0; }} dl {{ font-size: 9.5pt; margin: .2em 0; }} \
         dt {{ font-weight: bold; margin-top: .3em; break-after: avoid; }} dd {{ margin-left: 1.5em; }} small {{ color: #666; \
         font-weight: normal; font-size: 8pt; }} .picture {{ float: right; margin: 0 0 .5em 1em; }} .picture svg {{ max-width: 7.5cm; \
         max-height: 6cm; width: auto; height: auto; }} .wide {{ float: none; margin: .5em 0; }} .wide svg {{ max-width: 100%; \
         max-height: 5cm; }} .room {{ margin: .8em 0 .4em; }} .room span, .name span {{ display: inline-block; width: 12em; \
         border-bottom: 1px solid #666; }} .room p {{ margin: .3em 0; }} .row p {{ display: inline-block; margin-right: 2em; }} .steps \
         {{ columns: 2; }} .steps p {{ height: 2.2em; margin: 0; }} .steps span {{ width: 85%; }} .name {{ text-align: right; }} @media \
         screen and (max-width: 600px) {{ body {{ margin: 1em; }} .picture {{ float: none; margin: .5em 0; }} .picture svg {{ max-width: \
         100%; max-height: none; }} .steps, pre.code {{ columns: auto; }} }}</style><meta name=\"viewport\" \
         content=\"width=device-width\">\n<h1>{title}</h1>\n"
    )
}

/// Returns the rules of a domain.
fn domain_block(title: &str, question: &Question, rules: &str, format: SheetFormat) -> String {
    match format {
        SheetFormat::Html => format!(
            "<section><h2>Domain: {}</h2>\n{}</section>\n",
            escaped(title),
            if is_code(question) {
                code(rules)
            } else {
                definitions(rules)
            }
        ),
        SheetFormat::Markdown => format!("\n## Domain: {title}\n\n```text\n{}\n```\n", rules.trim_end()),
    }
}

/// Returns whether a question states its problem in a planning language.
fn is_code(question: &Question) -> bool {
    question.language == Language::Rddl || question.is_in_pddl()
}

/// Returns a text in a planning language in HTML.
fn code(text: &str) -> String {
    format!("<pre class=\"code\">{}</pre>\n", escaped(text.trim_end()))
}

/// Returns actions and axioms, such as `- walk\n  needs: …\n  then: …`, in HTML.
fn definitions(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.is_empty());
    let lines = lines.map(|line| match line.strip_prefix("- ") {
        Some(name) => format!("<dt>{}</dt>\n", escaped(name)),
        None => format!("<dd>{}</dd>\n", escaped(line.trim())),
    });
    format!("<dl>\n{}</dl>\n", lines.collect::<String>())
}

/// Returns a question with its problem, or with the number of the first question about the same problem, and room for the answer.
fn question_block(
    number: usize,
    title: &str,
    question: &Question,
    parts: &Parts,
    first: Option<usize>,
    format: SheetFormat,
) -> String {
    let same = first.map(|first| format!("The problem is that of question {first}."));
    let choices = (0..)
        .zip(&question.choices)
        .map(|(at, choice)| (letter(at), choice));
    if format == SheetFormat::Markdown {
        let choices: String = choices
            .map(|(letter, choice)| format!("\n{letter}. {choice}"))
            .collect();
        let problem = same.as_ref().unwrap_or(&parts.situation).trim_end();
        let problem = if problem.is_empty() {
            String::new()
        } else {
            format!("{problem}\n\n")
        };
        let asked = &parts.asked;
        return format!("\n## Question {number} ({title})\n\n```text\n{problem}{asked}{choices}\n```\n");
    }
    let situation = match parts.situation.as_str() {
        "" => String::new(),
        text if is_code(question) => code(text),
        text => lists(text),
    };
    // The problem and the question are two blocks, between which a page may end, so that the number is repeated.
    let problem = match same {
        Some(same) => format!("<p>{same}</p>\n<pre>"),
        None => format!(
            "{}{situation}</div>\n<div class=\"whole\"><pre><b>Question {number}:</b> ",
            parts.picture
        ),
    };
    // A few words each: in one line.
    let is_short =
        question.form == Form::Choice && question.choices.iter().all(|choice| choice.chars().count() <= 16);
    let room = match question.form {
        Form::YesNo => "<p>☐ yes &emsp; ☐ no</p>".to_owned(),
        Form::Choice => choices
            .map(|(letter, choice)| format!("<p>☐ {letter}. {}</p>", escaped(choice)))
            .collect(),
        Form::Number => "<p>Number: <span></span></p>".to_owned(),
        Form::Action => "<p>Action: <span style=\"width: 80%\"></span></p>".to_owned(),
        // The number of lines must not tell the length of a plan.
        Form::Plan => {
            let lines = (question.difficulty.length as usize + 2).next_multiple_of(6);
            let lines = (1..=lines).map(|line| format!("<p>{line}. <span></span></p>"));
            room_for("steps", &lines.collect::<String>())
        }
    };
    format!(
        "<section><h2>Question {number} <small>{}</small></h2>\n<div class=\"whole\">{problem}{}</pre>\n{}</div></section>\n",
        escaped(title),
        escaped(&parts.asked),
        room_for(if is_short { "row" } else { "" }, &room)
    )
}

/// Returns the room for an answer.
fn room_for(class: &str, lines: &str) -> String {
    format!("<div class=\"room {class}\">{lines}</div>\n")
}

/// Returns paragraphs and lists, such as `These are the objects:\n- a\n- b`, in HTML with compact lists. The first list,
/// the objects, is in one line.
fn lists(text: &str) -> String {
    let (mut html, mut is_list) = (String::new(), false);
    for line in text.lines().filter(|line| !line.is_empty()).chain([""]) {
        let item = line.strip_prefix("- ");
        if item.is_some() != is_list {
            let class = if html.contains("<ul") {
                "facts"
            } else {
                "facts short"
            };
            html += &if is_list {
                "</ul>\n".to_owned()
            } else {
                format!("<ul class=\"{class}\">\n")
            };
            is_list = !is_list;
        }
        // Writing to a string cannot fail.
        let _ = match item {
            Some(item) => writeln!(html, "<li>{}</li>", escaped(item)),
            None => writeln!(html, "{}", escaped(line)),
        };
    }
    html
}

/// Returns the parts of a question. If its text is not as this program writes it, all of it is asked.
fn parts(question: &Question) -> Parts {
    let (rules, situation) = stated(question).unwrap_or_default();
    let context = if situation.is_empty() {
        String::new()
    } else {
        format!("{rules}\n{situation}")
    };
    let text = question.question.as_str();
    let (rules, situation, asked) = match text.strip_prefix(&context) {
        Some(asked) => (rules, situation, asked),
        None => (String::new(), String::new(), text),
    };
    let asked = asked.rsplit_once("\n\nAnswer ").map_or(asked, |(asked, _)| asked);
    let first = question
        .choices
        .first()
        .and_then(|first| asked.rfind(&format!("\nA. {first}")));
    Parts {
        asked: asked[..first.unwrap_or(asked.len())].trim().to_owned(),
        picture: if situation.is_empty() {
            String::new()
        } else {
            picture(question).unwrap_or_default()
        },
        rules,
        situation,
    }
}

/// Returns the rules of the domain and the problem, as the question states them.
fn stated(question: &Question) -> Option<(String, String)> {
    if question.language == Language::Rddl {
        let [domain, instance] = [&question.domain_text, &question.problem_text].map(|text| text.trim_end());
        return Some((format!("{domain}\n"), instance.to_owned()));
    }
    let (domain, problem) = models(question).ok()?;
    if question.is_in_pddl() {
        let (domain_text, problem_text) = (domain.to_pddl(), problem.to_pddl(&domain));
        return Some((
            format!("{}\n", domain_text.trim_end()),
            problem_text.trim_end().to_owned(),
        ));
    }
    let wording = question_wording(question, &domain, &problem).ok()?;
    let phrases = Phrases::new(&domain, &problem, wording, Style::Text);
    Some((phrases.rules(), phrases.situation()))
}

/// Draws the start of a question in HTML, if its domain declares a picture. The parts of the goal are marked, but not listed: the text
/// has them in sentences.
fn picture(question: &Question) -> Option<String> {
    if question.obfuscated || question.language == Language::Rddl {
        return None;
    }
    let settings = match question.settings.as_str() {
        "" => bundled_file(&question.domain, "env.toml")?,
        text => Source::new("env.toml", text),
    };
    let files = SuiteFiles {
        name: question.domain.clone(),
        domain: Source::new("domain.pddl", &question.domain_text),
        config: Some(settings),
        problems: vec![ProblemFile {
            split: None,
            name: String::new(),
            source: Source::new("problem.pddl", &question.problem_text),
        }],
    };
    let suite = Suite::new(files, ActionMode::Operators).ok()?;
    suite.config().render.as_ref()?;
    let planning = suite.engine(0).ok()?;
    let picture = StatePicture::of(&suite, 0, &planning).ok()?;
    let moment = picture.moment(&planning);
    let mut scene = picture.scene_of(&moment);
    let without = picture.scene_of(&Moment {
        goal: Vec::new(),
        ..moment
    });
    if let Some(side) = scene.side.take() {
        // The column has the same place in both.
        let column = without.side.filter(|other| other.below.0 == side.below.0);
        let column = column.map(|column| without.elements[column.elements].to_vec());
        scene.elements.splice(side.elements, column.unwrap_or_default());
        let frames = || scene.elements.iter().map(SceneElement::frame);
        let (right, low) = (
            frames().map(|frame| frame.x + frame.width),
            frames().map(|frame| frame.y + frame.height),
        );
        (scene.width, scene.height) = (right.fold(0.0, f64::max) + EDGE, low.fold(0.0, f64::max) + EDGE);
    }
    let class = if scene.width > 2.0 * scene.height {
        "picture wide"
    } else {
        "picture"
    };
    Some(format!(
        "<div class=\"{class}\">{}</div>\n",
        scene.to_svg(Theme::Light)
    ))
}

/// The room around a picture in pixels.
const EDGE: f64 = 10.0;

/// Returns sentences that say why the answer is right, or why the other choices are wrong.
fn reasons(question: &Question) -> Vec<String> {
    match question.kind {
        Kind::PlanValid | Kind::PlanFailure => reason(question, &question.answer).into_iter().collect(),
        _ => {
            let letters = (0..question.choices.len()).map(|at| letter(at).to_string());
            let wrong = letters.filter(|letter| *letter != question.answer);
            wrong
                .filter_map(|letter| Some(format!("Not {letter}: {}", reason(question, &letter)?)))
                .collect()
        }
    }
}
