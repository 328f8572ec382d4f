//! The diagnostic codes of faults in a `[render]` table.

herbrand_text::codes! {
    /// The codes of the faults in a `[render]` table, as diagnostics report them. `explanation` returns the page about a
    /// code.
    pub enum RenderCode: too many is TooMany, limit is Limit;
    Format = "V0001", "a table is not written as it should be",
        "The table has a key that does not exist, lacks one, or has a value of the wrong kind.",
        "[render]\ngrid = \"r{row}c{column}\"",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }";
    UnknownFact = "V0002", "the domain has no such predicate or fluent",
        "Only predicates and fluents that the domain declares can be drawn.",
        "[[render.layer]]\nfact = \"player\"",
        "[[render.layer]]\nfact = \"player-at\"";
    UnknownType = "V0003", "the domain has no such type",
        "Nodes, boxes, rows and markers are objects of a type that the domain declares.",
        "[render]\ngraph = { nodes = [\"citty\"] }",
        "[render]\ngraph = { nodes = [\"city\"] }";
    NoPlace = "V0004", "there are no places to draw at",
        "Layers and edges are drawn at places. A grid, a graph or boxes say where these are.",
        "[[render.layer]]\nfact = \"player-at\"",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }\n[[render.layer]]\nfact = \"player-at\"";
    Pattern = "V0005", "a pattern names no cells",
        "A pattern of names has `{row}` and `{column}` in it, with something between them.",
        "grid = { cells = \"cell-{row}\" }",
        "grid = { cells = \"cell-{row}-{column}\" }";
    NoCells = "V0006", "a grid does not say what its cells are",
        "A grid says what its cells are by `cells` (a pattern of names), `numbered` (a type), `columns` and `rows` (two types), \
         or `row_of` (a fact).",
        "grid = { size = 40 }",
        "grid = { numbered = \"cell\", beside = \"BESIDE\" }";
    TwoBoards = "V0007", "places are declared twice",
        "A picture has a grid, a graph or boxes, but not two of them.",
        "[render]\ngrid = { cells = \"r{row}c{column}\" }\ngraph = { nodes = [\"room\"] }",
        "[render]\ngraph = { nodes = [\"room\"] }";
    NotCarried = "V0008", "no layer draws what something is with",
        "What is drawn with something else needs a layer that draws that.",
        "[[render.layer]]\nfact = \"holding\"\nwith = \"robot-at\"",
        "[[render.layer]]\nfact = \"robot-at\"\nshape = \"robot\"\n[[render.layer]]\nfact = \"holding\"\nwith = \"robot-at\"";
    TooMany = "V0009", "there are more faults than are shown",
        "The others are only counted.";
    Limit = "V0010", "a limit is reached",
        "The table takes more time or memory than it may.";
    Report = "V0011", "a report does not fit its fact",
        "An observed fluent that tells of a fact has the parameters and the range of that fact.",
        "seen = [{ fact = \"at\", by = \"somebody-seen\" }]",
        "seen = [{ fact = \"at\", by = \"at-seen\" }]";
}
