//! The internals of a problem: its ground task and its Datalog program.

use herbrand_datalog::Program;
use herbrand_env::Suite;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_rddl_sim::ground::Guards;

use crate::game::Game;
use crate::process;
use crate::reply::{Reply, Section};
use crate::request::ProblemName;
use crate::{Language, Refusal, RequestLimits, planning};

/// The maximum size in bytes of a ground task whose full text is included.
const IN_FULL: usize = 4 << 20;

/// Returns the ground task of a problem as text.
pub(crate) fn ground(game: &Game, listed: usize) -> Reply {
    match game {
        Game::Planning(game) => of_task(game.walk.system().space().task(), listed),
        Game::Process(game) => {
            let compiled = game.walk.system().compiled();
            let names = |title: &str, fluents: &herbrand_rddl_sim::simulate::GroundFluents| Section {
                title: title.to_owned(),
                lines: (0..fluents.len().min(listed))
                    .map(|at| compiled.name(fluents, at))
                    .collect(),
                count: fluents.len(),
            };
            let mut sections = vec![
                names("state fluents", &compiled.state),
                names("action fluents", &compiled.action),
                names("intermediate and derived fluents", &compiled.interm),
                names("observed fluents", &compiled.observ),
            ];
            sections.retain(|section| section.count > 0);
            let counts = sections.iter().map(|one| (one.title.clone(), one.count as u64));
            let counts = counts.chain([(
                "action preconditions".to_owned(),
                compiled.precondition_count() as u64,
            )]);
            Reply::Inside {
                counts: counts.collect(),
                sections,
            }
        }
    }
}

fn of_task(task: &GroundTask, listed: usize) -> Reply {
    let counts = [
        ("atoms", task.atom_count()),
        ("actions", task.actions.len()),
        ("axioms", task.axioms.len()),
        ("strata of axioms", task.strata.len()),
        ("atoms that never change", task.statics.len()),
    ];
    let atoms = (0..task.atom_count()).map(AtomId::from_index);
    let atoms = atoms.map(|id| task.display_atom(id).to_string());
    // The full text of a small task contains preconditions, effects, axioms, the initial state, and the goal.
    let text = if task.bytes() <= IN_FULL {
        task.to_string()
    } else {
        String::new()
    };
    let in_full = section(
        "in full",
        text.lines().map(str::to_owned),
        text.lines().count(),
        listed,
    );
    let actions = task.actions.ids().map(|id| task.display_action(id).to_string());
    let axioms = task.axioms.iter();
    let axioms = axioms.map(|&axiom| task.display_axiom(axiom).to_string());
    let mut sections = vec![
        in_full,
        section("actions", actions, task.actions.len(), listed),
        section("atoms that can change", atoms, task.atom_count(), listed),
        section("axioms", axioms, task.axioms.len(), listed),
    ];
    sections.retain(|section| section.count > 0);
    Reply::Inside {
        counts: counts.map(|(name, count)| (name.to_owned(), count as u64)).into(),
        sections,
    }
}

fn section(title: &str, lines: impl Iterator<Item = String>, count: usize, listed: usize) -> Section {
    Section {
        title: title.to_owned(),
        lines: lines.take(listed).collect(),
        count,
    }
}

/// Returns the Datalog program of a problem.
pub(crate) fn datalog(name: &ProblemName, allowance: &RequestLimits) -> Result<Reply, Refusal> {
    match crate::game::language(name) {
        Language::Pddl => {
            let suite: Suite = planning::suite(name, allowance)?;
            let simulator = suite.lifted_simulator(0)?;
            let task = simulator.task();
            let facts = ("facts that always hold", task.statics.len() as u64);
            Ok(of_program(&task.program, &[facts], allowance.listed))
        }
        Language::Rddl => {
            let suite = process::suite(name, allowance)?;
            let guards = Guards::of(suite.instance(0)?, &allowance.limits).map_err(Refusal::limit)?;
            Ok(of_program(guards.program(), &[], allowance.listed))
        }
    }
}

fn of_program(program: &Program, more: &[(&str, u64)], listed: usize) -> Reply {
    let rules = program
        .rule_ids()
        .map(|rule| program.display_rule(rule).to_string());
    let relations = program.relation_ids().zip(program.relations());
    let relations = relations.map(|(id, relation)| {
        let kind = if program.is_static(id) {
            "static"
        } else {
            "changes"
        };
        format!("{}/{}  {kind}", relation.name, relation.arity)
    });
    let counts = [
        ("rules", program.rules().len() as u64),
        ("relations", program.relations().len() as u64),
    ];
    let counts = counts.iter().chain(more);
    Reply::Inside {
        counts: counts.map(|&(name, count)| (name.to_owned(), count)).collect(),
        sections: vec![
            section("rules", rules, program.rules().len(), listed),
            section("relations", relations, program.relations().len(), listed),
        ],
    }
}
