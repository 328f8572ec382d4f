//! Marks in files, by which the program recognises the files that it wrote.
//!
//! A file without a mark belongs to somebody else and is not overwritten. Each format has its own place for a mark, one
//! that readers of the format skip. The mark of a text has a checksum, so that a text that was edited since is kept too.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The kind of mark of a file format: where the program writes its mark, and how it recognises a file that it wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A comment at the end of a domain or a problem in PDDL.
    Pddl,
    /// A comment at the end of a plan.
    Plan,
    /// A comment behind the root element of SVG and HTML.
    Markup,
    /// A comment at the end of a style sheet or a script.
    Code,
    /// A comment at the end of a manual page.
    Roff,
    /// A text chunk before the last chunk of PNG.
    Png,
    /// A comment before the trailer of GIF.
    Gif,
    /// An XMP packet as the last chunk of WebP.
    WebP,
    /// A custom section at the end of WebAssembly.
    Wasm,
    /// A line of white space at the end of a finite-domain task, whose format has no comments.
    Blank,
    /// White space behind the last value of a JSON or JSON Lines file, which readers skip: its 32 spaces and tabs are the
    /// checksum.
    Json,
    /// No mark: the file begins with one (ground tasks, traces), or is recognised by its first keys (transcripts).
    Beginning,
    /// No mark: the file is recognised by its header line, which is that of its successor (CSV).
    HeaderLine,
}

const BLANK: &[u8] = b" \t \n";
/// A chunk `tEXt` with the keyword `Software`: its length, its kind, its data, its checksum.
const PNG: &[u8] = b"\0\0\0\x11tEXtSoftware\0Herbrand\x97\xd4\xc4\xc2";
/// The last chunk of every PNG file, which is empty.
const PNG_END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
/// A comment extension: one block of 8 bytes.
const GIF: &[u8] = b"\x21\xfe\x08Herbrand\0";
/// The trailer of every GIF file.
const GIF_END: &[u8] = b"\x3b";
/// A custom section of 9 bytes: its name, without contents.
const WASM: &[u8] = b"\0\x09\x08herbrand";
/// The length is even, so that the chunk needs no padding.
const XMP: &[u8] = b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:CreatorTool=\"Herbrand\"/></rdf:RDF></x:xmpmeta> ";

/// The first bytes of files that need no mark: traces, transcripts, records of exchanges with a model, trials of an
/// experiment, ground tasks, state spaces.
const BEGINNINGS: &[&[u8]] = &[
    b"{\"oracle\":\"herbrand ",
    b"{\"game\":{\"world\":",
    b"{\"request\":",
    b"{\"player\":",
    b"{\"form\":\"herbrand-task-",
    b"\x0fherbrand-task-",
    b"{\"form\":\"herbrand-space-",
];

/// The first bytes of files with the mark [`Mark::Json`]: questions and their card.
const JSON_BEGINNINGS: &[&[u8]] = &[b"{\"id\":\"herbrand-", b"{\"made_by\":\"herbrand "];

impl Mark {
    /// Returns the contents of a file with the mark added.
    pub fn on(self, contents: &[u8]) -> Vec<u8> {
        match self {
            Self::Pddl | Self::Plan | Self::Markup | Self::Code | Self::Roff => self.on_text(contents),
            Self::Json => with_blanks(contents),
            Self::Blank => behind_line(contents, BLANK),
            Self::Wasm => [contents, WASM].concat(),
            Self::Png => before(contents, PNG, PNG_END),
            Self::Gif => before(contents, GIF, GIF_END),
            Self::WebP => with_xmp(contents).unwrap_or_else(|| contents.to_owned()),
            Self::Beginning | Self::HeaderLine => contents.to_owned(),
        }
    }

    /// The comment of a text file, in two parts: the checksum is between them. `None` for other formats.
    const fn comment(self) -> Option<(&'static [u8], &'static [u8])> {
        Some(match self {
            Self::Pddl | Self::Plan => (b"; written by Herbrand, checksum ", b"\n"),
            Self::Markup => (b"<!-- written by Herbrand, checksum ", b" -->\n"),
            Self::Code => (b"/* written by Herbrand, checksum ", b" */\n"),
            Self::Roff => (b".\\\" written by Herbrand, checksum ", b"\n"),
            _ => return None,
        })
    }

