//! `herbrand rddl graph`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::network::Network;

use super::{Asked, Drawn};
use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};

/// Print the dependencies between fluents, as a dynamic Bayes net
///
/// For each fluent, prints the fluents that it is computed from. A prime marks a state fluent after the step. The nodes are
/// the fluents of the domain, or with --ground the ground fluents of the problem.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl graph rddl/elevators
  herbrand rddl graph rddl/elevators --out elevators.svg
  herbrand rddl graph rddl/sysadmin-mdp --ground --of running___c1
  herbrand rddl graph --domain domain.rddl --problem instance.rddl --format json")]
pub struct Graph {
    #[command(flatten)]
    pub(super) asked: Asked,

    /// Show the ground fluents of the problem
    #[arg(long)]
    ground: bool,

    /// Show the dependencies of this fluent only
    #[arg(long, value_name = "FLUENT")]
    of: Option<String>,

    #[command(flatten)]
    drawn: Drawn,
}

impl Graph {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let mut network = if self.ground {
            Network::ground(&self.asked.step()?)
        } else {
            Network::lifted(&self.asked.instance()?.domain)
        };
        let unable = |error: herbrand::rddl::network::NetworkError| Failure::Request(error.to_string());
        if let Some(name) = &self.of {
            network = network.behind(name).map_err(unable)?;
        }
        if self.drawn.write(|| network.scene().map_err(unable))? {
            return Ok(Answer::Yes);
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
        Ok(Answer::Yes)
    }
}
