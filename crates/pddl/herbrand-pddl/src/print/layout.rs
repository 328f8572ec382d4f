//! A pretty printer for lists in parentheses.
//!
//! A list that fits in one line is written in one. Otherwise its head stays on the first line and each further part gets a
//! line of its own, indented by two spaces.

/// The line length above which a list is broken. A single long word may exceed it.
const WIDTH: usize = 100;

/// A document for the pretty printer.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// A word or short phrase, never broken.
    Word(String),
    /// `key value`
    Pair(String, Box<Layout>),
    /// Words that are wrapped at the line length.
    Fill(Vec<String>),
    /// A comment, always followed by a line break.
    Comment(String),
    /// `(head part…)`
    List(List),
}

#[derive(Clone, Debug)]
pub(crate) struct List {
    /// The text that stays on the first line.
    head: String,
    parts: Vec<Layout>,
    /// Whether each part gets a line of its own even if all fit in one.
    broken: bool,
    /// Whether the first part stays on the first line if it fits there.
    keeps_first: bool,
    /// The one-line width. It is computed once, so that printing takes linear time.
    width: usize,
}

impl Layout {
    pub(crate) fn word(word: impl Into<String>) -> Self {
        Self::Word(word.into())
    }

    pub(crate) fn pair(key: impl Into<String>, value: Self) -> Self {
        Self::Pair(key.into(), Box::new(value))
    }

    /// Returns a list that is written in one line if it fits.
    pub(crate) fn list(head: impl Into<String>, parts: Vec<Self>) -> Self {
        Self::new_list(head.into(), parts, false, false)
    }

    /// Returns a list that is written in one line if it fits. Otherwise its first part stays beside the head if it fits
    /// there.
    pub(crate) fn clause(head: impl Into<String>, parts: Vec<Self>) -> Self {
        Self::new_list(head.into(), parts, false, true)
    }

    /// Returns a list with one line per part.
    pub(crate) fn lines(head: impl Into<String>, parts: Vec<Self>) -> Self {
        Self::new_list(head.into(), parts, true, false)
    }

    fn new_list(head: String, parts: Vec<Self>, broken: bool, keeps_first: bool) -> Self {
        let width = 2 + head.len() + parts.iter().map(|part| 1 + part.width()).sum::<usize>();
        let broken = broken && !parts.is_empty();
        Self::List(List {
            head,
            parts,
            broken,
            keeps_first,
            width,
        })
    }

    /// Returns the one-line width; more than [`WIDTH`] if the layout always takes several lines.
    fn width(&self) -> usize {
        match self {
            Self::Word(word) => word.len(),
            Self::Pair(key, value) => key.len() + 1 + value.width(),
            Self::Fill(words) => words.iter().map(String::len).sum::<usize>() + words.len().saturating_sub(1),
            Self::Comment(_) => WIDTH + 1,
            Self::List(list) if list.broken => WIDTH + 1,
            Self::List(list) => list.width,
        }
    }

    /// Writes the layout from column `column` of a line indented by `indent`. Returns the column after it.
    pub(crate) fn write(&self, indent: usize, column: usize, out: &mut String) -> usize {
        match self {
            Self::Word(word) => push(word, column, out),
            Self::Comment(text) => push(text, column, out),
            Self::Pair(key, value) => {
                let column = push(key, column, out);
                let column = push(" ", column, out);
                value.write(indent, column, out)
            }
            Self::Fill(words) => fill(words, indent, column, out),
            Self::List(list) => list.write(indent, column, out),
        }
    }
}

impl List {
    fn write(&self, indent: usize, column: usize, out: &mut String) -> usize {
        let in_one_line = !self.broken && column + self.width <= WIDTH;
        let mut column = push("(", column, out);
        column = push(&self.head, column, out);
        for (index, part) in self.parts.iter().enumerate() {
            let stays = index == 0 && self.keeps_first && column + 1 + part.width() <= WIDTH;
            if !in_one_line && !stays {
                column = new_line(indent + 2, out);
            } else {
                column = push(" ", column, out);
            }
            column = part.write(indent + 2, column, out);
        }
        if let Some(Layout::Comment(_)) = self.parts.last() {
            column = new_line(indent, out);
        }
        push(")", column, out)
    }
}

fn fill(words: &[String], indent: usize, mut column: usize, out: &mut String) -> usize {
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            if column + 1 + word.len() > WIDTH {
                column = new_line(indent + 2, out);
            } else {
                column = push(" ", column, out);
            }
        }
        column = push(word, column, out);
    }
    column
}

fn push(text: &str, column: usize, out: &mut String) -> usize {
    out.push_str(text);
    column + text.len()
}

fn new_line(indent: usize, out: &mut String) -> usize {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    indent
}
