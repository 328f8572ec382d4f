//! Plans and policies as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use herbrand::core::readable;
use herbrand::plan::{PolicyKind, SearchOutcome};
use herbrand::tasks::plan::{
    ActingReport, CostMeaning, FoundPlan, PlanAnswer, PlanReport, PlanReturns, PolicyReport, StateRow,
    StateTable, StraightReport, UNEVALUATED, ValueOfAction,
};

use crate::failure::Failure;
use crate::limits::time_option;
use crate::output::{self, counted, filled, fixed, grouped, return_name, significant};

/// Prints an answer. `names_problem` says whether the text names the problem, and `is_table` whether the states of a policy stand
/// in place of a run.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(answer: &PlanAnswer, names_problem: bool, is_table: bool) -> Result<(), Failure> {
    let mut text = match answer {
        PlanAnswer::Plan(report) => search_text(report, names_problem),
        PlanAnswer::Policy(report) => {
            if let (true, Some(table)) = (is_table, &report.table) {
                print_table(table)?;
            }
            policy_text(report, is_table)
        }
        PlanAnswer::Straight(report) => readable_plan(report),
        PlanAnswer::Acting(report) => acting_text(report),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let mut out = output::out();
    write!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints what a reader should know about an answer to standard error.
pub fn warn(answer: &PlanAnswer) {
    for warning in answer.warnings() {
        anstream::eprintln!("warning: {warning}");
    }
    if let PlanAnswer::Straight(report) = answer
        && let Some(advice) = &report.advice
    {
        anstream::eprintln!("help: {advice}");
    }
}

/// Formats the answer of a search: the plan, and comments about the search.
fn search_text(report: &PlanReport, names_problem: bool) -> String {
    let mut text = report.found.as_ref().map_or_else(String::new, FoundPlan::text);
    let mut say = |sentence: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "; {sentence}");
    };
    say(&report.verdict(time_option()));
    for sentence in report.unreachable_goals.iter().chain(&report.undefined_values) {
        say(sentence);
    }
    if let Some(goal) = report.goal_probability.filter(|&goal| goal <= 1.0 - 1e-9) {
        say(&format!("it reaches the goal with probability {goal:.6}"));
    }
    // A plan whose cost is the metric has said its value.
    let cost_is_metric = (report.found.as_ref()).is_some_and(|found| found.meaning == CostMeaning::Metric);
    if let Some(metric) = report.metric.filter(|_| !cost_is_metric) {
        say(&format!(
            "value of the metric = {}{}",
            significant(metric),
            report.beside_metric
        ));
    }
    if let Some(rounding) = &report.rounding {
        say(&format!(
            "numbers may be rounded, so nothing is proven: {rounding}"
        ));
    }
    if let Some(note) = report.costs.note("the search") {
        say(&note);
    }
    if names_problem {
        say(&format!("problem {}", report.problem));
    }
    let expanded = if report.external {
        "ended".to_owned()
    } else {
        format!("{} expanded", counted(report.counts.expanded, "state"))
    };
    say(&format!(
        "planner {}: {expanded} in {:.3} s after {:.3} s of grounding",
        report.planner, report.search_seconds, report.compile_seconds
    ));
    text
}

