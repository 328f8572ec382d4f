//! The diagnostic codes of faults in a table of sentences.

herbrand_text::codes! {
    /// The codes of the faults in a `domain.text.toml`, as the faults of [`TextTable::parse`](crate::TextTable::parse)
    /// and [`Wording::new`](crate::Wording::new) have them. `explanation` returns the page about a code.
    pub enum TextCode: too many is TooMany, limit is Limit;
    Format = "T0001", "a table of sentences is not written as it should be",
        "The file has the tables `types`, `facts`, `negations` and `actions`. Each of their values is a text.",
        "[facts]\nclear = true",
        "[facts]\nclear = \"nothing is on {block}\"";
    UnknownName = "T0002", "the domain has no such predicate, function, action or type",
        "Only names that the domain declares can have sentences.",
        "[facts]\nclaer = \"nothing is on {block}\"",
        "[facts]\nclear = \"nothing is on {block}\"";
    Template = "T0003", "a sentence does not fit its predicate, function or action",
        "A sentence names every parameter in braces, with text between two of them, and `{value}` if there is a value.",
        "[facts]\non = \"{upper} lies there\"",
        "[facts]\non = \"{upper} is on {lower}\"";
    TooMany = "T0004", "there are more faults than are shown",
        "The others are only counted.";
    Limit = "T0005", "a limit is reached",
        "The file is larger than it may be.";
}