    /// Returns the text without a comment of this kind in its last line, and whether its checksum is that of the text.
    fn split(self, text: &[u8]) -> Option<(&[u8], bool)> {
        if self == Self::Json {
            let (text, blanks) = text.strip_suffix(b"\n")?.split_last_chunk::<32>()?;
            let is_mark = blanks.iter().all(|blank| matches!(blank, b' ' | b'\t'));
            return is_mark.then(|| (text, *blanks == checksum_blanks(text)));
        }
        let (before, after) = self.comment()?;
        let start = text
            .strip_suffix(b"\n")?
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let (text, line) = text.split_at(start);
        let sum = line.strip_prefix(before)?.strip_suffix(after)?;
        Some((text, sum == checksum(text).as_bytes()))
    }

    /// Returns a text with its comment in the last line.
    fn on_text(self, contents: &[u8]) -> Vec<u8> {
        let Some((before, after)) = self.comment() else {
            return contents.to_owned();
        };
        let mut text = self.split(contents).map_or(contents, |(text, _)| text).to_owned();
        if text.last().is_some_and(|&last| last != b'\n') {
            text.push(b'\n');
        }
        [&text, before, checksum(&text).as_bytes(), after].concat()
    }

    /// Returns whether the file at `path` may be replaced by `contents` (`None` if they are not known yet). It may if it is
    /// empty, has equal contents, or is as this program wrote it and of the same kind.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn may_replace(self, path: &Path, contents: Option<&[u8]>) -> io::Result<Result<(), Kept>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length == 0 {
            return Ok(Ok(()));
        }
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        file.by_ref().take(PIECE).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(length.saturating_sub(PIECE)))?;
        file.take(PIECE).read_to_end(&mut tail)?;
        if self == Self::HeaderLine
            && contents.is_some_and(|contents| first_line(&head) == first_line(contents))
        {
            return Ok(Ok(()));
        }
        if contents.is_some_and(|contents| length == contents.len() as u64)
            && contents == Some(&std::fs::read(path)?)
        {
            return Ok(Ok(()));
        }
        let texts = [Self::Pddl, Self::Markup, Self::Code, Self::Roff, Self::Json];
        let Some(kind) = texts.into_iter().find(|kind| kind.split(&tail).is_some()) else {
            let begins = |beginning: &&[u8]| head.starts_with(beginning);
            // The comment is not in the last line if lines were added behind it.
            let has_comment = tail.windows(COMMENT.len()).any(|part| part == COMMENT);
            return Ok(
                if has_comment || self == Self::Json && JSON_BEGINNINGS.iter().any(begins) {
                    Err(Kept::Changed)
                } else if !is_marked(&head, &tail) {
                    Err(Kept::Foreign)
                } else if self.comment().is_some() || self == Self::Json {
                    Err(Kept::OtherKind)
                } else {
                    Ok(())
                },
            );
        };
        let whole = std::fs::read(path)?;
        let is_model = |text: &[u8]| {
            text.windows(DEFINE.len())
                .any(|word| word.eq_ignore_ascii_case(DEFINE))
        };
        let kind = match kind.split(&whole) {
            Some((_, false)) | None => return Ok(Err(Kept::Changed)),
            Some((text, true)) if kind == Self::Pddl && !is_model(text) => Self::Plan,
            Some((_, true)) => kind,
        };
        Ok(if kind == self {
            Ok(())
        } else {
            Err(Kept::OtherKind)
        })
    }
}

/// The reason why an existing file is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// This program did not write it.
    Foreign,
    /// It was changed after this program wrote it.
    Changed,
    /// This program wrote it, but it is of another kind than its successor: a problem instead of a plan.
    OtherKind,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foreign => "exists and was not written by Herbrand",
            Self::Changed => "was changed after Herbrand wrote it",
            Self::OtherKind => "exists and is a file of another kind",
        })
    }
}

/// A part of each [comment](Mark::comment).
const COMMENT: &[u8] = b" written by Herbrand, checksum ";

/// The beginning of a domain or a problem in PDDL.
const DEFINE: &[u8] = b"(define";

/// Returns eight hexadecimal digits that depend on every byte of a text.
fn checksum(text: &[u8]) -> String {
    format!("{:08x}", hash(text))
}

/// Returns 32 spaces and tabs that depend on every byte of a text.
fn checksum_blanks(text: &[u8]) -> [u8; 32] {
    let hash = hash(text);
    std::array::from_fn(|bit| if hash >> bit & 1 == 1 { b'\t' } else { b' ' })
}

