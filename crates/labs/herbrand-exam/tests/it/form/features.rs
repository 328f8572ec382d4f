//! The features of a question that a reader sees without understanding any of its words: lengths, positions, numbers,
//! and which words occur again elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_exam::{Form, Question};

/// The number of different features. Those with the same hash count as one.
pub(crate) const FEATURES: usize = 1 << 14;

/// The features of an answer, each with its value.
pub(crate) type Row = Vec<(usize, f64)>;

/// The measures of an answer by their names.
type Measures = BTreeMap<&'static str, f64>;

fn words(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| c.is_whitespace() || "(),;:?.`".contains(c));
    words.filter(|word| !word.is_empty()).collect()
}

fn shared(one: &BTreeSet<&str>, other: &BTreeSet<&str>) -> f64 {
    one.intersection(other).count() as f64
}

/// Returns the share of words that occur before.
fn repeated(text: &str) -> f64 {
    let words: Vec<_> = text.split_whitespace().collect();
    let again = (0..words.len())
        .filter(|&at| words[..at].contains(&words[at]))
        .count();
    again as f64 / words.len().max(1) as f64
}

/// The parts of the text of a question.
struct Parts<'q> {
    /// All before the question itself.
    context: &'q str,
    /// The numbered steps.
    steps: Vec<&'q str>,
    /// The items that the question is about.
    about: Vec<&'q str>,
    goal: &'q str,
}

fn parts(question: &Question) -> Parts<'_> {
    let text = &question.question;
    // The last part says how to answer. The question itself is the part before, without the choices at its end.
    let last = text.rfind("\n\n").unwrap_or(text.len());
    let choices = text[..last].find("\nA. ").unwrap_or(last);
    let end = text[..choices].rfind("\n\n").unwrap_or(0);
    let (context, asked) = (&text[..end], &text[end..choices]);
    let is_step = |line: &&str| {
        line.split_once(". ")
            .is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    Parts {
        context,
        steps: asked.lines().filter(is_step).collect(),
        about: asked.lines().filter(|line| line.starts_with("- ")).collect(),
        goal: context.rsplit_once("The goal: ").map_or("", |(_, goal)| goal),
    }
}

/// Returns what all answers of a question share, roughly: numbers that change what a measure means.
fn circumstances(question: &Question, parts: &Parts<'_>) -> Vec<String> {
    vec![
        String::new(),
        question.domain.clone(),
        format!("steps {}", parts.steps.len()),
        format!("objects {}", question.difficulty.objects / 2),
        format!("length {}", question.question.len() / 400),
    ]
}

/// Returns the features of each answer of a question; empty if answers are not listed.
pub(crate) fn rows(question: &Question) -> Vec<Row> {
    let parts = parts(question);
    let measures = match question.form {
        Form::YesNo => vec![of_question(question, &parts), Measures::new()],
        Form::Choice => of_choices(question, &parts),
        Form::Number => of_steps(&parts),
        Form::Action | Form::Plan => Vec::new(),
    };
    let circumstances = circumstances(question, &parts);
    measures.iter().map(|one| row(one, &circumstances)).collect()
}

/// Returns the index of the right answer in the list of [`rows`].
pub(crate) fn right(question: &Question) -> usize {
    match question.answer.as_str() {
        "yes" | "A" => 0,
        "no" | "B" => 1,
        "C" => 2,
        "D" => 3,
        number => number.parse::<usize>().map_or(0, |number| number - 1),
    }
}

/// Every measure counts as a number, and as a class: once without a circumstance, and once for each circumstance.
fn row(measures: &Measures, circumstances: &[String]) -> Row {
    let mut row = Row::new();
    for (name, &value) in measures {
        row.push((hash(&[name]), value.clamp(-8.0, 8.0) / 4.0));
        let class = format!("{:.0}", value.clamp(-8.0, 8.0) * 2.0);
        for circumstance in circumstances {
            row.push((hash(&[name, &class, circumstance]), 1.0));
        }
    }
    row
}

fn hash(texts: &[&str]) -> usize {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash >> 17) as usize % FEATURES
}

fn of_question(question: &Question, parts: &Parts<'_>) -> Measures {
    let steps = parts.steps.join("\n");
    let about = parts.about.join("\n");
    let goal = words(parts.goal);
    let neighbours: f64 = parts
        .steps
        .windows(2)
        .map(|pair| shared(&words(pair[0]), &words(pair[1])))
        .sum();
    let last = parts.steps.last().copied().unwrap_or("");
    let listed = parts
        .about
        .iter()
        .filter(|line| parts.context.contains(**line))
        .count();
    Measures::from([
        ("bias", 1.0),
        ("length", question.question.len() as f64 / 1_000.0),
        (
            "words",
            question.question.split_whitespace().count() as f64 / 200.0,
        ),
        ("steps", parts.steps.len() as f64 / 2.0),
        ("length of steps", steps.len() as f64 / 100.0),
        ("different words of steps", words(&steps).len() as f64 / 5.0),
        ("repeated words of steps", repeated(&steps) * 4.0),
        ("words that neighbours share", neighbours / 5.0),
        ("words that last step and goal share", shared(&words(last), &goal)),
        ("length of facts", about.len() as f64 / 20.0),
        ("words of facts", about.split_whitespace().count() as f64 / 4.0),
        ("repeated words of facts", repeated(&about) * 4.0),
        ("words that facts and goal share", shared(&words(&about), &goal)),
        ("listed facts", listed as f64),
        ("objects", f64::from(question.difficulty.objects) / 4.0),
    ])
}

