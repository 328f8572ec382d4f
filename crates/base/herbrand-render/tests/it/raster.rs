//! Pixels: the positions of elements, and reproducible bytes.

use herbrand_render::colour::{Colour, Tone};
use herbrand_render::scene::{Anchor, Fill, Frame, Presence, SceneElement, Stroke};
use herbrand_render::{Image, ImageError, Scene, Sprite, Theme, paper};
use proptest::prelude::*;

use crate::worlds::{WAREHOUSE, draw, warehouse};

fn scene(elements: Vec<SceneElement>) -> Scene {
    Scene {
        width: 40.0,
        height: 30.0,
        elements,
        ..Scene::default()
    }
}

fn image(scene: &Scene) -> Image {
    scene.to_image(Theme::Light, 1.0).expect("a small picture")
}

fn figure(presence: Presence, turn: f64) -> SceneElement {
    SceneElement::Sprite {
        sprite: Sprite::Square,
        frame: Frame::new(8.0, 3.0, 24.0, 24.0),
        colour: Colour::Blue,
        presence,
        turn,
    }
}

const WHITE: Option<[u8; 3]> = Some([255; 3]);

#[test]
fn parts_are_where_the_scene_says() {
    let blue = Some(Colour::Blue.light(Tone::Strong));
    let frame = Frame::new(5.0, 10.0, 20.0, 8.0);
    let fill = Fill::Plain(Colour::Blue, Tone::Strong);
    let parts = [
        SceneElement::Box {
            frame,
            radius: 0.0,
            fill,
            border: None,
        },
        SceneElement::Disc {
            frame,
            fill,
            border: None,
        },
        SceneElement::Area {
            points: vec![(5.0, 14.0), (15.0, 10.0), (25.0, 14.0), (15.0, 18.0)],
            fill,
        },
        SceneElement::Line {
            points: vec![(5.0, 14.0), (25.0, 14.0)],
            colour: Colour::Blue,
            stroke: Stroke::Bold,
            arrow: false,
        },
    ];
    for part in parts {
        let drawn = image(&scene(vec![part.clone()]));
        assert_eq!(drawn.pixel(15, 14), blue, "{part:?}");
        for outside in [(2, 14), (15, 5), (28, 14), (15, 22)] {
            assert_eq!(
                drawn.pixel(outside.0, outside.1),
                WHITE,
                "{part:?} at {outside:?}"
            );
        }
    }
    assert_eq!(image(&scene(vec![])).pixel(40, 0), None);
}

#[test]
fn figures_are_turned_and_pale_where_they_are_wanted() {
    let upright = image(&scene(vec![figure(Presence::Real, 0.0)]));
    assert_eq!(upright.pixel(20, 15), Some(Colour::Blue.light(Tone::Strong)));
    assert_eq!(
        upright.pixel(13, 8),
        upright.pixel(20, 15),
        "a corner of the square"
    );
    let turned = image(&scene(vec![figure(Presence::Real, std::f64::consts::FRAC_PI_4)]));
    assert_eq!(turned.pixel(12, 7), WHITE, "a square on its corner");
    let pale = image(&scene(vec![figure(Presence::Wanted, 0.0)]));
    let [red, _, _] = pale.pixel(20, 15).expect("a pixel");
    assert!((150..180).contains(&red), "35 % of {:?}: {red}", Colour::Blue);
}

#[test]
fn text_is_as_wide_as_the_scene_says() {
    let label = |anchor, x| SceneElement::Label {
        text: "HH".to_owned(),
        at: (x, 15.0),
        anchor,
        size: 12.0,
        colour: Colour::Ink,
    };
    for (anchor, x) in [(Anchor::Start, 10.0), (Anchor::Middle, 20.0), (Anchor::End, 30.0)] {
        let part = label(anchor, x);
        let frame = part.frame();
        let drawn = image(&scene(vec![part]));
        let is_ink = |&x: &u32| (0..30).any(|y| drawn.pixel(x, y) != WHITE);
        let columns: Vec<u32> = (0..40).filter(is_ink).collect();
        let (first, last) = (columns[0], columns[columns.len() - 1]);
        assert!(f64::from(first) >= frame.x.floor() && f64::from(last) <= frame.right().ceil());
        assert!(f64::from(last - first) > 0.7 * frame.width, "{anchor:?}");
    }
}