/// Formats a policy: a run of it, unless its states are printed, and comments about it.
fn policy_text(report: &PolicyReport, is_table: bool) -> String {
    let mut text = String::new();
    let compiled = report.compile_seconds;
    let Some(runs) = &report.runs else {
        let why = match report.ended {
            Some(SearchOutcome::OutOfTime) => {
                &*format!("no policy was found within the time limit ({})", time_option())
            }
            Some(SearchOutcome::OutOfMemory) => "no policy was found within the memory limit (--memory)",
            _ => "stopped by a signal; no policy was found",
        };
        return format!(
            "; {why}\n; planner {}, after {compiled:.3} s of grounding\n",
            report.planner
        );
    };
    if !is_table {
        for step in &runs.first.steps {
            let _ = writeln!(text, "{step}");
        }
        let end = if runs.first.reached {
            "reaches the goal"
        } else {
            "does not reach the goal"
        };
        let length = counted(runs.first.steps.len() as u64, "step");
        let _ = writeln!(text, "; a run of the policy, which {end} after {length}");
    }
    let mut say = |sentence: &str| {
        let _ = writeln!(text, "; {sentence}");
    };
    if let Some(share) = report.goal_probability.filter(|_| report.exact) {
        say(&format!(
            "the policy reaches the goal with probability {share:.9}"
        ));
        if let Some(cost) = report.expected_cost {
            say(&format!("with a mean cost of {cost:.6} when it does"));
        }
        if report.optimal {
            say("no policy has a higher probability, or a lower cost at this probability");
        }
    }
    say(&runs.sentence());
    if let Some(rounding) = &report.rounding {
        say(&format!(
            "numbers may be rounded, so nothing is proven: {rounding}"
        ));
    }
    if let Some(note) = report.costs.note("the policy") {
        say(&note);
    }
    let how = match report.kind {
        PolicyKind::Uct | PolicyKind::Replan => {
            let walks = match report.kind {
                PolicyKind::Uct => {
                    format!(
                        ", each decided by at most {}",
                        counted(report.walks.into(), "walk")
                    )
                }
                _ => String::new(),
            };
            format!(
                "{} of {} in {:.3} s{walks},",
                counted(runs.count as u64, "run"),
                counted(runs.steps, "step"),
                report.run_seconds.unwrap_or_default(),
            )
        }
        _ => format!(
            "computed in {:.3} s{}",
            report.policy_seconds.unwrap_or_default(),
            work(report)
        ),
    };
    say(&format!(
        "policy by {}: {how} after {compiled:.3} s of grounding",
        report.planner
    ));
    text
}

/// Returns what a planner did to compute its policy, for the end of a line.
fn work(report: &PolicyReport) -> String {
    let (Some(states), Some(iterations)) = (report.states, report.iterations) else {
        return String::new();
    };
    let states = counted(states as u64, "state");
    let iterations = u64::from(iterations);
    match (report.kind, report.residual) {
        (PolicyKind::ValueIteration, Some(residual)) => {
            let sweeps = counted(iterations, "sweep");
            let residual = if residual > 0.0 {
                format!("{residual:.1e}")
            } else {
                "0".to_owned()
            };
            format!(", in {sweeps} over {states} with a residual of {residual},")
        }
        _ if iterations == 1 => format!(", with 1 policy evaluated on {states},"),
        _ => format!(", with {} policies evaluated on {states},", grouped(iterations)),
    }
}

/// Prints the first states: a row for each, or for each valid action of each.
fn print_table(table: &StateTable) -> Result<(), Failure> {
    let has_values = table.rows.iter().any(|row| row.values.is_some());
    let common = common(&table.rows);
    let mut rows = Vec::new();
    for row in &table.rows {
        let own: Vec<&str> = (row.facts.iter().map(String::as_str))
            .filter(|fact| !common.contains(fact))
            .collect();
        let own = if own.is_empty() {
            "–".to_owned()
        } else {
            own.join(" ")
        };
        match row.values.as_deref() {
            Some(values @ [_, ..]) => rows.extend(action_rows(row, values, own)),
            _ => rows.push(
                [
                    vec![row.state.to_string()],
                    valued(row.goal_probability, row.expected_cost),
                    vec![told(row), own],
                ]
                .concat(),
            ),
        }
    }
    let action = if has_values {
        "action (* by the policy)"
    } else {
        "action"
    };
    output::table(
        &[
            ("state", true),
            ("P(goal)", true),
            ("cost", true),
            (action, false),
            ("facts that hold", false),
        ],
        rows,
    )?;
    let mut out = output::out();
    if !common.is_empty() {
        writeln!(out, "; in each of these states:")?;
        for line in filled(common, " ") {
            writeln!(out, ";   {line}")?;
        }
    }
    let which = if table.all {
        "can be reached"
    } else {
        "the policy reaches"
    };
    let total = table.states;
    if total > table.rows.len() {
        writeln!(
            out,
            "; the first {} of {} that {which}: --table={total} prints all",
            table.rows.len(),
            counted(total as u64, "state"),
        )?;
    } else {
        writeln!(out, "; {}: all that {which}", counted(total as u64, "state"))?;
    }
    let starts: Vec<String> = table
        .starts
        .iter()
        .map(|&(number, probability)| {
            if probability == 1.0 {
                format!("state {number}")
            } else {
                format!("state {number} ({probability:.4})")
            }
        })
        .collect();
    writeln!(out, "; the start is {}", starts.join(" or "))?;
    out.flush()?;
    Ok(())
}