fn of_choices(question: &Question, parts: &Parts<'_>) -> Vec<Measures> {
    let choices = &question.choices;
    let all: Vec<BTreeSet<&str>> = choices.iter().map(|choice| words(choice)).collect();
    let (goal, about) = (words(parts.goal), parts.about.join("\n"));
    let (about, steps) = (words(&about), parts.steps.join("\n"));
    let steps = words(&steps);
    let last = words(parts.steps.last().copied().unwrap_or(""));
    let numbers: Vec<f64> = choices.iter().map(|text| text.parse().unwrap_or(0.0)).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let rank = |values: &[f64], at: usize| values.iter().filter(|other| **other < values[at]).count() as f64;
    let lengths: Vec<f64> = choices.iter().map(|text| text.len() as f64).collect();
    let counts: Vec<f64> = all.iter().map(|words| words.len() as f64).collect();
    let spread =
        numbers.iter().copied().fold(f64::MIN, f64::max) - numbers.iter().copied().fold(f64::MAX, f64::min);
    (0..choices.len())
        .map(|at| {
            let own = &all[at];
            let others = || (0..choices.len()).filter(move |&other| other != at);
            let central: f64 = others().map(|other| shared(own, &all[other])).sum();
            let zeros = choices[at].len() - choices[at].trim_end_matches('0').len();
            let is_place = |place: usize| f64::from(u8::from(at == place));
            Measures::from([
                ("place 0", is_place(0)),
                ("place 1", is_place(1)),
                ("place 2", is_place(2)),
                ("length", (lengths[at] - mean(&lengths)) / 4.0),
                ("rank of length", rank(&lengths, at)),
                ("words", counts[at] - mean(&counts)),
                ("repeated words", repeated(&choices[at]) * 8.0),
                ("words shared with other choices", central / 3.0),
                ("number", numbers[at] * 2.0),
                ("rank of number", rank(&numbers, at)),
                (
                    "place of number",
                    4.0 * (numbers[at] - mean(&numbers)) / spread.max(1e-9),
                ),
                ("zeros at the end", zeros as f64),
                (
                    "is listed",
                    f64::from(u8::from(parts.context.contains(&choices[at]))),
                ),
                ("words shared with steps", shared(own, &steps)),
                ("words shared with last step", shared(own, &last)),
                ("words shared with goal", shared(own, &goal)),
                ("words shared with the fact", shared(own, &about)),
            ])
        })
        .collect()
}

fn of_steps(parts: &Parts<'_>) -> Vec<Measures> {
    let steps = &parts.steps;
    let text = |step: &'_ str| step.split_once(". ").map_or("", |(_, text)| text).to_owned();
    let texts: Vec<String> = steps.iter().map(|step| text(step)).collect();
    let all: Vec<BTreeSet<&str>> = texts.iter().map(|text| words(text)).collect();
    let mean = texts.iter().map(String::len).sum::<usize>() as f64 / texts.len().max(1) as f64;
    let goal = words(parts.goal);
    (0..texts.len())
        .map(|at| {
            let own = &all[at];
            let with = |other: Option<&BTreeSet<&str>>| other.map_or(0.0, |other| shared(own, other));
            let others = (0..texts.len()).filter(|&other| other != at);
            let central: f64 = others.clone().map(|other| shared(own, &all[other])).sum();
            let twins = others.filter(|&other| texts[other] == texts[at]).count();
            Measures::from([
                ("place", at as f64),
                ("from the end", (texts.len() - at) as f64),
                ("length", (texts[at].len() as f64 - mean) / 4.0),
                (
                    "words shared with the step before",
                    with(at.checked_sub(1).map(|before| &all[before])),
                ),
                ("words shared with the step after", with(all.get(at + 1))),
                ("words shared with other steps", central / 3.0),
                ("equal steps", twins as f64),
                ("repeated words", repeated(&texts[at]) * 8.0),
                ("words shared with goal", shared(own, &goal)),
                (
                    "is listed",
                    f64::from(u8::from(parts.context.contains(texts[at].as_str()))),
                ),
            ])
        })
        .collect()
}
