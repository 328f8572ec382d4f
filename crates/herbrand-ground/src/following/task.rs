//! The ground task of what is kept.

use herbrand_datalog::{
    Evaluator, FactId, Facts, Firing, Model, Program, RelationId, RuleId, Sink, Symbol, Term,
};
use herbrand_limits::Budget;

use super::Grounding;
use super::program::is_kept;
use crate::instance::{self, Input, Recorder};
use crate::normal::u32_len;
use crate::program::{ReachabilityProgram, strata};
use crate::{GroundError, GroundTask, inline};

/// Writes the task from the facts and firings of the view, as grounding writes it from those of an evaluation.
pub(super) fn write(kept: &Grounding, budget: &Budget) -> Result<GroundTask, GroundError> {
    let (domain, problem, normal) = (&*kept.domain, &*kept.problem, &*kept.normal);
    let goal = normal.goal(problem, budget)?;
    let strata = strata(domain, problem, normal, &goal, budget)?;
    let mut reachability = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
    let objects = kept.symbols.objects();
    let facts = facts(kept, &mut reachability, &objects);
    let model = Evaluator::new(&tables(&reachability.program))?.run(&facts, &mut ())?;
    drop(facts);
    let mut recorder = Recorder::new(&reachability.program, &reachability.meanings);
    for (rule, (meaning, &firings)) in reachability.meanings.iter().zip(&kept.viewed.firings).enumerate() {
        if is_kept(meaning) {
            record(
                kept,
                &reachability.program,
                RuleId::new(u32_len(rule)),
                firings,
                &objects,
                &model,
                &mut recorder,
            );
        }
    }
    let input = Input {
        normal,
        goal: &goal,
        reachability: &reachability,
        model: &model,
        strata: &strata,
        budget,
    };
    let task = inline::inline_auxiliaries(instance::instantiate(&input, recorder)?, budget)?;
    budget.check("writing the ground task", task.bytes() as u64)?;
    Ok(task)
}

/// The relations of a program without its rules: a model of them holds its input.
fn tables(program: &Program) -> Program {
    let mut tables = Program::new();
    tables.reserve_symbols(program.symbols());
    for (id, relation) in program.relation_ids().zip(program.relations()) {
        if program.is_static(id) {
            tables.relation(relation.name.clone(), relation.arity);
        } else {
            tables.fluent(relation.name.clone(), relation.arity);
        }
    }
    tables
}

/// The input of the relaxed program and what is derived from it, over the objects of the problem.
fn facts(kept: &Grounding, reachability: &mut ReachabilityProgram<'_>, objects: &[Option<Symbol>]) -> Facts {
    let mut facts = std::mem::take(&mut reachability.facts);
    let relations = 0..reachability.program.relations().len();
    let mut renamed = Vec::new();
    for relation in relations.map(|index| RelationId::new(u32_len(index))) {
        for tuple in sorted(kept, relation) {
            renamed.clear();
            renamed.extend(tuple.iter().filter_map(|symbol| objects[symbol.index()]));
            facts.add(relation, &renamed);
        }
    }
    facts
}

/// What holds of a relation, in ascending order.
fn sorted(kept: &Grounding, relation: RelationId) -> Vec<&[Symbol]> {
    let mut tuples: Vec<_> = kept.held[relation.index()].iter().map(|tuple| &**tuple).collect();
    tuples.sort_unstable();
    tuples
}

/// Tells the recorder of a rule's firings.
fn record(
    kept: &Grounding,
    program: &Program,
    rule: RuleId,
    firings: RelationId,
    objects: &[Option<Symbol>],
    model: &Model,
    recorder: &mut Recorder,
) {
    let of = &program.rules()[rule.index()];
    let (mut binding, mut tuple) = (Vec::new(), Vec::new());
    for symbols in sorted(kept, firings) {
        binding.clear();
        binding.extend(symbols.iter().filter_map(|symbol| objects[symbol.index()]));
        let mut fact = |atom: &herbrand_datalog::Atom| -> Option<FactId> {
            tuple.clear();
            tuple.extend(atom.terms.iter().map(|term| match *term {
                Term::Variable(variable) => binding[variable.index()],
                Term::Constant(symbol) => symbol,
            }));
            model.id(atom.relation, &tuple)
        };
        let premises = of.positive().filter(|atom| !program.is_static(atom.relation));
        let premises: Option<Vec<_>> = premises.map(&mut fact).collect();
        let conclusions: Option<Vec<_>> = of.heads.iter().map(&mut fact).collect();
        if let Some((premises, conclusions)) = premises.zip(conclusions) {
            let firing = Firing {
                rule,
                binding: &binding,
                premises: &premises,
                conclusions: &conclusions,
            };
            let _ = recorder.fired(&firing);
        }
    }
}
