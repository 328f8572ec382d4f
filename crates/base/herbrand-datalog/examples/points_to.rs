//! Computes the objects that each variable of a small program may point to (Andersen's inclusion-based analysis).
//!
//! Run with `cargo run -p herbrand-datalog --example points_to`.

use std::ops::ControlFlow;

use herbrand_datalog::{Evaluator, Firing, Program};

const ANALYSIS: &str = "
    % let a = List(); let b = Item(); a.head = b; let c = a; let d = c.head; let e; e = d.head;
    new(a, list). new(b, item). store(a, head, b). assign(c, a). load(d, c, head). load(e, d, head).
    variable(a). variable(b). variable(c). variable(d). variable(e).

    points(Variable, Object) :- new(Variable, Object).
    points(To, Object) :- assign(To, From), points(From, Object).
    field(Base, Field, Object) :- store(Into, Field, From), points(Into, Base), points(From, Object).
    points(To, Object) :- load(To, From, Field), points(From, Base), field(Base, Field, Object).

    somewhere(Variable) :- points(Variable, _).
    null(Variable) :- variable(Variable), not somewhere(Variable).
    alias(One, Other) :- points(One, Object), points(Other, Object), One != Other.
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (program, facts) = Program::parse(ANALYSIS)?;
    let evaluator = Evaluator::new(&program)?;
    println!("{} strata", evaluator.strata().strata().len());

    // The sink receives the derivations: the first firing that concludes a fact is a proof of it.
    let mut proofs: Vec<Option<String>> = Vec::new();
    let mut sink = |firing: &Firing<'_>| {
        for conclusion in firing.conclusions {
            proofs.resize(proofs.len().max(conclusion.index() + 1), None);
            proofs[conclusion.index()].get_or_insert_with(|| program.display_rule(firing.rule).to_string());
        }
        ControlFlow::Continue(())
    };
    let model = evaluator.run(&facts, &mut sink)?;
    for fact in model.ids() {
        let why = proofs
            .get(fact.index())
            .and_then(Option::as_deref)
            .unwrap_or("input");
        println!(
            "{}  because  {why}",
            program.display_fact(model.relation(fact), model.tuple(fact))
        );
    }
    println!("\nHow the joins were done:");
    model
        .plans()
        .iter()
        .for_each(|plan| println!("{}", plan.display(&program)));
    Ok(())
}
