//! A colour palette for light and dark themes that remains distinguishable under colour vision deficiency.

use serde::Deserialize;

herbrand_text::named! {
    /// A named colour: the palette of Okabe and Ito ("Color universal design", 2008), which remains distinguishable under
    /// colour vision deficiency, and a few neutral colours. The elements of a [`Scene`](crate::Scene) and the parts of a
    /// [`Declaration`](crate::Declaration) hold colours; the latter by [name](Self::name).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Colour {
        /// Blue.
        Blue = "blue",
        /// Orange.
        Orange = "orange",
        /// Bluish green.
        Green = "green",
        /// Vermillion.
        Red = "red",
        /// Reddish purple.
        Purple = "purple",
        /// Sky blue.
        Sky = "sky",
        /// Yellow.
        Yellow = "yellow",
        /// Brown.
        Brown = "brown",
        /// Grey.
        Grey = "grey",
        /// Nearly black; nearly white in the dark theme.
        Ink = "ink",
        /// The colour of the background.
        Paper = "paper",
    }
    /// Returns the name of the colour in declarations, such as `sky`.
    pub fn name
}

/// The red, green and blue of a colour, from 0 to 255 each. [`Colour::light`], [`Colour::dark`] and [`heat`] return
/// one.
pub type Rgb = [u8; 3];

/// The strength in which a [`Colour`] is drawn: the full colour or a pale one. [`Colour::light`] and [`Colour::dark`]
/// take one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tone {
    /// For figures and lines.
    Strong,
    /// For areas beneath text.
    Tint,
}

/// The colour theme of a picture: light or dark. [`Auto`](Self::Auto) follows the viewer's preference where the
/// format can. In images of pixels, it is light. [`Scene::to_svg`](crate::Scene::to_svg) and the functions that draw
/// images take one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Dark on light. The default.
    #[default]
    Light,
    /// Light on dark.
    Dark,
    /// The preference that the viewer's system declares, which only browsers can query.
    Auto,
}

impl Colour {
    /// The colours that distinguish kinds of things without declared colours, in the order in which they are
    /// assigned. After the last, the first follows again.
    pub const SERIES: [Self; 8] = [
        Self::Blue,
        Self::Orange,
        Self::Green,
        Self::Purple,
        Self::Sky,
        Self::Red,
        Self::Yellow,
        Self::Brown,
    ];

    const fn plain(self) -> Rgb {
        match self {
            Self::Blue => [0, 114, 178],
            Self::Orange => [224, 142, 0],
            Self::Green => [0, 150, 110],
            Self::Red => [207, 75, 0],
            Self::Purple => [176, 88, 150],
            Self::Sky => [64, 164, 223],
            Self::Yellow => [228, 202, 20],
            Self::Brown => [140, 94, 52],
            Self::Grey => [128, 136, 148],
            Self::Ink => [31, 41, 55],
            Self::Paper => [255, 255, 255],
        }
    }

    /// Returns the colour in the light theme. Red, green and blue are from 0 to 255.
    #[must_use]
    pub const fn light(self, tone: Tone) -> Rgb {
        match tone {
            Tone::Strong => self.plain(),
            Tone::Tint => mix(self.plain(), [255, 255, 255], 72),
        }
    }

    /// Returns the colour in the dark theme. Red, green and blue are from 0 to 255.
    #[must_use]
    pub const fn dark(self, tone: Tone) -> Rgb {
        match (self, tone) {
            (Self::Ink, Tone::Strong) => [229, 231, 235],
            (Self::Paper, _) => [24, 29, 38],
            (_, Tone::Strong) => mix(self.plain(), [255, 255, 255], 22),
            (_, Tone::Tint) => mix(self.plain(), [24, 29, 38], 62),
        }
    }
}

/// Mixes `share` percent of the second colour with the first.
const fn mix(one: Rgb, other: Rgb, share: u32) -> Rgb {
    let [a, b, c] = one;
    let [d, e, f] = other;
    [blend(a, d, share), blend(b, e, share), blend(c, f, share)]
}

const fn blend(one: u8, other: u8, share: u32) -> u8 {
    ((one as u32 * (100 - share) + other as u32 * share) / 100) as u8
}

/// The number of levels of a heat map, which shows numbers as colours. [`heat`] gives the colour of each level from 0.
pub const HEATS: u8 = 10;

/// Returns the colour of a heat map level: from pale yellow to orange in the light theme, from dark grey to orange in
/// the dark theme. Levels from [`HEATS`] on have the colour of the highest level. Level 0 is the lowest.
/// [`Theme::Auto`] is light. Elements of a scene hold levels in [`Fill::Heat`](crate::scene::Fill).
#[must_use]
pub const fn heat(level: u8, theme: Theme) -> Rgb {
    let level = if level < HEATS {
        level as u32
    } else {
        HEATS as u32 - 1
    };
    let share = level * 100 / (HEATS as u32 - 1);
    match theme {
        Theme::Dark => mix([40, 44, 54], [240, 120, 40], share),
        Theme::Light | Theme::Auto => mix([255, 246, 224], [236, 112, 40], share),
    }
}
