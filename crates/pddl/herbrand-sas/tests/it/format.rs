//! Reading and writing files.

use herbrand_limits::{Budget, Limits};
use herbrand_sas::{FiniteDomainTask, SasCode, ground_task};
use herbrand_text::{Faults, Source};
use proptest::prelude::*;

use crate::explore;

const LAMP: &str = "begin_version
3
end_version
begin_metric
1
end_metric
3
begin_variable
var0
-1
2
Atom on(lamp)
NegatedAtom on(lamp)
end_variable
begin_variable
var1
-1
3
Atom at(robot, hall)
Atom at(robot, room)
<none of those>
end_variable
begin_variable
var2
0
2
Atom lit()
NegatedAtom lit()
end_variable
1
begin_mutex_group
2
0 1
1 2
end_mutex_group
begin_state
1
0
1
end_state
begin_goal
1
2 0
end_goal
2
begin_operator
go robot hall room
0
1
0 1 0 1
3
end_operator
begin_operator
press lamp
1
1 1
2
0 0 -1 0
1 0 0 1 1 2
2
end_operator
1
begin_rule
1
0 0
2 1 0
end_rule
";

fn read(text: &str) -> Result<FiniteDomainTask, Faults<SasCode>> {
    FiniteDomainTask::from_sas(&Source::new("lamp.sas", text), &Budget::unlimited())
}

/// Reads the text with one line replaced, and returns the codes and lines of the faults.
fn faults(line: usize, text: &str) -> Vec<(SasCode, usize)> {
    let mut lines: Vec<_> = LAMP.lines().collect();
    lines[line - 1] = text;
    let faults = read(&lines.join("\n")).expect_err("a faulty text");
    let place = |one: &herbrand_text::Diagnostic<SasCode>| (one.code(), one.labels()[0].start().line);
    faults.diagnostics().iter().map(place).collect()
}

#[test]
fn a_text_is_read_and_written() {
    let task = read(LAMP).expect("a task");
    assert_eq!(task.to_sas(), LAMP);
    assert_eq!((task.state_bits(), task.variables.len()), (3, 3));
    let crlf = LAMP.replace('\n', "\r\n");
    assert_eq!(read(&crlf).expect("a task"), task);
}

/// A name is one line of a file.
#[test]
fn line_breaks_in_names_become_spaces() {
    let mut task = read(LAMP).expect("a task");
    task.variables[0].values[0] = "Atom on(lamp,\nhall)".to_owned();
    task.variables[1].name = "place\rof the robot".to_owned();
    task.operators[0].name = "go\r\nrobot".to_owned();
    let written = read(&task.to_sas()).expect("a task");
    assert_eq!(written.variables[0].values[0], "Atom on(lamp, hall)");
    assert_eq!(written.variables[1].name, "place of the robot");
    assert_eq!(written.operators[0].name, "go  robot");
}

#[test]
fn names_become_atoms_and_actions() {
    let task = read(LAMP).expect("a task");
    let made = ground_task(&task, "lamp", &Budget::unlimited()).expect("no limit");
    made.task.check().expect("a sound task");
    let actions: Vec<_> = made
        .task
        .actions
        .ids()
        .map(|id| made.task.display_action(id).to_string())
        .collect();
    assert_eq!(actions, ["(go robot hall room)", "(press lamp)"]);
    let atoms: Vec<_> = made
        .atoms
        .iter()
        .flatten()
        .flatten()
        .map(|&id| made.task.display_atom(id).to_string())
        .collect();
    assert_eq!(
        atoms,
        ["(on lamp)", "(at robot hall)", "(at robot room)", "(lit)"]
    );
}

#[test]
fn faults_are_at_their_lines() {
    use SasCode as C;
    type Row<'a> = (usize, &'a str, &'a [(SasCode, usize)]);
    let rows: [Row<'_>; 19] = [
        (1, "begin", &[(C::Layout, 1)]),
        (2, "4", &[(C::Version, 2)]),
        (2, "2147483648", &[(C::Number, 2)]),
        (5, "2", &[(C::Number, 5)]),
        (7, "4", &[(C::Layout, 7)]),
        (30, "0", &[(C::Layout, 30)]),
        (10, "zero", &[(C::Number, 10)]),
        (11, "1", &[(C::Layout, 13)]),
        (11, "3", &[(C::Layout, 14)]),
        (17, "none", &[(C::Number, 17)]),
        (26, "3", &[(C::Layout, 29)]),
        (33, "0 9", &[(C::UnknownValue, 33)]),
        (38, "3", &[(C::UnknownValue, 38)]),
        (43, "5 0", &[(C::UnknownVariable, 43)]),
        (49, "two", &[(C::Number, 49)]),
        (50, "0 1 0 1 0", &[(C::Layout, 50)]),
        (58, "0 2 -1 0", &[(C::Layer, 58)]),
        (59, "1 0 0 1 0 2", &[(C::Contradiction, 54)]),
        (66, "2 0 1", &[(C::Layer, 66)]),
    ];
    for (line, text, expected) in rows {
        assert_eq!(faults(line, text), expected, "{line}: {text}");
    }
    // A derived variable with three values; operators change it, too.
    assert!(faults(17, "0").contains(&(C::Layer, 18)));
}

