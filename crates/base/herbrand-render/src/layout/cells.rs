//! Cells whose names contain their row and column.

/// The maximum number of rows and of columns.
const LARGEST: usize = 1000;

/// A pattern of cell names, such as `l-{row}-{column}`, from which the positions of cells are read. In the grids of
/// pictures, rows and columns count from 1, or from 0 if some cell has 0. The default is `r{row}c{column}`. A
/// declaration holds the text of a pattern ([`Grid::cells`](crate::declare::Grid)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellNames {
    before: String,
    between: String,
    after: String,
    /// Whether the column comes before the row.
    column_first: bool,
}

impl Default for CellNames {
    fn default() -> Self {
        Self {
            before: "r".to_owned(),
            between: "c".to_owned(),
            after: String::new(),
            column_first: false,
        }
    }
}

impl CellNames {
    /// Parses a pattern; `None` unless it contains `{row}` and `{column}`, in either order, with some text between
    /// them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (row, column) = (text.find("{row}")?, text.find("{column}")?);
        let column_first = column < row;
        let places = if column_first {
            ["{column}", "{row}"]
        } else {
            ["{row}", "{column}"]
        };
        let (before, rest) = text.split_once(places[0])?;
        let (between, after) = rest.split_once(places[1])?;
        (!between.is_empty()).then(|| Self {
            before: before.to_owned(),
            between: between.to_owned(),
            after: after.to_owned(),
            column_first,
        })
    }

    /// Returns the row and the column that a cell's name contains, as written; `None` if the name does not match the
    /// pattern. It does not match either if a number is above 1000.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        let name = name.strip_prefix(self.before.as_str())?;
        let (one, rest) = name.split_once(self.between.as_str())?;
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse().ok().filter(|_| digits);
            number.filter(|number| (0..=LARGEST).contains(number))
        };
        let (one, other) = (number(one)?, number(rest.strip_suffix(self.after.as_str())?)?);
        Some(if self.column_first {
            (other, one)
        } else {
            (one, other)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_row_and_column() {
        let pattern = CellNames::default();
        for (name, expected) in [
            ("r1c1", Some((1, 1))),
            ("r12c3", Some((12, 3))),
            ("r0c1", Some((0, 1))),
            ("r1c1001", None),
            ("rc", None),
            ("r1c+1", None),
            ("rock", None),
            ("r1", None),
        ] {
            assert_eq!(pattern.place(name), expected, "{name}");
        }
    }
}
