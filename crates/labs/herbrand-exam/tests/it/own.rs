//! Exams about a domain of one's own, their printed sheets, and the reasons that grades give.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use herbrand_exam::{
    ExamError, ExamOptions, Form, Kind, OwnDomain, Question, SheetFormat, answer_sheet, judge, make,
    question_sheet,
};
use herbrand_limits::Budget;
use herbrand_pddl::Source;

use crate::questions;

const DOMAIN: &str = "(define (domain post) (:requirements :strips :typing)
    (:types house letter - object)
    (:predicates (road ?a ?b - house) (carrier-at ?h - house) (lies ?l - letter ?h - house) (has ?l - letter))
    (:action walk :parameters (?a ?b - house)
     :precondition (and (carrier-at ?a) (road ?a ?b)) :effect (and (carrier-at ?b) (not (carrier-at ?a))))
    (:action take :parameters (?l - letter ?h - house)
     :precondition (and (carrier-at ?h) (lies ?l ?h)) :effect (and (has ?l) (not (lies ?l ?h))))
    (:action leave :parameters (?l - letter ?h - house)
     :precondition (and (carrier-at ?h) (has ?l)) :effect (and (lies ?l ?h) (not (has ?l)))))";

const PROBLEM: &str = "(define (problem round) (:domain post)
    (:objects h1 h2 h3 h4 - house l1 l2 l3 - letter)
    (:init (road h1 h2) (road h2 h1) (road h2 h3) (road h3 h2) (road h3 h4) (road h4 h3) (road h4 h1) (road h1 h4)
           (carrier-at h1) (lies l1 h1) (lies l2 h2) (lies l3 h3))
    (:goal (and (lies l1 h3) (lies l2 h4) (lies l3 h2))))";

const SENTENCES: &str = "[actions]\nwalk = \"stroll from {a} over to {b}\"\n";

fn own(domain: &str, problems: &[&str]) -> ExamOptions {
    ExamOptions {
        count: 24,
        own: Some(OwnDomain {
            name: "my/post".to_owned(),
            domain: domain.to_owned(),
            problems: problems.iter().map(|&text| text.to_owned()).collect(),
            sentences: Some(Source::new("domain.text.toml", SENTENCES)),
            settings: None,
        }),
        ..ExamOptions::default()
    }
}

/// Returns questions about the domain above.
fn post() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    let made = || make(&own(DOMAIN, &[PROBLEM]), &Budget::unlimited(), &|_| {});
    QUESTIONS.get_or_init(|| made().expect("the answers agree"))
}

#[test]
fn questions_are_about_the_domain_alone() {
    assert_eq!(post().len(), 24);
    let kinds: BTreeSet<_> = post().iter().map(|question| question.kind).collect();
    assert!(kinds.len() > 6 && kinds.contains(&Kind::Probability), "{kinds:?}");
    // The second route visits all of the 500 states.
    assert!(
        kinds.contains(&Kind::Landmark) && kinds.contains(&Kind::OptimalLength),
        "{kinds:?}"
    );
    for question in post() {
        assert_eq!(question.domain, "my/post");
        assert!(
            question.question.contains("stroll from "),
            "{}",
            question.question
        );
        assert!(!question.id.contains('/'), "{}", question.id);
    }
    let plan = post()
        .iter()
        .find(|question| question.form == Form::Plan)
        .expect("a plan");
    let sentences = plan
        .answer
        .replace("(walk ", "(stroll from ")
        .replace(['(', ')'], "");
    let words: Vec<String> = sentences
        .lines()
        .map(|line| {
            match line
                .strip_prefix("stroll from ")
                .and_then(|rest| rest.split_once(' '))
            {
                Some((from, to)) => format!("stroll from house {from} over to house {to}"),
                None => format!("({line})"),
            }
        })
        .collect();
    let verdict = judge(plan, &words.join("\n"));
    assert!(verdict.right, "{verdict:?}");
}

