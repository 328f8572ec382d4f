//! `herbrand explain`: what a diagnostic's code means.

use std::io::Write;

use clap::Args;
use herbrand::render::RenderCode;
use herbrand::text::Code;
use herbrand::{pddl, rddl};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};

/// Explain a diagnostic's code, with a wrong and a right example
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand explain E0102                       a code of PDDL
  herbrand explain E1304                       a code of RDDL
  herbrand explain --all")]
pub struct Explain {
    /// The code
    #[arg(value_name = "CODE", required_unless_present = "all")]
    code: Option<String>,

    /// List all codes, each with a few words
    #[arg(long, conflicts_with = "code")]
    all: bool,
}

#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    summary: &'static str,
    explanation: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl Explain {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let explanations = match &self.code {
            Some(code) => vec![Explanation::find(code)?],
            None => {
                let pddl = pddl::Code::ALL.iter().copied().map(Explanation::of);
                let rddl = rddl::Code::ALL.iter().copied().map(Explanation::of);
                let pictures = RenderCode::ALL.iter().copied().map(Explanation::of);
                pddl.chain(rddl).chain(pictures).collect()
            }
        };
        match (format, explanations.as_slice()) {
            (Format::Json, [explanation]) if !self.all => output::json(explanation)?,
            (Format::Json, all) => output::json(&all)?,
            (Format::Text, [explanation]) if !self.all => explanation.print()?,
            (Format::Text, all) => list(all)?,
        }
        Ok(Answer::Yes)
    }
}

impl Explanation {
    /// The explanation of a code of any language.
    fn find(code: &str) -> Result<Self, Failure> {
        let of_pddl = code.parse::<pddl::Code>().map(Self::of);
        let found = of_pddl.or_else(|_| code.parse::<rddl::Code>().map(Self::of));
        let found = found.or_else(|_| code.parse::<RenderCode>().map(Self::of));
        found.map_err(|error| Failure::Request(error.to_string()))
    }

    fn of(code: impl Code) -> Self {
        let explanation = code.explanation();
        Self {
            code: code.as_str(),
            severity: code.severity().as_str(),
            summary: code.summary(),
            explanation: explanation.text(),
            wrong: explanation.wrong(),
            right: explanation.right(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        let bold = anstyle::Style::new().bold();
        writeln!(
            out,
            "{bold}{}{bold:#} ({}): {}\n",
            self.code, self.severity, self.summary
        )?;
        writeln!(out, "{}", self.explanation)?;
        for (title, example) in [("Wrong", self.wrong), ("Right", self.right)] {
            if !example.is_empty() {
                writeln!(out, "\n{bold}{title}{bold:#}\n")?;
                example.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn list(explanations: &[Explanation]) -> Result<(), Failure> {
    let rows = explanations
        .iter()
        .map(|explanation| vec![explanation.code.to_owned(), explanation.summary.to_owned()]);
    Ok(output::table(&[("code", false), ("what it says", false)], rows)?)
}
