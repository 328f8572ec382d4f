//! `herbrand rddl graph`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::network::Network;

use super::{Asked, Drawn};
use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};

/// Which fluent depends on which, as a dynamic Bayes net
///
/// Prints for each fluent what it is computed from: state and action fluents before the step, and with a prime state fluents after it.
/// Fluents of the domain are the nodes, or with --ground those of the problem.
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

    /// Show what this fluent depends on, and nothing else
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