/// Returns the cells of a probability and a cost.
fn valued(share: f64, cost: Option<f64>) -> Vec<String> {
    let cost = cost.map_or_else(|| "–".to_owned(), |cost| format!("{cost:.4}"));
    vec![format!("{share:.4}"), cost]
}

/// Returns the action of a state, or why it has none.
fn told(row: &StateRow) -> String {
    match &row.action {
        Some(action) => action.clone(),
        None if row.goal => "goal".to_owned(),
        None if row.has_actions => "no way to the goal".to_owned(),
        None => "dead end".to_owned(),
    }
}

/// Returns a row for each action of a state, the best first. The first row has the number and the facts of the state.
fn action_rows(row: &StateRow, values: &[ValueOfAction], facts: String) -> Vec<Vec<String>> {
    let is_chosen = |value: &ValueOfAction| Some(&value.action) == row.action.as_ref();
    let mut values: Vec<_> = values.iter().collect();
    values.sort_by(|one, other| {
        let cost = |value: &ValueOfAction| value.expected_cost.unwrap_or(f64::INFINITY);
        (is_chosen(other).cmp(&is_chosen(one)))
            .then(other.goal_probability.total_cmp(&one.goal_probability))
            .then(cost(one).total_cmp(&cost(other)))
    });
    let mut first = vec![(row.state.to_string(), facts)].into_iter();
    let rows = values.into_iter().map(|value| {
        let (number, facts) = first.next().unwrap_or_default();
        let chosen = if is_chosen(value) { " *" } else { "" };
        [
            vec![number],
            valued(value.goal_probability, value.expected_cost),
            vec![format!("{}{chosen}", value.action), facts],
        ]
        .concat()
    });
    rows.collect()
}

/// Returns the facts that hold in all of several states; none if there is only one state.
fn common(rows: &[StateRow]) -> BTreeSet<&str> {
    let [first, others @ ..] = rows else {
        return BTreeSet::new();
    };
    let mut common: BTreeSet<&str> = first.facts.iter().map(String::as_str).collect();
    if others.is_empty() {
        common.clear();
    }
    for row in others {
        let here: BTreeSet<&str> = row.facts.iter().map(String::as_str).collect();
        common.retain(|fact| here.contains(fact));
    }
    common
}

/// Returns a choice for reading, with four significant digits.
fn readable_choice(word: &str) -> String {
    let real = |(name, value): (&str, &str)| {
        let number: f64 = value.parse().ok()?;
        value
            .contains('.')
            .then(|| format!("{name}={}", readable(number)))
    };
    word.split_once('=')
        .and_then(real)
        .unwrap_or_else(|| word.to_owned())
}

/// Formats joint actions, one per line. `word` formats a choice.
fn lines(steps: &[Vec<String>], word: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for (step, words) in steps.iter().enumerate() {
        let joint = if words.is_empty() {
            "()".to_owned()
        } else {
            let words: Vec<String> = words.iter().map(|one| word(one)).collect();
            words.join(", ")
        };
        let _ = writeln!(text, "{}: {joint}", step + 1);
    }
    text
}

/// Formats a plan for a file, with all digits.
pub fn plan_text(report: &StraightReport) -> String {
    plan_text_with(report, str::to_owned)
}