/// FNV-1a.
fn hash(text: &[u8]) -> u32 {
    let step = |hash: u32, &byte: &u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.iter().fold(0x811c_9dc5, step)
}

/// Returns a JSON text with its checksum as white space before the last line break.
fn with_blanks(contents: &[u8]) -> Vec<u8> {
    let text = contents.strip_suffix(b"\n").unwrap_or(contents);
    let text = Mark::Json.split(contents).map_or(text, |(text, _)| text);
    [text, &checksum_blanks(text), b"\n"].concat()
}

/// The bytes that are read of each end of a file.
const PIECE: u64 = 4096;

fn is_marked(head: &[u8], tail: &[u8]) -> bool {
    [BLANK, WASM, XMP].iter().any(|end| tail.ends_with(end))
        || BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
        || (head.starts_with(b"PK\x03\x04")
            && head
                .get(30..)
                .is_some_and(|name| name.starts_with(b"herbrand-space-")))
        || (head.starts_with(b"\x89PNG") && tail.ends_with(&[PNG, PNG_END].concat()))
        || (head.starts_with(b"GIF8") && tail.ends_with(&[GIF, GIF_END].concat()))
}

fn first_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Appends `line` to a text as its last line.
fn behind_line(text: &[u8], line: &[u8]) -> Vec<u8> {
    if text.ends_with(line) {
        return text.to_owned();
    }
    let newline: &[u8] = match text.last() {
        None | Some(b'\n') => b"",
        Some(_) => b"\n",
    };
    [text, newline, line].concat()
}

/// Inserts `mark` before the `end` of the contents.
fn before(contents: &[u8], mark: &[u8], end: &[u8]) -> Vec<u8> {
    match contents.strip_suffix(end) {
        Some(rest) => [rest, mark, end].concat(),
        None => contents.to_owned(),
    }
}

/// The flags of an extended WebP file: it has transparent pixels, it has XMP.
const ALPHA: u8 = 0x10;
const HAS_XMP: u8 = 0x04;

