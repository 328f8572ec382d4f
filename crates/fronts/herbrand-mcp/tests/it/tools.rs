//! Every tool, on problems of three languages.

use serde_json::json;

use super::{call, done, open, tools};

/// Agents may send whole replies: `validate` and `step` find the plan and the action in them.
#[test]
fn replies_are_read_in_any_form() {
    let tools = tools();
    let session = open(&tools, "blocks");
    let plan = done(&tools, "plan", json!({"session": session}));
    let steps: Vec<_> = plan.data["sentences"]
        .as_array()
        .expect("sentences")
        .iter()
        .filter_map(|step| step.as_str())
        .collect();
    let numbered: Vec<_> = (1..)
        .zip(&steps)
        .map(|(number, step)| format!("{number}. {step}"))
        .collect();
    let numbered = numbered.join("\n");
    for reply in [
        numbered.clone(),
        format!("<think><plan>fly</plan></think>\nHere it is:\n{numbered}\nThis reaches the goal."),
        format!("<plan>\n{}\n</plan>", numbered.to_uppercase()),
        format!("\\boxed{{{}}}", steps.join("; ")),
        format!("Plan:\n```\n; a comment\n{numbered}\n```"),
    ] {
        let check = done(&tools, "validate", json!({"session": session, "plan": reply}));
        assert_eq!(check.data["valid"], true, "{reply}\n{}", check.text);
    }
    for (step, mark) in steps.iter().zip([
        "1. {}",
        "<answer>{}</answer>",
        "Now.\nAction: {}\nIt helps.",
        "<think>fly</think>{}",
    ]) {
        done(
            &tools,
            "step",
            json!({"session": session, "action": mark.replace("{}", step)}),
        );
    }
    let both = steps[..2].join("\n");
    let refused = call(&tools, "step", json!({"session": session, "action": both}));
    assert!(
        refused.is_refused && refused.text.contains("the answer has 2 actions instead of one"),
        "{}",
        refused.text
    );
}

#[test]
fn a_text_or_a_file_in_the_place_of_a_name_is_told_without_being_repeated() {
    let tools = tools();
    let text = "(define (domain d) (:predicates (p)))";
    for (arguments, advice) in [
        (json!({"domain": text}), "give it as `domain_text`"),
        (
            json!({"domain": "domain d { cpfs { }; }"}),
            "give it as `domain_text`",
        ),
        (json!({"domain": "my/domain.pddl"}), "give it as `domain_file`"),
        (
            json!({"domain": "blocks", "problem": text}),
            "give it as `problem_text`",
        ),
        (
            json!({"domain": "blocks", "problem": "p01.pddl"}),
            "give it as `problem_file`",
        ),
    ] {
        for tool in ["open", "check"] {
            let answer = call(&tools, tool, arguments.clone());
            assert!(
                answer.is_refused && answer.text.contains(advice),
                "{}",
                answer.text
            );
            assert!(
                !answer.text.contains("define") && answer.text.len() < 120,
                "{}",
                answer.text
            );
        }
    }
}

#[test]
fn a_problem_is_solved_by_calls() {
    let tools = tools();
    let listed = done(&tools, "domains", json!({}));
    assert!(listed.text.contains("blocks: ") && listed.text.contains("rddl/elevators: "));
    let problems = done(&tools, "domains", json!({"domain": "blocks"}));
    assert_eq!(problems.data["domains"][0]["problems"][0], "train/01");

    let session = open(&tools, "blocks");
    let plan = done(&tools, "plan", json!({"session": session}));
    let steps = plan.data["sentences"].as_array().expect("sentences").clone();
    let lines: Vec<_> = steps.iter().map(|step| step.as_str().expect("a text")).collect();
    let check = done(
        &tools,
        "validate",
        json!({"session": session, "plan": lines.join("\n")}),
    );
    assert_eq!(check.data["valid"], true, "{}", check.text);
    let other = done(&tools, "fork", json!({"session": session}));
    assert_ne!(other.data["session"], json!(session));
    for line in &lines {
        done(&tools, "step", json!({"session": session, "action": line}));
    }
    let state = done(&tools, "state", json!({"session": session}));
    assert_eq!(
        (&state.data["status"], &state.data["step"]),
        (&json!("goal"), &json!(lines.len()))
    );
    let undone = done(&tools, "undo", json!({"session": session, "steps": 1000}));
    assert_eq!(undone.data["undone"], lines.len());
    let untouched = done(&tools, "state", json!({"session": other.data["session"]}));
    assert_eq!(untouched.data["step"], 0);

    let actions = done(&tools, "actions", json!({"session": session, "most": 1}));
    assert!(actions.text.starts_with("1. "), "{}", actions.text);
    assert_eq!(actions.data["actions"].as_array().map(Vec::len), Some(1));
    let why = done(
        &tools,
        "why_not",
        json!({"session": session, "action": "stack a b"}),
    );
    assert!(why.text.contains("is not valid"), "{}", why.text);
    assert!(
        done(&tools, "draw", json!({"session": session}))
            .text
            .starts_with("<svg")
    );
    assert!(
        done(&tools, "ground", json!({"session": session}))
            .text
            .starts_with("atoms: ")
    );
    assert!(
        done(&tools, "texts", json!({"session": session}))
            .text
            .contains("(define (domain blocks)")
    );
    let edits = json!([{"edit": "add-object", "object": "zed", "type": "block"}]);
    let edited = done(&tools, "edit", json!({"session": session, "edits": edits}));
    let texts = done(&tools, "texts", json!({"session": edited.data["session"]}));
    assert!(texts.text.contains("zed"));
    assert!(
        edited.text.contains("Nothing is on block b.")
            && edited.text.ends_with("This is blocks train/01, edited.")
    );
    assert_eq!(
        done(&tools, "close", json!({"session": session})).data["closed"],
        true
    );
    assert!(call(&tools, "state", json!({"session": session})).is_refused);
}