/// Formats a plan for reading. It says so if digits are left out.
fn readable_plan(report: &StraightReport) -> String {
    let mut text = plan_text_with(report, readable_choice);
    let mut words = report.plan.iter().flatten();
    if words.any(|word| readable_choice(word) != *word) {
        text += "; numbers are rounded: --out FILE writes all digits\n";
    }
    text
}

fn plan_text_with(report: &StraightReport, word: impl Fn(&str) -> String) -> String {
    let mut text = lines(&report.plan, word);
    match &report.paid {
        Some(paid) => text += &returns_text(paid),
        None => {
            let _ = writeln!(text, "; {UNEVALUATED}");
        }
    }
    let _ = writeln!(
        text,
        "; {} steps simulated in {:.2} seconds",
        grouped(report.simulated_steps),
        report.seconds
    );
    text
}

/// Formats the first run of an agent, and comments about all runs.
fn acting_text(report: &ActingReport) -> String {
    let mut text = lines(&report.first, readable_choice);
    let _ = writeln!(
        text,
        "; the first of {}; {:.2} seconds",
        counted(report.runs.into(), "run"),
        report.seconds
    );
    if let Some(optimum) = &report.optimum {
        let _ = writeln!(
            text,
            "; optimal: no policy has a greater mean than {}, computed exactly over {}",
            fixed(optimum.mean_discounted_return, 4),
            counted(optimum.states as u64, "state")
        );
        if optimum.broken_probability > 0.0 {
            let _ = writeln!(
                text,
                "; no policy breaks state invariants with a probability below {:.6}",
                optimum.broken_probability
            );
        }
    }
    text + &returns_text(&report.paid)
}

/// Returns the mean return, its standard error, and the mean returns of doing nothing and of random actions, as text.
pub fn returns_cells(paid: &PlanReturns) -> [String; 4] {
    [
        paid.own.mean_return,
        paid.own.standard_error,
        paid.nothing.mean.mean_return,
        paid.random.mean.mean_return,
    ]
    .map(|value| fixed(value, 4))
}

/// Formats the report as comments below a plan.
fn returns_text(paid: &PlanReturns) -> String {
    let horizon = paid
        .horizon
        .map_or_else(|| "infinite".to_owned(), |steps| steps.to_string());
    let discount = match paid.discount {
        1.0 => String::new(),
        discount => format!(", discount {discount}"),
    };
    let (mean_return, standard_error) = (paid.own.mean_return, paid.own.standard_error);
    let name = return_name(paid.discount);
    let mut text = format!(
        "; mean {name} {}, standard error {}: {} of {}, horizon {horizon}{discount}\n",
        fixed(mean_return, 4),
        fixed(standard_error, 4),
        counted(paid.episodes as u64, "episode"),
        counted(paid.steps.into(), "step"),
    );
    for (baseline_name, baseline) in [("doing nothing", &paid.nothing), ("random actions", &paid.random)] {
        let less = if baseline.gain < 0.0 { "more" } else { "less" };
        let mean = fixed(baseline.mean.mean_return, 4);
        let broken = match baseline.broken_episodes {
            0 => String::new(),
            broken => format!("; a broken state invariant ends {}", counted(broken, "episode")),
        };
        if !baseline.gain.is_finite() {
            let _ = writeln!(text, "; {baseline_name}: mean {name} {mean}{broken}");
            continue;
        }
        let _ = writeln!(
            text,
            "; {baseline_name}: mean {name} {mean}, standard error {}: {} {less}, standard error of the difference {}{broken}",
            fixed(baseline.mean.standard_error, 4),
            fixed(baseline.gain.abs(), 4),
            fixed(baseline.gain_error, 4),
        );
    }
    if let Some(non_finite) = &paid.non_finite {
        let _ = writeln!(text, "; {}", non_finite.sentence(paid.episodes as u64));
    }
    for sentence in paid.faults.sentences() {
        let _ = writeln!(text, "; {sentence}");
    }
    text
}
