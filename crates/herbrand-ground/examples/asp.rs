//! Prints the relaxed program of a problem in the language of answer set solvers, for a comparison with `gringo`.
//!
//! ```sh
//! cargo run --release -p herbrand-ground --example asp -- DOMAIN PROBLEM > program.lp
//! ```
//!
//! Relations, symbols and variables are printed as numbered names, for PDDL allows characters that those systems do
//! not.

use std::io::{BufWriter, Write};

use herbrand_datalog::{Atom, Literal, Symbol, Term};
use herbrand_ground::{NormalDomain, relaxed_program};
use herbrand_pddl::{Domain, Problem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(domain), Some(problem)) = (arguments.next(), arguments.next()) else {
        return Err("usage: asp DOMAIN PROBLEM".into());
    };
    let domain = Domain::from_file(domain)?;
    let problem = Problem::from_file(problem, &domain)?;
    let (program, facts) = relaxed_program(&domain, &NormalDomain::of(&domain), &problem);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (relation, tuple) in facts.iter() {
        let terms: Vec<_> = tuple.iter().copied().map(symbol).collect();
        writeln!(out, "{}.", application(relation.index(), &terms))?;
    }
    for rule in program.rules() {
        let body: Vec<_> = rule.body.iter().map(literal).collect();
        for head in &rule.heads {
            writeln!(out, "{} :- {}.", atom(head), body.join(", "))?;
        }
    }
    Ok(out.flush()?)
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
    application(atom.relation.index(), &terms)
}

fn application(relation: usize, terms: &[String]) -> String {
    if terms.is_empty() {
        format!("r{relation}")
    } else {
        format!("r{relation}({})", terms.join(","))
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
