//! Files in the format of Fast Downward's translator. The page `tasks.md` has the rest.

use crate::run::Scratch;

/// With irrelevant atoms, the written task has the reachable states of the ground task, also of atoms that nothing reads.
#[test]
fn irrelevant_atoms_are_kept_on_request() {
    let scratch = Scratch::new("irrelevant");
    let rows = [
        (
            "(define (domain d) (:predicates (p) (q) (r))
  (:action a :effect (and (p) (q))) (:action b :precondition (q) :effect (r)))",
            "(define (problem p) (:domain d) (:init) (:goal (p)))",
        ),
        (
            "(define (domain d) (:predicates (clear ?x) (on ?x ?y) (wide ?x))
  (:action move :parameters (?b ?from ?to) :precondition (and (clear ?b) (on ?b ?from) (clear ?to) (not (wide ?b)))
    :effect (and (on ?b ?to) (clear ?from) (not (on ?b ?from)) (not (clear ?to)))))",
            "(define (problem p) (:domain d) (:objects a b c table) (:init (on a table) (on b table) (on c a) (clear c) (clear b)
  (clear table) (wide table)) (:goal (on a b)))",
        ),
    ];
    let mut fewer = 0;
    for (domain, problem) in rows {
        scratch.write("domain.pddl", domain);
        scratch.write("p.pddl", problem);
        let states = |files: &str| {
            let run = scratch.shell(&format!("herbrand space {files} --format json"));
            assert_eq!(run.status, 0, "{}", run.stderr);
            run.json()["states"].as_u64().expect("a number")
        };
        let of_text = states("domain.pddl p.pddl");
        for (keep, option) in [(true, "--keep-irrelevant"), (false, "")] {
            let run = scratch.shell(&format!("herbrand translate p.pddl --out p.sas --force {option}"));
            assert_eq!(run.status, 0, "{}", run.stderr);
            let of_file = states("p.sas");
            assert!(of_file == of_text || !keep, "{of_file} {of_text}\n{domain}");
            fewer += u32::from(of_file < of_text);
        }
    }
    assert!(fewer > 0, "some atom is irrelevant");
}

#[test]
fn limits_hold_for_a_task_file() {
    let scratch = Scratch::new("small-task");
    scratch.write("lift.sas", include_str!("../pages/files/lift.sas"));
    let run = scratch.run(&["plan", "lift.sas", "--memory", "1KiB"]);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(run.stdout.contains("memory"), "{}", run.stdout);
}
