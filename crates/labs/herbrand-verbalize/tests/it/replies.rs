//! Answers and plans in replies.

use herbrand_env::Registry;
use herbrand_verbalize::{AnswerFault, ReplyReader, Syntax, Wording, final_value};
use proptest::prelude::*;

fn wording() -> Wording {
    let suite = Registry::get("blocks")
        .expect("bundled")
        .problem("train/05")
        .expect("bundled");
    Wording::of_planning(&suite, 0, None).expect("its sentences fit")
}

/// Calls `read` with the reader of replies about a problem of blocks.
fn with_reader<T>(read: impl FnOnce(&Wording, ReplyReader<'_>) -> T) -> T {
    let wording = wording();
    let reads = |text: &str| wording.read(text, &[]).is_ok();
    let reader = ReplyReader {
        syntax: Some(Syntax::Pddl),
        reads: &reads,
    };
    read(&wording, reader)
}

/// Returns the plan in a reply in PDDL; a step that is no action as it is.
fn plan(reply: &str) -> Vec<String> {
    with_reader(|wording, reader| {
        let reads = |text: &str| (reader.reads)(text) || wording.is_meant(text);
        let reader = ReplyReader {
            reads: &reads,
            ..reader
        };
        let steps = reader.plan(reply).into_iter();
        steps
            .map(|step| wording.read(&step.text, &[]).unwrap_or(step.text))
            .collect()
    })
}

const PLAN: [&str; 3] = ["(unstack c a)", "(put-down c)", "(pick-up a)"];

/// The ways to write one step of a plan, given its number, the action in PDDL and its sentence.
const STEPS: [fn(usize, &str, &str) -> String; 16] = [
    |_, action, _| action.to_owned(),
    |number, action, _| format!("{number}. {action}"),
    |number, action, _| format!("{number}) {action}"),
    |number, action, _| format!("({number}) {action}"),
    |number, action, _| format!("{number}: {action}"),
    |number, action, _| format!("Step {number}: {action}"),
    |number, action, _| format!("{number}.000: {action} [1.000]"),
    |_, action, _| format!("- {action}"),
    |_, action, _| format!("* `{action}`"),
    |_, action, _| format!("{action} ; why not?"),
    |_, action, _| format!("  {}", action.to_uppercase()),
    |number, action, sentence| format!("{number}. {action} - {sentence}"),
    |_, _, sentence| sentence.to_owned(),
    |number, _, sentence| format!("{number}. **{sentence}**"),
    |_, _, sentence| format!("• {}.", sentence.to_uppercase()),
    |_, action, _| format!("<action>{action}</action>"),
];

/// The ways to mark a plan.
const MARKS: [fn(&str) -> String; 16] = [
    |plan| plan.to_owned(),
    |plan| format!("<plan>{plan}</plan>"),
    |plan| format!("I plan.\n<PLAN>\n{plan}\n</PLAN>\nThis reaches the goal."),
    |plan| format!("<answer>\n{plan}\n</answer>"),
    |plan| format!("<plan>\n{plan}"),
    |plan| format!("In <plan> tags: <plan>(fly)</plan>, no: <plan>\n{plan}\n</plan> as <plan> says."),
    |plan| format!("\\boxed{{{plan}}}"),
    |plan| format!("It is $\\boxed{{\\text{{\n{plan}\n}}}}$."),
    |plan| format!("The plan:\n```\n(fly)\n```\nNo:\n```pddl\n{plan}\n```\nDone."),
    |plan| format!("**Answer:**\n{plan}"),
    |plan| format!("A plan needs some steps.\n\n## Final plan:\n{plan}\n\nThis reaches the goal."),
    |plan| format!("Here it is:\n{plan}\nThis reaches the goal."),
    |plan| format!("<think>Perhaps <plan>(fly)</plan></think>\n{plan}"),
    |plan| format!("Answer: (fly)</think>{plan}"),
    |plan| format!("{plan}\n<think>or <plan>(fly)</plan>"),
    |plan| format!("<answer>\n<plan>\n; a comment\n\n{plan}\n; the end\n</plan></answer>"),
];

#[test]
fn plans_are_read_in_any_form() {
    with_reader(|wording, _| {
        for (step_form, step) in STEPS.iter().enumerate() {
            let steps = (1..).zip(PLAN);
            let steps: Vec<_> = steps
                .map(|(number, action)| step(number, action, &wording.action(action)))
                .collect();
            for (mark_form, mark) in MARKS.iter().enumerate() {
                let reply = mark(&steps.join("\n"));
                assert_eq!(plan(&reply), PLAN, "step {step_form}, mark {mark_form}:\n{reply}");
            }
        }
    });
    for reply in [
        "(unstack c a) (put-down c) (pick-up a)",
        "(unstack c a), (put-down c) and then (pick-up a)",
        "(unstack c a);(put-down c);(pick-up a);",
        "unstack c a; put down block c; Pick up block a.",
        "((unstack c a)\n (put-down c)\n (pick-up a))",
        "[(unstack c a),\n (put-down c),\n (pick-up a)]",
        "(unstack c a)\n(put-down c",
    ] {
        let read = plan(reply);
        assert_eq!(read, PLAN[..read.len()], "{reply}");
        assert!(read.len() > 1, "{reply}");
    }
}

#[test]
fn steps_with_times_are_in_the_order_of_the_times() {
    assert_eq!(plan("2.5: (pick-up a)\n0: (unstack c a)\n1: (put-down c)"), PLAN);
    // Numbers without a colon are no times.
    assert_eq!(plan("2. (unstack c a)\n1. (put-down c)"), PLAN[..2]);
}

/// A line between steps, or with a number, is a step, also if it is no action.
#[test]
fn faulty_steps_are_no_prose() {
    assert_eq!(
        plan("pick up a\nfly away\nput down a"),
        ["(pick-up a)", "fly away", "(put-down a)"]
    );
    assert_eq!(plan("1. pick up a\n2. fly away"), ["(pick-up a)", "fly away"]);
    assert_eq!(plan("pick up a; fly away"), ["(pick-up a)", "fly away"]);
    assert_eq!(plan("dance\nsing"), ["dance", "sing"]);
    assert_eq!(plan("(pick-up a) (fly"), ["(pick-up a)", "(fly"]);
    assert!(plan(" \n```\n; nothing\n```").is_empty());
}

/// A misspelt step before or after the others is no prose.
#[test]
fn misspelt_steps_are_no_prose() {
    for step in [
        "flyy(b)",
        "stakc(a, b).",
        "stakc b a",
        "fly b",
        "fly___a__b",
        "piick up block b from the tabel.",
    ] {
        for reply in [
            format!("{step}\npick up a"),
            format!("(pick-up a)\n{step}"),
            format!("So:\n{step}\npick up a\nIt works."),
        ] {
            let read = plan(&reply);
            assert!(
                read.len() == 2 && read.contains(&"(pick-up a)".to_owned()),
                "{reply}: {read:?}"
            );
        }
    }
    for prose in [
        "Stack the blocks as follows:",
        "Plan(s):",
        "Put the blocks on the table.",
        "Take a look at the plan.",
        "Pick it up (if you can) and hold it.",
        "This moves b.",
        "Stack b first, then build a tower.",
        "Block b:",
    ] {
        for reply in [format!("{prose}\npick up a"), format!("pick up a\n{prose}")] {
            assert_eq!(plan(&reply), ["(pick-up a)"], "{reply}");
        }
    }
}

#[test]
fn actions_are_read_in_any_form() {
    let action = |reply: &str| with_reader(|_, reader| reader.action(reply));
    for reply in [
        "(pick-up b)",
        "1. pick up block b",
        "2) Pick up B",
        "Block b is free.\nAction: (pick-up b)",
        "Action: (pick-up b)\nThis makes room.",
        "I take it.\n\npick up block b\n\nThis makes room.",
        "pick up block a\nNo, better:\npick up block b",
        "<answer>(pick-up a)</answer>, no: <answer> (PICK-UP b) </answer>\nend",
        "<action>\npick up block b\n</action>",
        "<answer>\\boxed{pick up block b}</answer>",
        "<think>Answer: (pick-up a)</think>(pick-up b)",
        "(pick-up b) <think> or <answer>(pick-up a)</answer>?</think>",
        "```\n(pick-up b)\n```",
        "```(pick-up b)```",
        "**Answer**: `(pick-up b)`",
        "The answer is pick up block b.",
    ] {
        let read = action(reply).expect("one action");
        let read = wording().read(&read, &[]);
        assert_eq!(read.as_deref(), Ok("(pick-up b)"), "{reply}");
    }
    assert_eq!(action("I need room. Action: dance").as_deref(), Ok("dance"));
    assert_eq!(action("<think>(pick-up b)").as_deref(), Ok(""));
    assert_eq!(action("<answer>3.</answer>").as_deref(), Ok("3."));
    for reply in [
        "(pick-up a)\n(stack a b)",
        "<answer>pick up a; put a on b</answer>",
    ] {
        assert_eq!(
            action(reply).expect_err("two").fault,
            AnswerFault::Ambiguous,
            "{reply}"
        );
    }
}

#[test]
fn actions_taken_together_stay_together() {
    let reads = |text: &str| text.starts_with("open") || text.starts_with("close");
    let reader = ReplyReader {
        syntax: Some(Syntax::Rddl),
        reads: &reads,
    };
    let action = reader.action("<answer>open___a; close___b</answer>");
    assert_eq!(action.as_deref(), Ok("open___a; close___b"));
    let action = reader.action("Action:\n1. open___a\n2. close___b\nThat is all.");
    assert_eq!(action.as_deref(), Ok("open___a; close___b"));
    assert_eq!(
        reader.plan("So:\nopne(a): 0.5\nopen___a\nopne(b)\nDone.").len(),
        3
    );
    let steps = reader.plan("Plan:\n1. open___a; close___b\n2. open___c\n");
    assert_eq!(steps.len(), 2);
    assert_eq!(
        (steps[0].line, steps[0].text.as_str()),
        (2, "open___a; close___b")
    );
}

#[test]
fn the_last_clearest_mark_counts() {
    for (reply, value) in [
        ("Answer: A\nAnswer: B", "B"),
        ("<answer>B</answer> Answer: A", "B"),
        ("\\boxed{A}, no: \\boxed{B}. Answer: A", "B"),
        ("\\boxed{\\mathbf{B}}", "B"),
        ("\\boxed{f(\\{x\\}) = {B}}", "f(\\{x\\}) = {B}"),
        ("<answer>Answer: $\\boxed{B}$</answer>", "B"),
        ("<ANSWER>\nB\n</answer>", "B"),
        ("<answer>B", "B"),
        ("An <answer> is in <answer>B</answer> tags.", "B"),
        ("<think>Answer: A</think>\nB", "B"),
        ("<thinking>\n<answer>A</answer>", ""),
        ("<think>I write <think> first.</think> <answer>B</answer>", "B"),
        ("Is the answer: A? The answer is B.", "A? The answer is B."),
        ("So the answer is **B**", "B"),
        ("**Answer** : *B*", "B"),
        ("the answers are many", "the answers are many"),
    ] {
        assert_eq!(final_value(reply), value, "{reply}");
    }
}

/// Replies without an end or an answer are read in linear time: these take minutes otherwise.
#[test]
fn hostile_replies_end() {
    let parts = [
        "{",
        "\\boxed{",
        "}",
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "<plan><answer>",
        "```\n",
        "```",
        "answer",
        "answer ",
        "plan *",
        "action:",
        "answer:",
        "(",
        "((",
        ")",
        "1.",
        "1. ",
        "1: (",
        "- ",
        "*",
        ";",
        "; (",
        "\n",
        "a\n",
        "<action>",
    ];
    for part in parts {
        let reply = format!("<answer>{}\n(pick-up b)", part.repeat(100_000 / part.len()));
        let _ = final_value(&reply);
        let _ = ReplyReader::TEXT.action(&reply);
        let _ = ReplyReader::TEXT.plan(&reply);
    }
}

proptest! {
    #[test]
    fn plans_come_back(
        steps in prop::collection::vec((0..7_usize, 0..3_usize, 0..3_usize), 1..12),
        step in 0..STEPS.len(),
        mark in 0..MARKS.len(),
    ) {
        let names = ["a", "b", "c"];
        let step_of = |&(schema, one, other): &(usize, usize, usize)| {
            let (one, other) = (names[one], names[other]);
            match schema {
                0..2 => format!("(pick-up {one})"),
                2 => format!("(put-down {one})"),
                3..5 => format!("(stack {one} {other})"),
                _ => format!("(unstack {one} {other})"),
            }
        };
        let expected: Vec<String> = steps.iter().map(step_of).collect();
        let wording = wording();
        let numbered = (1..).zip(&expected);
        let written: Vec<_> = numbered.map(|(number, action)| STEPS[step](number, action, &wording.action(action))).collect();
        let reply = MARKS[mark](&written.join("\n"));
        prop_assert_eq!(plan(&reply), expected, "{}", reply);
    }

    #[test]
    fn no_reply_is_too_strange(reply in "(\\PC|[<>{}();:\n0-9.`*-]|<answer>|</answer>|</?think>|boxed|answer|\\n){0,60}") {
        let _ = final_value(&reply);
        with_reader(|_, reader| {
            for step in reader.plan(&reply) {
                assert!(!step.text.trim().is_empty() && step.line <= reply.lines().count().max(1));
            }
            let _ = reader.action(&reply);
        });
    }
}
