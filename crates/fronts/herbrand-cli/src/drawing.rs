//! States in characters: grids and towers by the declaration that pictures are drawn by, all else as facts.

use std::io::{self, Write};

use anstyle::{AnsiColor, Color, Style};
use herbrand::core::{Fact, FactValue, Group};
use herbrand::render::colour::Colour;
use herbrand::render::{Moment, Picture, TextLine, TextRun};
use herbrand::tasks::any::AnySystem;

/// The width of the legend's lines.
const WIDTH: usize = 90;

/// Prints the state as characters if its picture has a grid or towers, and returns whether it does.
pub fn drawn(out: &mut dyn Write, picture: &Picture, moment: &Moment) -> io::Result<bool> {
    let Some(lines) = picture.text(moment) else {
        return Ok(false);
    };
    for line in lines {
        writeln!(out, "  {}", Painted(&line))?;
    }
    Ok(true)
}

/// Prints the meaning of the drawing's symbols, and returns whether it has any.
pub fn legend(out: &mut dyn Write, picture: &Picture, moment: &Moment) -> io::Result<bool> {
    let key = picture.text_key(moment);
    let mut width = 0;
    for meaning in &key {
        let length = meaning.symbol.chars().count() + 1 + meaning.means.chars().count();
        if width > 0 && width + 3 + length > WIDTH {
            writeln!(out)?;
            width = 0;
        }
        write!(out, "{}", if width > 0 { "   " } else { "  " })?;
        width += length + if width > 0 { 3 } else { 0 };
        let style = style(meaning.colour);
        write!(out, "{style}{}{style:#} {}", meaning.symbol, meaning.means)?;
    }
    if !key.is_empty() {
        writeln!(out)?;
    }
    Ok(!key.is_empty())
}

/// Prints the facts of the current state that `shown` selects, one line per name.
pub fn facts(
    out: &mut dyn Write,
    system: &dyn AnySystem,
    shown: impl Fn(&Fact<'_>) -> bool,
) -> io::Result<()> {
    let mut grouped = Grouped::default();
    system.facts(&mut |fact| {
        if shown(&fact) {
            grouped.add(&fact);
        }
    });
    grouped
        .lines()
        .iter()
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// Returns whether a fact is to be listed beside the drawing: it is neither static nor derived, and the drawing does not
/// show it.
pub fn is_beside(fact: &Fact<'_>, picture: &Picture) -> bool {
    fact.group != Group::Static
        && fact.group != Group::Derived
        && (!picture.draws_as_text(fact.name) || picture.lacks_place(fact.name, fact.arguments))
}

/// A line in its colours, without spaces at the end.
struct Painted<'l>(&'l TextLine);

impl std::fmt::Display for Painted<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let blank = |run: &&TextRun| run.text.trim_end().is_empty();
        let end = self.0.runs.iter().rev().take_while(blank).count();
        let kept = &self.0.runs[..self.0.runs.len() - end];
        for (at, run) in kept.iter().enumerate() {
            let text = if at + 1 == kept.len() {
                run.text.trim_end()
            } else {
                &run.text
            };
            let style = style(run.colour);
            write!(formatter, "{style}{text}{style:#}")?;
        }
        Ok(())
    }
}

/// The nearest colour of terminals that have sixteen.
fn style(colour: Option<Colour>) -> Style {
    let nearest = match colour {
        None | Some(Colour::Ink | Colour::Paper) => return Style::new(),
        Some(Colour::Blue) => AnsiColor::BrightBlue,
        Some(Colour::Sky) => AnsiColor::BrightCyan,
        Some(Colour::Green) => AnsiColor::Green,
        Some(Colour::Red) => AnsiColor::BrightRed,
        Some(Colour::Orange) => AnsiColor::Yellow,
        Some(Colour::Yellow) => AnsiColor::BrightYellow,
        Some(Colour::Purple) => AnsiColor::BrightMagenta,
        Some(Colour::Brown) => AnsiColor::Red,
        Some(Colour::Grey) => AnsiColor::BrightBlack,
    };
    Style::new().fg_color(Some(Color::Ansi(nearest)))
}

/// Facts grouped by name, one line per name.
#[derive(Default)]
struct Grouped {
    lines: Vec<(Group, String, Vec<String>)>,
}

impl Grouped {
    fn add(&mut self, fact: &Fact<'_>) {
        let arguments = fact.arguments.join(" ");
        let text = match (fact.value.readable(), arguments.as_str()) {
            (FactValue::Bool(true), _) => arguments,
            (value, "") => format!("= {value}"),
            (value, _) => format!("{arguments} = {value}"),
        };
        match self.lines.last_mut() {
            Some((group, name, list)) if *group == fact.group && name == fact.name => list.push(text),
            _ => self.lines.push((fact.group, fact.name.to_owned(), vec![text])),
        }
    }

    fn lines(&self) -> Vec<String> {
        let width = self.lines.iter().map(|(_, name, _)| name.chars().count()).max();
        // Longer names go beyond their column.
        let width = width.unwrap_or(0).min(WIDTH);
        let lines = self.lines.iter().map(|(group, name, list)| {
            let note = match group {
                Group::Observed => "  (observed)",
                _ => "",
            };
            let line = format!("  {name:width$}  {}", list.join(", "));
            format!("{}{note}", line.trim_end())
        });
        lines.collect()
    }
}
