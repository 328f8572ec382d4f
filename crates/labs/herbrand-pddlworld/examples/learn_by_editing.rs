//! Recovers a hidden domain from traces, by search over edits.
//!
//! ```sh
//! cargo run --release -p herbrand-pddlworld --example learn_by_editing -- blocks --out learning
//! ```
//!
//! Each run observes random steps in a bundled domain and searches for the model with the greatest likelihood. It starts
//! from the empty model and repeatedly takes the edit that explains the most additional bits. If no single edit helps, it
//! takes the best pair of edits of one operator. Finally it drops literals that explain nothing.
//!
//! The learning curve shows the agreement with the hidden domain, as a share of all states and actions, by the number of
//! observed steps. It is written as CSV and SVG; each point has the mean, minimum and maximum over the seeds.
//!
//! Walks start in random states, in which each atom is true with probability 1/2. With `--reachable` they start in the
//! initial state and reveal nothing about unreachable states.

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use herbrand_env::Registry;
use herbrand_pddl::Problem;
use herbrand_pddlworld::{PARTS, Sign, SignEdit, Sketch, Target, Walks};
use plotters::prelude::*;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The command line options.
struct Asked {
    domain: Option<String>,
    out: String,
    seeds: u64,
    most: u32,
    scattered: bool,
}

fn read(arguments: &[String]) -> Result<Asked, String> {
    let mut asked = Asked {
        domain: None,
        out: "learning".to_owned(),
        seeds: 5,
        most: 512,
        scattered: true,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("`{argument}` needs a value"));
        let number = |text: &String| {
            text.parse()
                .map_err(|_| format!("`{argument}` takes a number, not `{text}`"))
        };
        match argument.as_str() {
            "--out" => asked.out.clone_from(value()?),
            "--seeds" => asked.seeds = number(value()?)?,
            "--steps" => asked.most = number(value()?)? as u32,
            "--reachable" => asked.scattered = false,
            option if option.starts_with('-') => {
                return Err(format!(
                    "there is no `{option}`: there are --out, --seeds, --steps, --reachable"
                ));
            }
            domain => asked.domain = Some(domain.to_owned()),
        }
    }
    Ok(asked)
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let asked = read(arguments)?;
    let points = curve(&asked)?;
    let mut csv = String::from("steps,agreement,least,greatest,recovered,edits\n");
    for point in &points {
        let Point {
            steps,
            mean,
            least,
            greatest,
            recovered,
            edits,
        } = point;
        csv += &format!("{steps},{mean:.6},{least:.6},{greatest:.6},{recovered:.3},{edits:.1}\n");
    }
    fs::write(format!("{}.csv", asked.out), &csv)?;
    draw(
        &format!("{}.svg", asked.out),
        asked.domain.as_deref().unwrap_or("light-switch"),
        &points,
    )?;
    print!("{csv}");
    Ok(())
}

/// Returns the hidden domain, observed for this number of steps.
fn hidden(asked: &Asked, steps: u32, seed: u64) -> Result<Target, Box<dyn Error>> {
    // Short walks see more different random states.
    let length = if asked.scattered { 2 } else { 16 };
    let walks = Walks {
        count: steps.div_ceil(length),
        steps: length,
        seed,
        scattered: asked.scattered,
    };
    let Some(name) = &asked.domain else {
        return Ok(Target::light_switch_seen(walks));
    };
    let suite = Registry::get(name)?;
    let source = suite.problem_source(0).ok_or("the domain has no problem")?;
    Ok(Target::new(
        suite.domain(),
        &[Problem::parse(source, suite.domain())?],
        walks,
    )?)
}

/// A point of the curve, over all seeds.
struct Point {
    steps: u32,
    /// The mean agreement of the model with the hidden domain.
    mean: f64,
    least: f64,
    greatest: f64,
    /// The share of seeds with an equivalent model.
    recovered: f64,
    /// The mean number of edits in the search.
    edits: f64,
}

fn curve(asked: &Asked) -> Result<Vec<Point>, Box<dyn Error>> {
    let mut points = Vec::new();
    let mut steps = 4;
    while steps <= asked.most {
        let mut runs = Vec::new();
        for seed in 0..asked.seeds {
            let target = hidden(asked, steps, seed)?;
            let (model, edits) = learned(&target);
            runs.push((
                target.agreement(&model),
                target.is_equivalent(&model),
                edits as f64,
            ));
        }
        let count = runs.len().max(1) as f64;
        points.push(Point {
            steps,
            mean: runs.iter().map(|run| run.0).sum::<f64>() / count,
            least: runs.iter().map(|run| run.0).fold(1.0, f64::min),
            greatest: runs.iter().map(|run| run.0).fold(0.0, f64::max),
            recovered: runs.iter().filter(|run| run.1).count() as f64 / count,
            edits: runs.iter().map(|run| run.2).sum::<f64>() / count,
        });
        steps *= 2;
    }
    Ok(points)
}

