//! Where lines between places begin and end.

use super::SMALL;
use crate::scene::{Frame, Point};
use crate::text::text_width;

/// Returns the point between two others.
pub(super) fn midpoint(one: Point, other: Point) -> Point {
    ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0)
}

/// Returns the point where a rectangle is left by the line from its centre towards a point.
pub(super) fn border(frame: Frame, towards: Point) -> Point {
    let (x, y) = frame.centre();
    let (across, down) = (towards.0 - x, towards.1 - y);
    let across_share = frame.width / 2.0 / across.abs().max(1e-9);
    let down_share = frame.height / 2.0 / down.abs().max(1e-9);
    let share = across_share.min(down_share).min(1.0);
    (x + across * share, y + down * share)
}

/// Returns the background of the name of a place, in the middle of the room for it.
pub(super) fn paper(name: &str, room: Frame) -> Frame {
    let width = text_width(name, SMALL).min(room.width - 2.0);
    Frame::new(
        room.centre().0 - width / 2.0 - 1.0,
        room.y + 1.0,
        width + 2.0,
        room.height - 2.0,
    )
}

/// Returns the point where the line between two points enters a rectangle; `None` if it does not.
pub(super) fn entry(frame: Frame, from: Point, to: Point) -> Option<Point> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (start, change, low, high) in [
        (from.0, across, frame.x, frame.right()),
        (from.1, down, frame.y, frame.bottom()),
    ] {
        if change.abs() < 1e-9 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - start) / change, (high - start) / change);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    (enters <= leaves).then_some((from.0 + across * enters, from.1 + down * enters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_enters_a_rectangle_at_its_border() {
        let frame = Frame::new(10.0, 10.0, 10.0, 4.0);
        assert_eq!(entry(frame, (15.0, 30.0), (15.0, 0.0)), Some((15.0, 14.0)));
        assert_eq!(entry(frame, (0.0, 12.0), (12.0, 12.0)), Some((10.0, 12.0)));
        assert_eq!(entry(frame, (15.0, 30.0), (15.0, 20.0)), None);
        assert_eq!(entry(frame, (0.0, 30.0), (9.0, 0.0)), None);
    }
}