#[test]
fn a_domain_under_edit_is_served() {
    let tools = tools();
    for domain in [
        "pddlworld",
        "pddlworld@random",
        "pddlworld/blocks@2",
        "pddlworld/light-switch",
    ] {
        let session = open(&tools, domain);
        let step = done(&tools, "step", json!({"session": session, "action": "1"}));
        assert_eq!(step.data["step"], 1, "{}", step.text);
        for tool in ["state", "draw", "ground", "undo", "plan"] {
            done(&tools, tool, json!({"session": session}));
        }
        assert!(call(&tools, "texts", json!({"session": session})).is_refused);
    }
}

#[test]
fn chance_and_rddl_are_served_too() {
    let tools = tools();
    for domain in ["tireworld", "rddl/sysadmin-mdp"] {
        let session = open(&tools, domain);
        let step = done(&tools, "step", json!({"session": session, "action": "1"}));
        assert_eq!(step.data["step"], 1, "{}", step.text);
        let state = done(&tools, "state", json!({"session": session}));
        assert_eq!(state.data["step"], 1, "{}", state.text);
        done(&tools, "plan", json!({"session": session}));
        done(&tools, "ground", json!({"session": session}));
    }
}

#[test]
fn faults_are_data() {
    let tools = tools();
    let domain = "(define (domain d) (:predicates (on)) (:action a :effect (onn)))";
    let check = done(
        &tools,
        "check",
        json!({"domain_text": domain, "problem_text": "(define (problem p) (:domain d) (:goal (on)))"}),
    );
    assert!(check.text.starts_with("domain:1:"), "{}", check.text);
    assert_eq!(check.data["findings"][0]["help"], "did you mean `on`?");
    let problem = "(define (problem p) (:domain d) (:goal (on)))";
    let refused = call(
        &tools,
        "open",
        json!({"domain_text": domain, "problem_text": problem}),
    );
    assert!(
        refused.is_refused && refused.data["kind"] == "texts",
        "{}",
        refused.text
    );
    for (name, arguments, expected) in [
        ("open", json!({}), "give a bundled `domain`"),
        (
            "open",
            json!({"domain": "blokcs"}),
            "lists them; did you mean `blocks`?",
        ),
        (
            "open",
            json!({"domain": "blocks", "domain_text": ""}),
            "give one of them",
        ),
        ("open", json!({"domain_file": "domain.pddl"}), "--folder"),
        ("open", json!({"domain": "blox"}), "did you mean `blocks`?"),
        (
            "open",
            json!({"domain": "rddl/Wildfir", "problem": "1"}),
            "did you mean `rddl/wildfire-mdp`?",
        ),
        (
            "domains",
            json!({"domain": "zzz"}),
            "the tool `domains` lists them",
        ),
        (
            "step",
            json!({"session": "1"}),
            "`step` needs `action`: a sentence",
        ),
        ("state", json!({"session": "1"}), "there is no such session"),
        (
            "state",
            json!({"session": 1}),
            "`session` of `state` must be a text, not 1",
        ),
        (
            "undo",
            json!({"session": "1", "step": 1}),
            "not `step`; did you mean `steps`?",
        ),
        (
            "undo",
            json!({"session": "1", "steps": -1}),
            "`steps` of `undo` must be a whole number, not -1",
        ),
        (
            "edit",
            json!({"session": "1", "edits": [{"edit": "set-goal", "goal": "(p)"}, {"edit": "add-fact"}]}),
            "`edits[1]`: missing field `fact`",
        ),
    ] {
        let answer = call(&tools, name, arguments);
        assert!(
            answer.is_refused && answer.text.contains(expected),
            "{name}: {}",
            answer.text
        );
    }
    assert!(tools.call("rm", serde_json::Map::new()).is_none());
}

