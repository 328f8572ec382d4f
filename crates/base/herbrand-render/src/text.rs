//! Text metrics: the widths of lines in the font of the pictures.

use std::sync::OnceLock;

use ttf_parser::Face;

/// The font file of all pictures: a subset of DejaVu Sans 2.35 with Latin letters, digits, and a few symbols.
pub const FONT: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

/// The family name in [`FONT`].
pub const FAMILY: &str = "DejaVu Sans";

/// The smallest font size that is drawn, in pixels.
pub const SMALLEST: f64 = 7.0;

/// The widths of characters in font units, and the number of units per em.
struct Widths {
    by_character: Vec<u16>,
    other: u16,
    em: f64,
}

/// The last character with an entry in the width table.
const TABLE: u32 = 0x2714;

fn widths() -> &'static Widths {
    static WIDTHS: OnceLock<Widths> = OnceLock::new();
    WIDTHS.get_or_init(|| {
        let Ok(face) = Face::parse(FONT, 0) else {
            return Widths {
                by_character: Vec::new(),
                other: 1,
                em: 1.0,
            };
        };
        let advance = |glyph| face.glyph_hor_advance(glyph).unwrap_or(0);
        let other = face.glyph_index('m').map_or(0, advance);
        let width = |code| {
            let glyph = char::from_u32(code).and_then(|character| face.glyph_index(character));
            glyph.map_or(other, advance)
        };
        Widths {
            by_character: (0..TABLE).map(width).collect(),
            other,
            em: f64::from(face.units_per_em()),
        }
    })
}

/// Returns the width of a line of text at a font size, both in pixels. Characters that the font lacks count like `m`. 0
/// for an empty text.
///
/// ```
/// use herbrand_render::text_width;
/// assert!(text_width("mm", 10.0) > text_width("ii", 10.0));
/// assert_eq!(text_width("mm", 20.0), 2.0 * text_width("mm", 10.0));
/// ```
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    let width: u64 = text.chars().map(units).sum();
    width as f64 * size / widths().em
}

/// The width of a character in the units of the font.
fn units(character: char) -> u64 {
    let widths = widths();
    let place = u32::from(character) as usize;
    let width = widths.by_character.get(place).copied();
    u64::from(width.unwrap_or(widths.other))
}

/// Shortens a line of text of font size `size` with an ellipsis, so that it is at most `room` pixels wide. Text that
/// fits is returned unchanged. `None` if not even one character and the ellipsis fit. Empty text is returned unchanged
/// if `room` is at least 0.
#[must_use]
pub fn shorten(text: &str, size: f64, room: f64) -> Option<String> {
    if text_width(text, size) <= room {
        return Some(text.to_owned());
    }
    let fits = |width: u64| (width + units('…')) as f64 * size / widths().em <= room;
    // The widths of the text up to here, and without white space at its end.
    let (mut all, mut trimmed) = (0, 0);
    let mut kept = None;
    for (at, character) in text.char_indices() {
        if at > 0 {
            if !fits(trimmed) {
                break;
            }
            kept = Some(at);
        }
        all += units(character);
        if !character.is_whitespace() {
            trimmed = all;
        }
    }
    kept.map(|end| format!("{}…", text[..end].trim_end()))
}

/// Returns the first letters of a name's words and the number at its end: `fire-engine-12` becomes `fe12`. Words end at
/// `-`, `_` and spaces. Letters keep their case. Empty for an empty name.
#[must_use]
pub fn initials(name: &str) -> String {
    let digits = tail(name);
    let words = name[..name.len() - digits.len()].split(['-', '_', ' ']);
    let letters: String = words.filter_map(|word| word.chars().next()).collect();
    letters + digits
}

/// Returns the digits at the end of a name; empty if the name does not end with a digit. Leading zeros are kept.
#[must_use]
pub fn tail(name: &str) -> &str {
    &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition: one character after the other is taken off the end.
    fn shorten_slowly(text: &str, size: f64, room: f64) -> Option<String> {
        if text_width(text, size) <= room {
            return Some(text.to_owned());
        }
        let mut kept = text.to_owned();
        while kept.pop().is_some() && !kept.is_empty() {
            let cut = format!("{}…", kept.trim_end());
            if text_width(&cut, size) <= room {
                return Some(cut);
            }
        }
        None
    }

    proptest! {
        #[test]
        fn texts_are_cut_as_the_definition_cuts_them(text in "[ a-zé漢]{0,20}", room in 0.0..150.0) {
            prop_assert_eq!(shorten(&text, 10.0, room), shorten_slowly(&text, 10.0, room));
        }
    }

    #[test]
    fn a_text_is_cut_where_it_does_not_fit() {
        assert_eq!(shorten("block", 10.0, 100.0).as_deref(), Some("block"));
        let cut = shorten("a-very-long-name", 10.0, 40.0).expect("some of it fits");
        assert!(cut.ends_with('…') && text_width(&cut, 10.0) <= 40.0, "{cut}");
        assert_eq!(shorten("wide", 10.0, 3.0), None);
    }

    #[test]
    fn names_are_shortened_by_word() {
        for (name, short) in [
            ("package-12", "p12"),
            ("r1c2", "r2"),
            ("fire-engine-3", "fe3"),
            ("a", "a"),
            ("7", "7"),
        ] {
            assert_eq!(initials(name), short, "{name}");
        }
    }

    #[test]
    fn the_font_has_the_characters_of_pictures() {
        let face = Face::parse(FONT, 0).expect("a font");
        for character in ('!'..='~').chain("…×→←↑↓✓☐☑¬≤≥≠∧∨—–".chars()) {
            assert!(face.glyph_index(character).is_some(), "{character}");
        }
    }
}
