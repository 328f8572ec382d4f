//! Rendering of diagnostics for people.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Label};
use crate::source::{Source, Span};

/// The style in which diagnostics are rendered for people. [`Diagnostic::render`] takes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Plain text.
    Plain,
    /// Text with terminal colours, as ANSI escape sequences.
    Colored,
}

impl<C: Code> Diagnostic<C> {
    /// Renders the diagnostic for people: the message, the source lines with carets under the labels, notes and help.
    /// Of a line longer than 2000 bytes, the part around each label is shown, with `…` where it was cut off.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.message()).id(self.code().as_str());
        let mut group = Group::with_title(title);
        for labels in together(&self.labels) {
            match snippet(&labels) {
                Some(snippet) => group = group.element(snippet),
                None => {
                    for label in labels {
                        group = group.element(origin(label)).element(excerpt(label));
                    }
                }
            }
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        match style {
            Style::Plain => Renderer::plain(),
            Style::Colored => Renderer::styled(),
        }
        .render(&[group])
    }
}

/// The distance, in bytes, above which two labels are shown in separate snippets.
const FAR: usize = 3000;

/// Groups the labels that are shown in one snippet, because they are near each other in the same source. Keeps the order.
fn together(labels: &[Label]) -> Vec<Vec<&Label>> {
    let mut groups: Vec<Vec<&Label>> = Vec::new();
    for label in labels {
        let is_near = |group: &&mut Vec<&Label>| {
            let distance = group[0].span.start.abs_diff(label.span.start);
            group[0].source == label.source && distance as usize <= FAR
        };
        match groups.iter_mut().find(is_near) {
            Some(group) => group.push(label),
            None => groups.push(vec![label]),
        }
    }
    groups
}

/// Returns the lines around the labels of one source; `None` if one of these lines is too long to display. The snippet
/// contains only these lines, because the renderer would scan the whole text otherwise.
fn snippet<'d>(labels: &[&'d Label]) -> Option<Snippet<'d, Annotation<'d>>> {
    const LONGEST_LINE: usize = 2000;
    let source = &labels[0].source;
    let spans: Vec<_> = labels.iter().map(|label| within(source, label.span)).collect();
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let text = source.text();
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[last..]
        .find('\n')
        .map_or(text.len(), |newline| last + newline);
    if text[start..end].split('\n').any(|line| line.len() > LONGEST_LINE) {
        return None;
    }
    let line = 1 + text[..start].bytes().filter(|&byte| byte == b'\n').count();
    let annotations = labels.iter().zip(spans).map(|(label, span)| {
        let kind = if label.primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let annotation = kind.span(span.start - start..span.end - start);
        if label.text.is_empty() {
            annotation
        } else {
            annotation.label(label.text.as_str())
        }
    });
    Some(
        Snippet::source(&text[start..end])
            .line_start(line)
            .path(source.name())
            .annotations(annotations),
    )
}

/// The number of characters that are shown of a long line, before and after the beginning of a label.
const BEFORE: usize = 30;
const AFTER: usize = 40;

/// Returns the part of a line around the beginning of a label, for a line that is too long to display. The position is not
/// part of the snippet, because the renderer would count the column in the part.
fn excerpt<'d>(label: &'d Label) -> Snippet<'d, Annotation<'d>> {
    let (text, span) = (label.source.text(), within(&label.source, label.span));
    let line = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let before = text[line..span.start].char_indices().rev().take(BEFORE);
    let start = before.last().map_or(span.start, |(offset, _)| line + offset);
    let rest = &text[span.start..];
    let rest = rest.split(['\n', '\r']).next().unwrap_or_default();
    let length = rest
        .char_indices()
        .nth(AFTER)
        .map_or(rest.len(), |(offset, _)| offset);
    let end = span.start + length;
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (head, tail) = (cut(start > line), cut(length < rest.len()));
    let from = span.start - start + head.len();
    let kind = if label.primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let annotation = kind.span(from..from + span.end.min(end) - span.start);
    let annotation = if label.text.is_empty() {
        annotation
    } else {
        annotation.label(label.text.as_str())
    };
    Snippet::source(format!("{head}{}{tail}", &text[start..end]))
        .line_start(label.start().line)
        .annotation(annotation)
}

/// Returns the position of a label, for a label whose line is not shown in full.
fn origin(label: &Label) -> Origin<'_> {
    let start = label.start();
    Origin::path(label.source.name())
        .line(start.line)
        .char_column(start.column)
}

/// Returns the span as a byte range on character boundaries of the source. A long span is cut off after its first line.
fn within(source: &Source, span: Span) -> std::ops::Range<usize> {
    let text = source.text();
    let start = text.floor_char_boundary(span.start as usize);
    let mut end = text
        .ceil_char_boundary((span.end as usize).min(text.len()))
        .max(start);
    if end - start > FAR {
        end = text[start..end].find('\n').map_or(end, |newline| start + newline);
    }
    start..end
}