#[test]
fn a_picture_is_fitted_into_its_size() {
    let whole = SceneElement::Box {
        frame: Frame::new(0.0, 0.0, 40.0, 30.0),
        radius: 0.0,
        fill: Fill::Plain(Colour::Red, Tone::Strong),
        border: None,
    };
    let red = Some(Colour::Red.light(Tone::Strong));
    let image = scene(vec![whole]).to_image_within(Theme::Light, 80, 80);
    let image = image.expect("a small picture");
    assert_eq!((image.width(), image.height()), (80, 80));
    for (y, expected) in [(5, WHITE), (12, red), (66, red), (75, WHITE)] {
        assert_eq!(image.pixel(40, y), expected, "row {y}");
    }
}

#[test]
fn what_has_no_pixels_or_too_many_is_refused() {
    for scale in [0.0, 1e6, f64::NAN, f64::INFINITY, -1.0] {
        let refused = scene(vec![]).to_image(Theme::Light, scale);
        assert!(matches!(refused, Err(ImageError::Size { .. })), "{scale}");
    }
    assert!(Image::new(0, 5, [0; 3]).is_err() && Image::new(u32::MAX, u32::MAX, [0; 3]).is_err());
}

#[test]
fn files_are_the_same_every_time_and_are_read_back() {
    let warehouse = || {
        draw(
            Some(WAREHOUSE),
            warehouse(3, 4),
            &["robot-at r1c1"],
            &["box-at box-1 r2c2"],
        )
    };
    for theme in [Theme::Light, Theme::Dark] {
        let image = warehouse().to_image(theme, 1.5).expect("a small picture");
        assert_eq!(image.pixel(0, 0), Some(paper(theme)));
        let bytes = image.to_png().expect("a PNG");
        let again = warehouse().to_image(theme, 1.5).expect("a small picture");
        assert_eq!(again.to_png().expect("a PNG"), bytes);
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes))
            .read_info()
            .expect("a PNG");
        let mut pixels = vec![0; image.pixels().len()];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (image.width(), image.height()));
        assert_eq!(pixels, image.pixels());
        let webp = image.to_webp().expect("a WebP");
        let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(&webp)).expect("a WebP");
        decoder.read_image(&mut pixels).expect("pixels");
        assert_eq!(pixels, image.pixels());
    }
}

/// The bytes are equal on all machines: the arithmetic is fixed-point or comes from `libm`.
#[test]
fn a_picture_has_the_bytes_on_record() {
    let scene = draw(
        Some(WAREHOUSE),
        warehouse(2, 3),
        &["robot-at r1c2"],
        &["box-at box-1 r2c2"],
    );
    let image = scene.to_image(Theme::Light, 1.0).expect("a small picture");
    let digest = image
        .pixels()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    insta::assert_snapshot!(format!("{} x {}: {digest:016x}", image.width(), image.height()));
}

proptest! {
    /// Elements outside of the picture change nothing, and no size panics.
    #[test]
    fn parts_of_any_size_are_drawn(
        x in -1e4f64..1e4, y in -1e4f64..1e4, width in 0.0f64..1e4, height in 0.0f64..1e4, turn in -10.0f64..10.0,
    ) {
        let frame = Frame::new(x, y, width, height);
        let fill = Fill::Plain(Colour::Green, Tone::Strong);
        let border = Some((Colour::Ink, Stroke::Dashed));
        let parts = vec![
            SceneElement::Box { frame, radius: 5.0, fill, border },
            SceneElement::Disc { frame, fill, border },
            SceneElement::Sprite { sprite: Sprite::Truck, frame, colour: Colour::Red, presence: Presence::Wanted, turn },
        ];
        let drawn = image(&scene(parts));
        let outside = x > 60.0 || y > 60.0 || x + width.max(height) * 1.5 < -60.0;
        if outside && x > 60.0 + width.max(height) {
            prop_assert_eq!(drawn, image(&scene(vec![])));
        }
    }
}

#[test]
fn images_are_made_of_bytes_and_pasted_in_part() {
    let white = Image::new(3, 2, [255; 3]).unwrap();
    let black = Image::from_pixels(2, 2, vec![0; 12]).unwrap();
    for (corner, count) in [
        ((0, 0), 4),
        ((2, 1), 1),
        ((3, 1), 0),
        ((9, 0), 0),
        ((0, 9), 0),
        ((u32::MAX, 0), 0),
    ] {
        let mut whole = white.clone();
        whole.paste(&black, corner);
        let painted = whole.pixels().chunks(3).filter(|pixel| *pixel == [0; 3]).count();
        assert_eq!(painted, count, "{corner:?}");
    }
    let wrong = Image::from_pixels(2, 2, vec![0; 11]).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "a picture of 2 × 2 pixels has 12 bytes, not 11"
    );
    assert!(Image::from_pixels(0, 2, Vec::new()).is_err());
}
