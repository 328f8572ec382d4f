//! Sentence templates with gaps.

/// A part of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Gap(String),
}

/// A sentence with gaps, such as `To the {way} you see the {room}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template(Vec<Piece>);

impl Template {
    pub(crate) fn new(mut text: &str) -> Self {
        let mut pieces = Vec::new();
        while let Some((before, rest)) = text.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            let (name, after) = rest.split_once('}').unwrap_or((rest, ""));
            pieces.push(Piece::Gap(name.to_owned()));
            text = after;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        Self(pieces)
    }

    /// Iterates over the names of the gaps, in the order of [`gaps`](Self::gaps).
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Gap(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// Returns the texts in the gaps, or `None` if the sentence does not match. A gap is not empty, and ends at the first
    /// occurrence of the text that follows it.
    pub(crate) fn gaps<'t>(&self, sentence: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = sentence;
        let mut gaps = Vec::new();
        let mut pieces = self.0.iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Text(text) => rest = rest.strip_prefix(text.as_str())?,
                Piece::Gap(_) => {
                    let end = match pieces.peek() {
                        Some(Piece::Text(next)) => rest
                            .match_indices(next.as_str())
                            .map(|(at, _)| at)
                            .find(|&at| at > 0)?,
                        _ => rest.len(),
                    };
                    let (gap, after) = rest.split_at(end);
                    if gap.trim().is_empty() {
                        return None;
                    }
                    gaps.push(gap.trim());
                    rest = after;
                }
            }
        }
        rest.is_empty().then_some(gaps)
    }
}

/// Splits a text into sentences, at line breaks and at full stops followed by a space. Removes the full stops.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.lines().flat_map(|line| line.split(". "));
    let parts = parts.map(|part| part.trim().trim_end_matches('.').trim_end());
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_end_where_the_next_text_begins() {
        let template = Template::new("In {spot}: {things}");
        for (sentence, gaps) in [
            ("In the box: a, b", Some(vec!["the box", "a, b"])),
            ("In the box: a: b", Some(vec!["the box", "a: b"])),
            ("In : a", None),
            ("In the box: ", None),
            ("in the box: a", None),
            ("In the box", None),
        ] {
            assert_eq!(template.gaps(sentence), gaps, "{sentence}");
        }
        assert_eq!(Template::new("ready").gaps("ready"), Some(vec![]));
        assert_eq!(Template::new("ready").gaps("ready now"), None);
        assert_eq!(
            Template::new("a {x} on it").gaps("a cup on it"),
            Some(vec!["cup"])
        );
    }

    #[test]
    fn a_text_is_its_sentences() {
        let found: Vec<_> = sentences("You are here. There is a lamp. \nNorth: a door.\n\n").collect();
        assert_eq!(found, ["You are here", "There is a lamp", "North: a door"]);
    }
}