/// A WebP file with an XMP packet. A file in the simple format, which has no place for one, becomes an extended one. `None`
/// if this is neither.
fn with_xmp(contents: &[u8]) -> Option<Vec<u8>> {
    let chunks = contents.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let mut body = match chunks.get(..4)? {
        b"VP8X" => {
            let mut body = chunks.to_owned();
            *body.get_mut(8)? |= HAS_XMP;
            body
        }
        b"VP8L" => {
            // One byte of signature, then 14 bits for each side less 1, and a bit for transparency.
            let bits = u32::from_le_bytes(chunks.get(9..13)?.try_into().ok()?);
            let (width, height) = (bits & 0x3fff, (bits >> 14) & 0x3fff);
            let alpha = if bits >> 28 & 1 == 1 { ALPHA } else { 0 };
            let mut head = b"VP8X\x0a\0\0\0".to_vec();
            head.extend([alpha | HAS_XMP, 0, 0, 0]);
            head.extend(&width.to_le_bytes()[..3]);
            head.extend(&height.to_le_bytes()[..3]);
            [&head, chunks].concat()
        }
        _ => return None,
    };
    body.extend(b"XMP ");
    body.extend(u32::try_from(XMP.len()).ok()?.to_le_bytes());
    body.extend(XMP);
    let length = u32::try_from(body.len() + 4).ok()?;
    Some([b"RIFF", &length.to_le_bytes()[..], b"WEBP", &body].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use herbrand::render::{Animation, Image, WebPAnimation};

    use super::*;

    /// Whether a file with these contents may be replaced by others, of a kind.
    fn replacing(mark: Mark, contents: &[u8]) -> Result<(), Kept> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, contents).expect("a file");
        mark.may_replace(&path, Some(b"other")).expect("it can be read")
    }

    /// Whether a file with these contents may be replaced by others that have no mark.
    fn may_replace(contents: &[u8]) -> bool {
        replacing(Mark::Beginning, contents).is_ok()
    }

    #[test]
    fn marked_texts_are_recognised_and_others_are_not() {
        let own: [(Mark, &[u8]); 6] = [
            (Mark::Plan, b"(wait)\n; cost = 1\n"),
            (Mark::Pddl, b"(define (problem p))\n"),
            (Mark::Markup, b"<svg></svg>"),
            (Mark::Code, b"let a = 1;\n"),
            (Mark::Roff, b".TH herbrand 1\n"),
            (Mark::Blank, b"end_operator\n0\n"),
        ];
        for (mark, contents) in own {
            assert_eq!(replacing(mark, contents), Err(Kept::Foreign), "{mark:?}");
            let marked = mark.on(contents);
            assert_eq!(replacing(mark, &marked), Ok(()), "{mark:?}");
            assert!(marked.starts_with(contents));
            assert_eq!(mark.on(&marked), marked, "a mark is there once");
        }
        for first in [
            r#"{"oracle":"herbrand 0.1.0","domain":"blocks"}"#,
            r#"{"game":{"world":"coin","game":1}}"#,
            r#"{"form":"herbrand-task-2","task":{}}"#,
            "\u{f}herbrand-task-2",
        ] {
            assert!(may_replace(first.as_bytes()), "{first}");
        }
        for foreign in [
            "x",
            r#"{"oracle":"pymimir 0.13"}"#,
            "; written by Herbrand\n(more)\n",
        ] {
            assert!(!may_replace(foreign.as_bytes()), "{foreign}");
        }
        assert!(may_replace(b"") && may_replace(b"other"), "nothing is lost");
        assert!(
            !may_replace(b"OTHER"),
            "contents of the same length are not the same contents"
        );
        assert!(
            !may_replace(b"other\nand more"),
            "a first line is a mark of tables alone"
        );
    }

    #[test]
    fn edited_texts_and_texts_of_another_kind_are_kept() {
        let own: [(Mark, &[u8]); 5] = [
            (Mark::Plan, b"(wait)\n"),
            (Mark::Pddl, b"; a comment\n(DEFINE (problem p))\n"),
            (Mark::Markup, b"<p>What is 1?</p>\n"),
            (Mark::Code, b"let a = 1;\n"),
            (Mark::Roff, b".TH herbrand 1\n"),
        ];
        for (mark, contents) in own {
            let marked = mark.on(contents);
            let edited = String::from_utf8_lossy(&marked)
                .replace('1', "2")
                .replace("p)", "q)")
                .replace("wait", "go");
            assert_eq!(replacing(mark, edited.as_bytes()), Err(Kept::Changed), "{edited}");
            let longer = [&marked, b"more\n".as_slice()].concat();
            assert_eq!(replacing(mark, &longer), Err(Kept::Changed), "{mark:?}");
            for other in own
                .map(|(other, _)| other)
                .into_iter()
                .chain([Mark::Beginning, Mark::Png])
            {
                let expected = if other == mark {
                    Ok(())
                } else {
                    Err(Kept::OtherKind)
                };
                assert_eq!(replacing(other, &marked), expected, "{mark:?} by {other:?}");
            }
            assert_eq!(
                mark.on(edited.as_bytes()).len(),
                edited.len(),
                "an old mark is replaced"
            );
        }
        assert_eq!(
            replacing(Mark::Plan, b"{\"oracle\":\"herbrand 0\"}\n"),
            Err(Kept::OtherKind)
        );
    }

    /// The mark of JSON is white space, so readers of whole files and of lines find what was written.
    #[test]
    fn json_is_marked_by_white_space_and_kept_if_it_was_edited() {
        for contents in [
            "{\"id\":\"herbrand-1\"}\n{\"id\":\"herbrand-2\"}\n",
            "{\"made_by\":\"herbrand 0\"}\n",
        ] {
            let marked = Mark::Json.on(contents.as_bytes());
            assert_eq!(Mark::Json.on(&marked), marked, "a mark is there once");
            assert_eq!(replacing(Mark::Json, &marked), Ok(()));
            assert_eq!(replacing(Mark::Plan, &marked), Err(Kept::OtherKind));
            assert_eq!(replacing(Mark::Beginning, &marked), Err(Kept::OtherKind));
            let text = String::from_utf8(marked).expect("UTF-8");
            let lines = |text: &str| -> Vec<serde_json::Value> {
                let lines = text.lines();
                lines
                    .map(|line| serde_json::from_str(line).expect("JSON"))
                    .collect()
            };
            assert_eq!(lines(&text), lines(contents));
            let appended = format!("{text}{contents}");
            for edited in [
                &text.replacen("herbrand", "Herbrand", 1),
                text.trim_end(),
                contents,
                &appended,
            ] {
                assert_eq!(
                    replacing(Mark::Json, edited.as_bytes()).map_err(|kept| kept != Kept::OtherKind),
                    Err(true),
                    "{edited:?}"
                );
            }
            assert_eq!(replacing(Mark::Json, contents.as_bytes()), Err(Kept::Changed));
        }
        assert_eq!(replacing(Mark::Json, b"{}\n"), Err(Kept::Foreign));
        assert_eq!(
            replacing(Mark::Json, &Mark::Plan.on(b"(wait)\n")),
            Err(Kept::OtherKind)
        );
    }

    #[test]
    fn tables_are_recognised_by_their_header_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv");
        fs::write(&path, "domain,seed\nblocks,1\n").expect("a file");
        let may_replace = |contents: &str| {
            let may = Mark::HeaderLine.may_replace(&path, Some(contents.as_bytes()));
            may.expect("it can be read").is_ok()
        };
        assert!(may_replace("domain,seed\nferry,2\n"));
        assert!(!may_replace("domain,seed,steps\nferry,2,9\n"));
    }

    fn picture() -> Image {
        Image::new(5, 3, herbrand::render::paper(herbrand::render::Theme::Light)).expect("a small picture")
    }

    /// The pixels of a WebP picture.
    fn pixels_of_webp(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut decoder = image_webp::WebPDecoder::new(io::Cursor::new(bytes)).expect("a WebP picture");
        let mut pixels = vec![0; decoder.output_buffer_size().expect("a small picture")];
        decoder.read_image(&mut pixels).expect("it can be read");
        let (width, height) = decoder.dimensions();
        (width, height, pixels)
    }

    #[test]
    fn marked_pictures_show_the_same_pixels() {
        let png = picture().to_png().expect("it fits");
        let marked = Mark::Png.on(&png);
        assert!(!may_replace(&png) && may_replace(&marked));
        let mut reader = png::Decoder::new(io::Cursor::new(&marked))
            .read_info()
            .expect("a PNG picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
        reader.next_frame(&mut pixels).expect("it can be read");
        reader.finish().expect("all chunks are sound");
        let text = &reader.info().uncompressed_latin1_text[0];
        assert_eq!(
            (text.keyword.as_str(), text.text.as_str()),
            ("Software", "Herbrand")
        );

        let webp = picture().to_webp().expect("it fits");
        let marked = Mark::WebP.on(&webp);
        assert!(!may_replace(&webp) && may_replace(&marked));
        assert_eq!(pixels_of_webp(&marked), pixels_of_webp(&webp));
        let mut decoder = image_webp::WebPDecoder::new(io::Cursor::new(&marked)).expect("a WebP picture");
        assert_eq!(
            decoder.xmp_metadata().expect("sound chunks").as_deref(),
            Some(XMP)
        );

        let mut film = WebPAnimation::new(5, 3).expect("it fits");
        film.add(&picture(), Duration::from_millis(100)).expect("a frame");
        film.add(&picture(), Duration::from_millis(100)).expect("a frame");
        let film = film.finish().expect("an animation");
        let marked = Mark::WebP.on(&film);
        assert!(!may_replace(&film) && may_replace(&marked));
        let mut decoder = image_webp::WebPDecoder::new(io::Cursor::new(&marked)).expect("an animation");
        assert_eq!(decoder.num_frames(), 2);
        assert_eq!(
            decoder.xmp_metadata().expect("sound chunks").as_deref(),
            Some(XMP)
        );

        let mut gif = Vec::new();
        let mut film = Animation::new(&mut gif, 5, 3).expect("it fits");
        film.add(&picture(), Duration::from_millis(100)).expect("a frame");
        film.finish().expect("an animation");
        let marked = Mark::Gif.on(&gif);
        assert!(!may_replace(&gif) && may_replace(&marked));
        let mut decoder = gif::DecodeOptions::new()
            .read_info(io::Cursor::new(&marked))
            .expect("an animation");
        assert!(decoder.read_next_frame().expect("a frame").is_some());
        assert!(decoder.read_next_frame().expect("the end").is_none());
    }

    #[test]
    fn marked_webassembly_keeps_its_form() {
        let empty = b"\0asm\x01\0\0\0";
        let marked = Mark::Wasm.on(empty);
        assert!(!may_replace(empty) && may_replace(&marked));
        // A section of kind 0 whose length covers the rest, and in it a name of 8 bytes.
        assert_eq!(marked[8..11], [0, 9, 8]);
        assert_eq!(marked.len(), 8 + 2 + 9);
    }
}
