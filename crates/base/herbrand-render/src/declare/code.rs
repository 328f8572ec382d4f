//! The diagnostic codes of faults in a `[render]` table.

use herbrand_text::Explanation;

herbrand_text::codes! {
    /// The codes of the faults in a `[render]` table, as diagnostics report them. `explanation` returns the page about a
    /// code.
    pub enum RenderCode: too many is TooMany, limit is Limit, explained by [EXPLANATIONS];
    Format = "V0001", "a table is not written as it should be";
    UnknownFact = "V0002", "the domain has no such predicate or fluent";
    UnknownType = "V0003", "the domain has no such type";
    NoPlace = "V0004", "there are no places to draw at";
    Pattern = "V0005", "a pattern names no cells";
    NoCells = "V0006", "a grid does not say what its cells are";
    TwoBoards = "V0007", "places are declared twice";
    NotCarried = "V0008", "no layer draws what something is with";
    TooMany = "V0009", "there are more faults than are shown";
    Limit = "V0010", "a limit is reached";
    Report = "V0011", "a report does not fit its fact";
}

const EXPLANATIONS: &[Explanation<RenderCode>] = &[
    Explanation::new(
        RenderCode::Format,
        "The table has a key that does not exist, lacks one, or has a value of the wrong kind.",
        "[render]\ngrid = \"r{row}c{column}\"",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }",
    ),
    Explanation::new(
        RenderCode::UnknownFact,
        "Only predicates and fluents that the domain declares can be drawn.",
        "[[render.layer]]\nfact = \"player\"",
        "[[render.layer]]\nfact = \"player-at\"",
    ),
    Explanation::new(
        RenderCode::UnknownType,
        "Nodes, boxes, rows and markers are objects of a type that the domain declares.",
        "[render]\ngraph = { nodes = [\"citty\"] }",
        "[render]\ngraph = { nodes = [\"city\"] }",
    ),
    Explanation::new(
        RenderCode::NoPlace,
        "Layers and edges are drawn at places. A grid, a graph or boxes say where these are.",
        "[[render.layer]]\nfact = \"player-at\"",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }\n[[render.layer]]\nfact = \"player-at\"",
    ),
    Explanation::new(
        RenderCode::Pattern,
        "A pattern of names has `{row}` and `{column}` in it, with something between them.",
        "grid = { cells = \"cell-{row}\" }",
        "grid = { cells = \"cell-{row}-{column}\" }",
    ),
    Explanation::new(
        RenderCode::NoCells,
        "A grid says what its cells are by `cells` (a pattern of names), `numbered` (a type), `columns` and `rows` (two types), \
         or `row_of` (a fact).",
        "grid = { size = 40 }",
        "grid = { numbered = \"cell\", beside = \"BESIDE\" }",
    ),
    Explanation::new(
        RenderCode::TwoBoards,
        "A picture has a grid, a graph or boxes, but not two of them.",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }\ngraph = { nodes = [\"room\"] }",
        "[render]\ngraph = { nodes = [\"room\"] }",
    ),
    Explanation::new(
        RenderCode::NotCarried,
        "What is drawn with something else needs a layer that draws that.",
        "[[render.layer]]\nfact = \"holding\"\nwith = \"robot-at\"",
        "[[render.layer]]\nfact = \"robot-at\"\nshape = \"robot\"\n[[render.layer]]\nfact = \"holding\"\nwith = \"robot-at\"",
    ),
    Explanation::new(RenderCode::TooMany, "The others are only counted.", "", ""),
    Explanation::new(
        RenderCode::Limit,
        "The table takes more time or memory than it may.",
        "",
        "",
    ),
    Explanation::new(
        RenderCode::Report,
        "An observed fluent that tells of a fact has the parameters and the range of that fact.",
        "seen = [{ fact = \"at\", by = \"somebody-seen\" }]",
        "seen = [{ fact = \"at\", by = \"at-seen\" }]",
    ),
];
