//! Rules common to all traces: the version, unknown keys, and malformed lines.

use herbrand_core::trace::{FileError, TraceHeader, TraceLines, VERSION, Warning, read_header};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Flight {
    version: Option<u32>,
    pilot: String,
    #[serde(skip)]
    unknown: Vec<String>,
}

impl TraceHeader for Flight {
    fn version(&self) -> Option<u32> {
        self.version
    }

    fn unknown(&mut self) -> &mut Vec<String> {
        &mut self.unknown
    }
}

#[derive(Deserialize)]
struct Height {
    metres: i64,
    #[serde(default)]
    wind: Option<Wind>,
}

#[derive(Deserialize)]
struct Wind {
    speed: i64,
}

/// The heights of a trace, and its warnings as text.
fn read(text: &str) -> Result<(Vec<i64>, Vec<String>), FileError> {
    let mut rest = text.as_bytes();
    let mut header: Flight = read_header(&mut rest)?;
    let mut lines = TraceLines::after(&mut header, rest);
    let mut heights = Vec::new();
    while let Some(Height { metres, wind }) = lines.read()? {
        heights.push(metres + wind.map_or(0, |wind| wind.speed));
    }
    let warnings = lines.into_warnings();
    Ok((heights, warnings.iter().map(Warning::to_string).collect()))
}

#[test]
fn unknown_keys_are_reported_in_a_file_with_a_version() {
    let lines = r#"
{"metres":3,"rain":1,"wind":{"speed":0,"from":"west"}}

{"metres":5,"fog":{"thick":true},"rain":2}
{"metres":6,"wind":{"speed":1}}
"#;
    let header = r#"{"version":1,"pilot":"ann","colour":"red"}"#;
    let (heights, warnings) = read(&format!("{header}{lines}")).expect("a trace");
    assert_eq!(heights, [3, 5, 7]);
    assert_eq!(
        warnings,
        [
            "line 1, `colour`: the format has no such key",
            "line 2, `rain`: the format has no such key (2 lines have it)",
            "line 2, `wind.?.from`: the format has no such key",
            "line 4, `fog`: the format has no such key",
        ]
    );
    // Other engines write files without a version, and keys of their own.
    for header in [
        r#"{"pilot":"ann","colour":"red"}"#,
        r#"{"version":null,"pilot":"ann","colour":"red"}"#,
    ] {
        let (heights, warnings) = read(&format!("{header}{lines}")).expect("a trace");
        assert_eq!((heights.len(), warnings.len()), (3, 0), "{header}");
    }
}

#[test]
fn other_versions_are_refused_whatever_else_the_header_has() {
    for version in [0, VERSION + 1, u32::MAX] {
        for rest in [r#""pilot":"ann""#, r#""pilot":{"name":"ann"}"#, r#""crew":2"#] {
            let error = read(&format!("{{\"version\":{version},{rest}}}\n"));
            let error = error.expect_err("another version");
            assert!(
                matches!(error, FileError::Version(found) if found == version),
                "{error}"
            );
        }
    }
    let error = read(r#"{"version":2,"pilot":"ann"}"#).expect_err("a newer version");
    assert_eq!(
        error.to_string(),
        "line 1, `version`: the trace has version 2 of the format, and this program reads version 1"
    );
}

#[test]
fn a_line_with_the_wrong_form_is_named() {
    for (text, line) in [
        ("{", 1),
        (r#"{"version":"1","pilot":"ann"}"#, 1),
        (r#"{"version":-1,"pilot":"ann"}"#, 1),
        (r#"{"pilot":7}"#, 1),
        (r#"{"pilot":"ann"} more"#, 1),
        ("{\"pilot\":\"ann\"}\n\n{\"feet\":3}", 3),
        (
            "{\"pilot\":\"ann\"}\n{\"metres\":3}\n{\"metres\":3}{\"metres\":4}",
            3,
        ),
        ("{\"pilot\":\"ann\"}\n{\"metres\":3,\"metres\":4}", 2),
    ] {
        let error = read(text).expect_err(text);
        assert!(
            matches!(error, FileError::Format { line: found, .. } if found == line),
            "{text}: {error}"
        );
    }
    assert!(matches!(read(""), Err(FileError::Empty)));
    assert!(matches!(read("(move a b)\n"), Err(FileError::NoTrace)));
}

#[test]
fn a_header_value_that_differs_is_a_warning() {
    assert_eq!(Warning::unless_equal("discount", &0.9, &0.9), None);
    let warning = Warning::unless_equal("discount", &0.5, &0.9).expect("they differ");
    assert_eq!(
        warning.to_string(),
        "line 1, `discount`: 0.5 in the trace, 0.9 in the problem"
    );
}