#[test]
fn faults_are_told_at_once() {
    let numbers = DOMAIN
        .replace("(:action walk", "(:functions (weight ?l - letter)) (:action walk")
        .replace("(lies ?l ?h)) :effect", "(lies ?l ?h) (< (weight ?l) 2)) :effect");
    let unknown = PROBLEM
        .replace("(has ?", "(haz ?")
        .replace("(carrier-at h1)", "(carrier-in h1)");
    let error = make(
        &own(&numbers, &[&unknown, PROBLEM, "("]),
        &Budget::unlimited(),
        &|_| {},
    );
    let text = match error.expect_err("faults") {
        ExamError::Problem { problem, reason } => format!("{problem}: {reason}"),
        other => other.to_string(),
    };
    for part in [
        "my/post: problem 1: ",
        "problem 2: there are no questions about numbers that a condition compares",
        "problem 3: ",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// A table of sentences with faults is an error with all of them, for every entry that could be ignored.
#[test]
fn faulty_tables_of_sentences_are_errors() {
    let make_with = |table: &str, settings: Option<&str>| {
        let mut options = own(DOMAIN, &[PROBLEM]);
        options.own = options.own.map(|own| OwnDomain {
            sentences: Some(Source::new("my/domain.text.toml", table)),
            settings: settings.map(|text| Source::new("my/env.toml", text)),
            ..own
        });
        make(&options, &Budget::unlimited(), &|_| {})
    };
    for (table, count) in [
        ("[actions]\nwalk = \"go\"\n", 2),
        (
            "[facts]\nraod = \"a road\"\n[actions]\nfly = \"fly\"\n[types]\nhouse = \"house\"\n",
            3,
        ),
        ("[sentences]\n", 1),
        ("walk = ", 1),
    ] {
        let error = make_with(table, None).expect_err("a fault");
        let ExamError::Sentences(faults) = error else {
            panic!("{table}: {error}");
        };
        assert_eq!(faults.diagnostics().len(), count, "{table}: {faults}");
        assert!(faults.to_string().contains("my/domain.text.toml"), "{faults}");
    }
    // The actions of the agent may have sentences, but those of questions are operators.
    let settings = "[actions.go]\nparameters = [\"to\"]\noperators = { walk = [\"b\"] }\n";
    let table = "[actions]\ngo = \"go to {to}\"\ntake = \"grab {l} at {h}\"\n";
    assert!(make_with(table, None).is_err());
    let questions = make_with(table, Some(settings)).expect("the table fits");
    assert!(
        questions
            .iter()
            .all(|question| question.question.contains("grab L at H"))
    );
}

/// The domain above with costs: of a constant, and by a table of roads.
fn with_costs() -> (String, String) {
    let domain = DOMAIN
        .replace(
            "(:action walk",
            "(:functions (total-cost) (length ?a ?b - house)) (:action walk",
        )
        .replace(":strips", ":strips :action-costs")
        .replace(
            "(not (carrier-at ?a))",
            "(not (carrier-at ?a)) (increase (total-cost) (length ?a ?b))",
        )
        .replace("(not (has ?l))", "(not (has ?l)) (increase (total-cost) 2)");
    let roads = [
        "h1 h2", "h2 h1", "h2 h3", "h3 h2", "h3 h4", "h4 h3", "h4 h1", "h1 h4",
    ];
    let lengths: String = roads
        .iter()
        .map(|road| format!(" (= (length {road}) 3)"))
        .collect();
    let problem = PROBLEM
        .replace("(:init", &format!("(:init (= (total-cost) 0){lengths}"))
        .replace("(:goal", "(:metric minimize (total-cost)) (:goal");
    (domain, problem)
}

/// Numbers that no condition reads are left out, so the questions are those about the domain without costs.
#[test]
fn costs_are_left_out() {
    let (domain, problem) = with_costs();
    let costly = make(&own(&domain, &[&problem]), &Budget::unlimited(), &|_| {}).expect("the answers agree");
    let words = |questions: &[Question]| -> Vec<_> {
        let parts = questions.iter();
        parts
            .map(|one| (one.kind, one.question.clone(), one.answer.clone()))
            .collect()
    };
    assert_eq!(words(&costly), words(post()));
    for question in &costly {
        assert!(
            !question.problem_text.contains("length"),
            "{}",
            question.problem_text
        );
    }
    // Without a value for its cost, an action is not valid; without the cost it would be.
    let gap = problem.replace(" (= (length h2 h3) 3)", "");
    let error = make(&own(&domain, &[&problem, &gap]), &Budget::unlimited(), &|_| {});
    let text = error.expect_err("a fault").to_string();
    assert!(
        text.contains("problem 2: (walk h2 h3) is never valid because its cost has no value"),
        "{text}"
    );
}

const LAMPS: &str = "// Lamps.
domain lamps {
    types { lamp : object; };
    pvariables {
        lit(lamp) : { state-fluent, bool, default = false };
        press(lamp) : { action-fluent, bool, default = false };
    };
    cpfs {
        lit'(?l) = if (press(?l)) then Bernoulli(0.8) else lit(?l) ^ Bernoulli(0.9);
    };
    reward = sum_{?l : lamp} [lit(?l)] - 0.2 * (sum_{?l : lamp} [press(?l)]);
    action-preconditions {
        forall_{?l : lamp} [press(?l) => ~lit(?l)];
    };
}";

const HALL: &str = "non-fluents things { domain = lamps; objects { lamp : { l1, l2, l3, l4 }; }; }
instance hall { domain = lamps; non-fluents = things; init-state { lit(l2); lit(l4); }; max-nondef-actions = 2;
    horizon = 10; discount = 1.0; }";

/// A domain of one's own in RDDL has the kinds of questions about RDDL that it can give.
#[test]
fn questions_are_about_ones_own_rddl() {
    let questions = make(&own(LAMPS, &[HALL]), &Budget::unlimited(), &|_| {}).expect("the answers agree");
    let kinds: BTreeSet<_> = questions.iter().map(|question| question.kind).collect();
    assert_eq!(questions.len(), 24);
    assert!(
        kinds.contains(&Kind::RddlValid) && kinds.contains(&Kind::RddlReward),
        "{kinds:?}"
    );
    for question in &questions {
        assert_eq!(question.kind.topic(), herbrand_exam::Topic::Rddl);
        assert!(question.question.contains("press"), "{}", question.question);
    }
    let broken = |domain: &str, problems: &[&str]| {
        let error = make(&own(domain, problems), &Budget::unlimited(), &|_| {});
        error.expect_err("a fault").to_string()
    };
    let text = broken(LAMPS, &[HALL, "instance", &HALL.replace("lit(l2)", "lit(l9)")]);
    assert!(
        text.contains("instance 2: ") && text.contains("instance 3: "),
        "{text}"
    );
    let real = LAMPS
        .replace(
            "lit(lamp) : { state-fluent, bool, default = false }",
            "lit(lamp) : { state-fluent, real, default = 0.0 }",
        )
        .replace(
            "if (press(?l)) then Bernoulli(0.8) else lit(?l) ^ Bernoulli(0.9)",
            "lit(?l) + press(?l)",
        )
        .replace("press(?l) => ~lit(?l)", "press(?l) => lit(?l) < 1");
    let text = broken(&real, &[&HALL.replace("lit(l2); lit(l4);", "lit(l2) = 1.0;")]);
    assert!(
        text.contains("no questions about instances with real state fluents"),
        "{text}"
    );
}

/// With a fourth letter, the post has 2,500 states instead of 500.
#[test]
fn a_shortage_says_what_the_questions_need() {
    let problem = PROBLEM
        .replace("l3 - letter", "l3 l4 - letter")
        .replace("(lies l3 h3))", "(lies l3 h3) (lies l4 h4))");
    for (kind, need) in [
        (
            Kind::Landmark,
            "the problems have more than 2000 reachable states; give smaller ones",
        ),
        (
            Kind::RddlAfter,
            "these questions are about problems in RDDL, and the domains are in PDDL",
        ),
    ] {
        let options = ExamOptions {
            kinds: vec![kind],
            ..own(DOMAIN, &[&problem])
        };
        let error = make(&options, &Budget::unlimited(), &|_| {})
            .expect_err("a shortage")
            .to_string();
        assert!(
            error.contains("only 0 of 24 questions") && error.contains(need),
            "{error}"
        );
    }
}

/// A wrong answer has a reason, and the reason names what is wrong.
#[test]
fn wrong_answers_have_reasons() {
    let mut told = 0;
    for question in questions().iter().chain(post()) {
        let other = match question.form {
            Form::YesNo => if question.answer == "yes" { "no" } else { "yes" }.to_owned(),
            Form::Choice => if question.answer == "A" { "B" } else { "A" }.to_owned(),
            Form::Number => "99".to_owned(),
            Form::Action | Form::Plan => continue,
        };
        let fault = judge(question, &other).fault.expect("the answer is wrong");
        let choice = "ABCD"
            .find(&question.answer)
            .and_then(|at| question.choices.get(at));
        let choice = choice.map_or_else(String::new, |choice| format!(". {choice}"));
        let expected = format!("the right answer is {}{choice}", question.answer);
        let reason = fault.strip_prefix(&expected).expect("the right answer");
        let part = match question.kind {
            Kind::PlanValid if question.answer == "yes" => ": the goal holds at the end",
            Kind::PlanValid | Kind::PlanFailure => " cannot be carried out: ",
            Kind::WhyNot => ": even then, ",
            Kind::Applicable => "not valid: ",
            Kind::After => "that",
            _ => {
                assert_eq!(reason, "", "{}", question.kind);
                continue;
            }
        };
        assert!(
            reason.contains(part) || reason.contains("does not hold at the end"),
            "{fault}"
        );
        told += 1;
    }
    assert!(told > 30, "{told}");
}

#[test]
fn sheets_have_all_questions_and_answers_apart() {
    for format in [SheetFormat::Html, SheetFormat::Markdown] {
        let [asked, answered] = [question_sheet(post(), format), answer_sheet(post(), format)];
        for question in post() {
            // The name of a question names its kind.
            assert!(!asked.contains(&question.id) && answered.contains(&question.id));
        }
        let choice = post()
            .iter()
            .find(|question| question.form == Form::Choice)
            .expect("a choice");
        let asked_for = choice.question.lines().next().expect("a line");
        assert!(asked.contains(asked_for) && !answered.contains(asked_for));
        let right = format!("\n{}. ", choice.answer);
        assert!(answered.replace("<pre>", "\n").contains(&right), "{answered}");
    }
}

/// The rules of a domain and a problem are stated once; questions are stated without the form of their answers on a screen.
#[test]
fn sheets_of_questions_do_not_repeat_themselves() {
    let twice = [post(), post()].concat();
    for format in [SheetFormat::Html, SheetFormat::Markdown] {
        let sheet = question_sheet(&twice, format);
        let different = |text: fn(&Question) -> String| twice.iter().map(text).collect::<BTreeSet<_>>().len();
        let domains = different(|question| question.domain_text.clone());
        let problems = different(|question| format!("{}\n{}", question.domain_text, question.problem_text));
        assert!(problems < twice.len());
        assert_eq!(sheet.matches("These are the actions, with").count(), domains);
        assert_eq!(sheet.matches("These are the objects").count(), problems);
        assert_eq!(
            sheet.matches("The problem is that of question").count(),
            twice.len() - problems
        );
        assert!(
            !sheet.contains("End with a line") && !sheet.contains("<svg"),
            "{sheet}"
        );
        for choice in twice.iter().flat_map(|question| &question.choices) {
            assert!(sheet.contains(choice), "{choice}");
        }
    }
    let html = question_sheet(&twice, SheetFormat::Html);
    let of_form = |form: Form| twice.iter().filter(|question| question.form == form).count();
    assert_eq!(html.matches("☐ yes").count(), of_form(Form::YesNo));
    assert_eq!(html.matches("☐ C. ").count(), of_form(Form::Choice));
    // A question that was written by hand is printed as it is.
    let odd = Question {
        question: "What now?".to_owned(),
        ..post()[0].clone()
    };
    assert!(question_sheet(&[odd], SheetFormat::Markdown).contains("```text\nWhat now?"));
}

/// A problem has a picture if its domain declares one.
#[test]
fn sheets_have_pictures() {
    let pictures = |questions: &[Question]| {
        question_sheet(questions, SheetFormat::Html)
            .matches("<svg")
            .count()
    };
    let blocks: Vec<_> = questions()
        .iter()
        .filter(|question| question.domain == "blocks")
        .take(3)
        .cloned()
        .collect();
    assert!(pictures(&blocks) > 0);
    // The parts of the goal are stated in sentences, and not listed in PDDL.
    let sheet = question_sheet(&blocks, SheetFormat::Html);
    assert!(sheet.contains(">goal<") && !sheet.contains(">goal: "), "{sheet}");
    let render =
        "[render]\nboxes = { of = [\"house\"] }\nlayer = [{ fact = \"carrier-at\", shape = \"person\" }]\n";
    let drawn = |settings: &str| Question {
        settings: settings.to_owned(),
        ..post()[0].clone()
    };
    assert_eq!(pictures(&[drawn(render)]), 1);
    assert_eq!(
        pictures(&[drawn("horizon = 3\n"), drawn("[render]\nlayer = 3\n")]),
        0
    );
}
