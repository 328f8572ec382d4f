//! `herbrand rddl graph`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::ground::CompileError;
use herbrand::rddl::network::Network;
use herbrand::rddl::suite::RddlError;

use super::{Drawn, OneFluent, ends_with};
use crate::failure::Failure;
use crate::files;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};
use crate::problem::ProblemArgs;

/// Print the dependencies between fluents, as a dynamic Bayes net
///
/// For each fluent, prints the fluents that it is computed from. A prime marks a state fluent after the step. The nodes are
/// the fluents of the domain, or the ground fluents of the problem: with --ground, or if --of names a ground fluent. --of
/// shows only the dependencies of one fluent.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl graph rddl/elevators
  herbrand rddl graph rddl/elevators --out elevators.svg
  herbrand rddl graph rddl/elevators --out elevators.dot
  herbrand rddl graph rddl/sysadmin-mdp --ground --of running___c1
  herbrand rddl graph --domain domain.rddl --problem instance.rddl --format json")]
pub struct Graph {
    #[command(flatten)]
    pub(super) asked: ProblemArgs,

    /// Show the ground fluents of the problem
    #[arg(long)]
    ground: bool,

    #[command(flatten)]
    fluent: OneFluent,

    #[command(flatten)]
    drawn: Drawn,
}

impl Graph {
    pub fn run(mut self, format: Format) -> Result<CommandOutcome, Failure> {
        let of = self.fluent.take(&mut self.asked)?;
        let is_ground = |name: &String| name.contains('(') || name.contains("___");
        let mut network = if self.ground || of.as_ref().is_some_and(is_ground) {
            let network = Network::ground(&self.asked.step()?, &self.asked.budget());
            network.map_err(|error| RddlError::from(CompileError::from(error)))?
        } else {
            Network::lifted(&self.asked.instance()?.domain)
        };
        if let Some(name) = &of {
            network = network.behind(name).map_err(Failure::of)?;
        }
        if let Some(path) = self.drawn.out.as_deref().filter(|path| ends_with(path, "dot")) {
            files::write_file(path, network.to_dot())?;
            files::report_written(path, counted(network.nodes.len() as u64, "node"));
            return Ok(CommandOutcome::Yes);
        }
        if self.drawn.write(|| network.scene().map_err(Failure::of))? {
            return Ok(CommandOutcome::Yes);
        }
        match format {
            Format::Json => output::json(&network)?,
            Format::Text => {
                let mut out = output::out();
                for node in &network.nodes {
                    let reads = network.reads(&node.name);
                    if !reads.is_empty() {
                        writeln!(out, "{}: {}", node.name, reads.join(", "))?;
                    }
                }
                out.flush()?;
            }
        }
        Ok(CommandOutcome::Yes)
    }
}