/// Returns the model found by the search, and the number of edits.
fn learned(target: &Target) -> (Sketch, usize) {
    let wrong = |sketch: &Sketch| target.predictions(sketch).wrong;
    let mut model = Sketch::empty(target.vocabulary());
    let (mut least, mut edits) = (wrong(&model), 0);
    loop {
        let single = best(&model, &changes(target, &model, None), least, &wrong);
        let found = single.or_else(|| best_pair(target, &model, least, &wrong));
        let Some((better, explained, taken)) = found else {
            break;
        };
        (model, least, edits) = (better, explained, edits + taken);
    }
    // Drop literals that explain nothing.
    for change in changes(target, &model, None)
        .into_iter()
        .filter(|change| change.sign == Sign::Absent)
    {
        let mut simpler = model.clone();
        simpler.set(change);
        if wrong(&simpler) == least {
            (model, edits) = (simpler, edits + 1);
        }
    }
    (model, edits)
}

/// Returns the changes that differ from the current signs, of one operator or of all.
fn changes(target: &Target, model: &Sketch, only: Option<usize>) -> Vec<SignEdit> {
    let mut changes = Vec::new();
    for (operator, of) in target.vocabulary().operators().iter().enumerate() {
        if only.is_some_and(|only| only != operator) {
            continue;
        }
        for part in PARTS {
            for literal in 0..of.literals.len() {
                let old = model.get(part, operator, literal);
                let others = Sign::ALL.into_iter().filter(|sign| *sign != old);
                changes.extend(others.map(|sign| SignEdit {
                    part,
                    operator,
                    literal,
                    sign,
                }));
            }
        }
    }
    changes
}

/// Returns the model after the best single change, if it has fewer wrong bits.
fn best(
    model: &Sketch,
    changes: &[SignEdit],
    least: u64,
    wrong: &impl Fn(&Sketch) -> u64,
) -> Option<(Sketch, u64, usize)> {
    let scored = changes.iter().map(|&change| {
        let mut next = model.clone();
        next.set(change);
        let score = wrong(&next);
        (next, score, 1)
    });
    scored
        .min_by_key(|(_, score, _)| *score)
        .filter(|(_, score, _)| *score < least)
}

/// Returns the model after the best pair of changes of one operator, if it has fewer wrong bits.
fn best_pair(
    target: &Target,
    model: &Sketch,
    least: u64,
    wrong: &impl Fn(&Sketch) -> u64,
) -> Option<(Sketch, u64, usize)> {
    let mut found: Option<(Sketch, u64, usize)> = None;
    for first in changes(target, model, None) {
        let mut next = model.clone();
        next.set(first);
        let bound = found.as_ref().map_or(least, |(_, score, _)| *score);
        if let Some((after, score, _)) =
            best(&next, &changes(target, &next, Some(first.operator)), bound, wrong)
        {
            found = Some((after, score, 2));
        }
    }
    found
}

/// Draws the curve.
fn draw(path: &str, name: &str, points: &[Point]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(path, (640, 400)).into_drawing_area();
    area.fill(&WHITE)?;
    let (first, last) = (
        points.first().map_or(1, |point| point.steps),
        points.last().map_or(2, |point| point.steps),
    );
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{name}: learned by edits"), ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d((first..last.max(first + 1)).log_scale(), 0.0..1.02)?;
    chart
        .configure_mesh()
        .x_desc("steps seen")
        .y_desc("agreement with the hidden domain")
        .draw()?;
    let colour = RGBColor(0x1f, 0x77, 0xb4);
    chart.draw_series(LineSeries::new(
        points.iter().map(|point| (point.steps, point.mean)),
        &colour,
    ))?;
    let spread = |point: &Point| {
        let ends = [point.least, point.greatest];
        PathElement::new(ends.map(|end| (point.steps, end)), colour)
    };
    chart.draw_series(points.iter().map(spread))?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(domain: Option<&str>, scattered: bool) -> Asked {
        Asked {
            domain: domain.map(str::to_owned),
            out: String::new(),
            seeds: 2,
            most: 64,
            scattered,
        }
    }

    #[test]
    fn hidden_domains_are_recovered() {
        let last_of = |asked: Asked| curve(&asked).expect("a curve").pop().expect("a point");
        let switch = last_of(asked(None, true));
        assert_eq!((switch.mean, switch.recovered, switch.edits), (1.0, 1.0, 6.0));
        let blocks = curve(&Asked {
            most: 256,
            ..asked(Some("blocks"), true)
        })
        .expect("a curve");
        let (first, last) = (&blocks[0], &blocks[blocks.len() - 1]);
        assert!(
            first.mean < last.mean && last.recovered == 1.0,
            "{} {}",
            first.mean,
            last.mean
        );
    }

    #[test]
    fn curves_are_written() {
        let out = std::env::temp_dir().join(format!("learn-by-editing-{}", std::process::id()));
        let out = out.to_str().expect("UTF-8");
        let arguments = ["--seeds", "1", "--steps", "8", "--out", out].map(str::to_owned);
        run(&arguments).expect("a curve");
        let csv = fs::read_to_string(format!("{out}.csv")).expect("a table");
        assert_eq!(csv.lines().count(), 3);
        assert!(
            fs::read_to_string(format!("{out}.svg"))
                .expect("a picture")
                .contains("</svg>")
        );
        for end in ["csv", "svg"] {
            fs::remove_file(format!("{out}.{end}")).expect("it was written");
        }
        assert!(run(&["--sedes".to_owned()]).is_err());
        assert!(run(&["casino".to_owned(), "--out".to_owned(), out.to_owned()]).is_err());
    }
}