#[test]
fn a_domain_alone_is_checked_but_not_opened() {
    let tools = tools();
    let rddl = "domain d { pvariables { p : { state-fluent, bool, default = false }; a : { action-fluent, bool, default = false }; }; \
                cpfs { p' = a; }; reward = p; }";
    for domain in [
        "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))",
        "(define (domain d) (:requirements :derived-predicates) (:predicates (p) (q)) (:derived (q) (p)) (:action a :effect (p)))",
        rddl,
    ] {
        let check = done(
            &tools,
            "check",
            json!({"domain_text": format!("```pddl\n{domain}\n```\n")}),
        );
        assert!(
            check.text == "The texts have no faults." && check.data["errors"] == 0,
            "{}",
            check.text
        );
        let refused = call(&tools, "open", json!({"domain_text": domain}));
        assert!(
            refused.is_refused && refused.text.contains("`problem_text`"),
            "{}",
            refused.text
        );
    }
    let faulty = "\n```\n(define (domain d) (:predicates (on))\n(:action a :effect (onn)))```";
    let check = done(&tools, "check", json!({"domain_text": faulty}));
    assert!(
        check.text.starts_with("domain:4:") && check.data["errors"] == 1,
        "{}",
        check.text
    );
}

#[test]
fn an_episode_with_numbers_and_a_horizon_tells_what_can_be_done() {
    let tools = tools();
    let car = "domain d { pvariables { p : { state-fluent, real, default = 0.0 }; throttle : { action-fluent, real, default = 0.0 };
            horn : { action-fluent, bool, default = false }; };
        cpfs { p' = throttle; }; reward = -p; action-preconditions { throttle >= -1; throttle <= 1; }; }
        instance i { domain = d; max-nondef-actions = 1; horizon = 3; discount = 1; }";
    let opened = done(&tools, "open", json!({"domain_text": car}));
    for part in [
        "State after 0 steps of at most 3:",
        "Reward so far: 0. At most 1 action can",
    ] {
        assert!(opened.text.contains(part), "{}", opened.text);
    }
    let session = &opened.data["session"];
    let actions = |most: usize| done(&tools, "actions", json!({"session": session, "most": most})).text;
    let listed = actions(9);
    assert!(
        listed.starts_with("1. ") && listed.contains("throttle to a number from -1 to 1\n- do nothing"),
        "{listed}"
    );
    assert_eq!(actions(0), "- do nothing\n0 of 2 actions listed");
    for strange in ["throtle(a1): 0.5", "{\"action\": \"horn\"}"] {
        let refused = call(&tools, "step", json!({"session": session, "action": strange}));
        assert!(
            refused.is_refused && refused.text.contains("throttle"),
            "{}",
            refused.text
        );
    }
    for (action, reward) in [
        (json!("noop"), "0"),
        (json!("throttle: 0.5"), "0"),
        (json!(1), "-0.5"),
    ] {
        let step = done(&tools, "step", json!({"session": session, "action": action}));
        assert!(
            step.text.contains(&format!("\nReward {reward};")),
            "{}",
            step.text
        );
    }
    assert_eq!(
        actions(9),
        "No action can be taken: the episode has reached its horizon."
    );
}

/// A task of the floor needs no session: its tool takes a problem and the options of the floor.
#[test]
fn tasks_are_answered_for_problems_without_a_session() {
    let tools = tools();
    let problem = json!({"domain": "blocks", "problem": "train/01"});
    let with = |more: serde_json::Value| {
        let mut arguments = problem.as_object().expect("an object").clone();
        arguments.extend(more.as_object().expect("an object").clone());
        serde_json::Value::Object(arguments)
    };
    let plan = done(&tools, "plan", with(json!({"optimal": true})));
    assert_eq!(plan.data["proven_optimal"], true, "{}", plan.text);
    let steps: Vec<_> = plan.data["plan"].as_array().expect("steps").iter().collect();
    let steps: Vec<_> = steps.iter().filter_map(|step| step.as_str()).collect();
    let valid = done(&tools, "validate", with(json!({"plan": steps.join("\n")})));
    assert_eq!(valid.data["valid"], true, "{}", valid.text);
    let episodes = done(&tools, "rollout", with(json!({"episodes": 3, "seed": 1})));
    assert_eq!(episodes.data["episodes"], 3);
    for (arguments, advice) in [
        (json!({"planer": "lazy"}), "did you mean `planner`"),
        (
            json!({"determinize": "none"}),
            "expected one of all-outcomes, most-likely",
        ),
        (json!({"t_norm": "godel"}), "`t_norm` supports only RDDL"),
        (
            json!({"external": "rm {domain} {problem}"}),
            "`external` cannot be given here",
        ),
        (
            json!({"runs": 4_000_000_000_u32}),
            "`runs` can be at most 1000000 here",
        ),
    ] {
        let answer = call(&tools, "plan", with(arguments));
        assert!(
            answer.is_refused && answer.text.contains(advice),
            "{}",
            answer.text
        );
    }
}
