//! Prints the relaxed program of a problem in the language of answer set solvers, for comparison with `gringo`.
//!
//! ```sh
//! cargo run --release -p herbrand-ground --example asp -- [--atoms] DOMAIN PROBLEM > program.lp
//! ```
//!
//! By default, each ground action is an atom from which its effects follow. With `--atoms` there are no action atoms, and
//! effects follow from preconditions. Relations, symbols and variables are printed as numbered names, because PDDL names may
//! contain characters that these solvers do not accept. `herbrand-datalog` reads the same text; see its example `evaluate`.

use std::io::{BufWriter, Write};

use herbrand_datalog::{Atom, Literal, Rule, Symbol, Term, Variable};
use herbrand_ground::{NormalDomain, RelaxedProgram};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem, SchemaId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let atoms_alone = arguments.first().is_some_and(|first| first == "--atoms");
    if atoms_alone {
        arguments.remove(0);
    }
    let [domain, problem] = &arguments[..] else {
        return Err("usage: asp [--atoms] DOMAIN PROBLEM".into());
    };
    let domain = Domain::from_file(domain)?;
    let problem = Problem::from_file(problem, &domain)?;
    let relaxed = RelaxedProgram::of(
        &domain,
        &NormalDomain::of(&domain),
        &problem,
        &Budget::unlimited(),
    )?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (relation, tuple) in relaxed.facts.iter() {
        let terms: Vec<_> = tuple.iter().copied().map(symbol).collect();
        writeln!(out, "{}.", application('r', relation.index(), &terms))?;
    }
    for (rule, schema) in relaxed.program.rules().iter().zip(&relaxed.schemas) {
        let body: Vec<_> = rule.body.iter().map(literal).collect();
        let mut body = body.join(", ");
        if let Some(schema) = schema.filter(|_| !atoms_alone) {
            let action = action(schema, rule, domain.schema(schema).arity);
            writeln!(out, "{}.", clause(&action, &body))?;
            body = action;
        }
        for head in &rule.heads {
            writeln!(out, "{}.", clause(&atom(head), &body))?;
        }
    }
    Ok(out.flush()?)
}

fn clause(head: &str, body: &str) -> String {
    if body.is_empty() {
        head.to_owned()
    } else {
        format!("{head} :- {body}")
    }
}

/// Returns the action atom, whose arguments are the parameters without existential variables.
fn action(schema: SchemaId, rule: &Rule, arity: u32) -> String {
    let parameters = (0..arity.min(rule.variables)).map(|number| term(Term::Variable(Variable::new(number))));
    application('a', schema.index(), &parameters.collect::<Vec<_>>())
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Positive(one) => atom(one),
        Literal::Negative(one) => format!("not {}", atom(one)),
        Literal::Equal(left, right) => format!("{} = {}", term(*left), term(*right)),
        Literal::Distinct(left, right) => format!("{} != {}", term(*left), term(*right)),
    }
}

fn atom(atom: &Atom) -> String {
    let terms: Vec<_> = atom.terms.iter().copied().map(term).collect();
    application('r', atom.relation.index(), &terms)
}

fn application(kind: char, number: usize, terms: &[String]) -> String {
    if terms.is_empty() {
        format!("{kind}{number}")
    } else {
        format!("{kind}{number}({})", terms.join(","))
    }
}

fn term(term: Term) -> String {
    match term {
        Term::Variable(variable) => format!("X{}", variable.number()),
        Term::Constant(constant) => symbol(constant),
    }
}

fn symbol(symbol: Symbol) -> String {
    format!("s{}", symbol.number())
}
