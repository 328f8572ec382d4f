//! Error messages for programs that cannot be evaluated.

use herbrand_datalog::{Evaluator, Program, Symbol, Variable};

fn fault(text: &str) -> String {
    let (program, _) = Program::parse(text).unwrap();
    Evaluator::new(&program).err().unwrap().to_string()
}

#[test]
fn unsafe_rules_are_shown() {
    insta::assert_snapshot!(fault("p(X, Y) :- q(X), not r(Y). s(X) :- t(X). u(X) :- X = Y."));
}

#[test]
fn negative_cycles_are_shown() {
    insta::assert_snapshot!(fault(
        "win(X) :- move(X, Y), not lost(Y).
         lost(X) :- stuck(X).
         stuck(X) :- place(X), win(X), X != y."
    ));
}

#[test]
fn a_relation_may_not_negate_itself() {
    insta::assert_snapshot!(fault("win(X) :- move(X, Y), not win(Y)."));
}

#[test]
fn arities_and_ranges_are_checked() {
    let mut program = Program::new();
    let p = program.relation("p", 2);
    program.reserve_symbols(3);
    program
        .rule("short")
        .head(p, [Variable::new(0)])
        .when(p, [Variable::new(0)])
        .add();
    program
        .rule("far")
        .when(p, [Symbol::new(2), Symbol::new(3)])
        .add();
    let errors = program.check().unwrap_err();
    insta::assert_snapshot!(
        errors
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    );
}

#[test]
fn text_that_is_no_datalog_names_its_line() {
    let error = |text| Program::parse(text).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            error("p(a).\nq(X) :- p(X)"),
            error("p(a, ).\n"),
            error("p(a).\n\nP(a)."),
            error("p(a) & q(b)."),
            error("#flow p/1."),
        ]
        .join("\n")
    );
}