#[test]
fn facts_are_sorted() {
    let text = LAMP.replace("0 1\n1 2\n", "1 2\n0 1\n");
    assert_ne!(text, LAMP);
    assert_eq!(read(&text).expect("a task"), read(LAMP).expect("a task"));
}

/// Pressing turns the lamp on, unless it is off: then it stays off.
#[test]
fn the_last_of_several_effects_counts() {
    let text = LAMP.replace("0 0 -1 0\n1 0 0 1 1 2\n", "0 0 -1 0\n1 0 1 0 -1 1\n");
    assert_ne!(text, LAMP);
    let task = read(&text).expect("a task");
    let found = explore::finite(&task, 100).expect("few states");
    let made = ground_task(&task, "lamp", &Budget::unlimited()).expect("no limit");
    let again = explore::ground(&made.task, &vec![1; made.operators.len()], 100).expect("few states");
    assert_eq!((found.optimum, again.optimum), (None, None));
    assert_eq!(found.states.len(), again.states.len());
}

#[test]
fn an_empty_goal_becomes_a_fact_that_is_true() {
    let task = read(&LAMP.replace("begin_goal\n1\n2 0\n", "begin_goal\n0\n")).expect("a task");
    assert!(task.goal.is_empty());
    let written = read(&task.to_sas()).expect("a task");
    assert_eq!((written.variables.len(), written.goal.len()), (4, 1));
    assert!(written.is_goal(&written.initial_state()));
}

#[test]
fn several_faults_are_found_at_once() {
    let text = LAMP
        .replace("1 1\n2", "1 7\n2")
        .replace("0 0\n2 1 0", "0 5\n2 1 0")
        .replace("end_goal", "");
    let faults = read(&text).expect_err("a faulty text");
    assert_eq!(
        faults.to_string(),
        "\
error[S0001]: expected `end_goal`, found another line
  --> lamp.sas:44:1
   |
44 |
   | ^ expected `end_goal`

error[S0001]: the number of operators is missing
  --> lamp.sas:46:1
   |
46 | begin_operator
   | ^^^^^^^^^^^^^^ expected a number before this line

error[S0005]: variable 1 has no value 7
  --> lamp.sas:56:3
   |
56 | 1 7
   |   ^ it has 3 values, from 0

error[S0005]: variable 0 has no value 5
  --> lamp.sas:65:3
   |
65 | 0 5
   |   ^ it has 2 values, from 0"
    );
}

#[test]
fn counts_that_promise_too_much_take_no_memory() {
    let limits = Limits {
        bytes: Some(1 << 20),
        ..Limits::default()
    };
    for line in [7, 11, 18, 30, 32, 42, 45, 48, 49, 55, 57, 62, 64] {
        let mut lines: Vec<_> = LAMP.lines().collect();
        lines[line - 1] = "2147483647";
        let source = Source::new("lamp.sas", &lines.join("\n"));
        assert!(
            FiniteDomainTask::from_sas(&source, &Budget::new(limits)).is_err(),
            "{line}"
        );
    }
}

#[test]
fn memory_is_limited() {
    let operator = "begin_operator\npress lamp\n0\n1\n0 0 -1 0\n2\nend_operator\n";
    let text = LAMP.replace(
        "2\nbegin_operator",
        &format!("10002\n{}begin_operator", operator.repeat(10_000)),
    );
    assert_eq!(read(&text).expect("a task").operators.len(), 10_002);
    let limits = Limits {
        bytes: Some(100_000),
        ..Limits::default()
    };
    let faults = FiniteDomainTask::from_sas(&Source::new("lamp.sas", &text), &Budget::new(limits))
        .expect_err("a limit");
    assert_eq!(
        faults.diagnostics().last().map(herbrand_text::Diagnostic::code),
        Some(SasCode::Limit)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Texts with lines exchanged, removed and repeated are read or rejected; a task that was read can be written and grounded.
    #[test]
    fn broken_texts_are_rejected_or_read(
        edits in prop::collection::vec((0..67_usize, 0..67_usize, 0..5_u8, -2..4_i64), 1..4),
    ) {
        let mut lines: Vec<String> = LAMP.lines().map(str::to_owned).collect();
        for (one, other, kind, number) in edits {
            let (one, other) = (one % lines.len(), other % lines.len());
            match kind {
                0 => lines.swap(one, other),
                1 => drop(lines.remove(one)),
                2 => lines.insert(one, lines[other].clone()),
                3 => lines[one] = number.to_string(),
                _ => {
                    let mut words: Vec<_> = lines[one].split(' ').map(str::to_owned).collect();
                    let place = other % words.len();
                    words[place] = number.to_string();
                    lines[one] = words.join(" ");
                }
            }
        }
        match read(&lines.join("\n")) {
            Ok(task) => {
                if !task.goal.is_empty() {
                    prop_assert_eq!(&read(&task.to_sas()).expect("a task"), &task);
                }
                let made = ground_task(&task, "lamp", &Budget::unlimited()).expect("no limit");
                made.task.check().expect("a sound task");
            }
            Err(faults) => prop_assert!(faults.errors() > 0),
        }
    }
}
