//! Routes of edges around the places between their ends.

use super::lines::{border, entry};
use super::place::Spots;
use crate::scene::{Frame, Point};

/// The distance between detours that run side by side.
const APART: f64 = 7.0;
/// The distance of the first detour from the places that it passes, less [`APART`]: a loop fits in between.
const BESIDE: f64 = 4.0;
/// The number of detours that are tried on each side.
const TRIES: u32 = 8;
/// The part of a place's edge that a line may cut, because its corners are round.
const CORNER: f64 = 3.0;
/// How far a loop reaches beyond the corner of its place.
const LOOP: f64 = 8.0;

/// Finds the routes of edges in turn: a straight line, or a detour around the places in between.
pub(crate) struct Router {
    /// The frames of all places.
    places: Vec<Frame>,
    /// For each place, its frame with that of its name.
    named: Vec<Frame>,
    /// Whether places are circles in their frames.
    is_disc: bool,
    /// Where detours may run; `None` for anywhere.
    within: Option<Frame>,
    /// The middle segments of the detours so far.
    taken: Vec<[Point; 2]>,
}

impl Router {
    pub(crate) fn new(spots: &Spots, is_disc: bool, within: Option<Frame>) -> Self {
        let places: Vec<Frame> = spots.spots.iter().map(|spot| spot.frame).collect();
        let captions = spots.spots.iter().map(|spot| spot.caption);
        let named = places.iter().zip(captions);
        let named = named.map(|(place, caption)| caption.map_or(*place, |caption| place.union(&caption)));
        Self {
            named: named.collect(),
            ..Self::without_names(places, is_disc, within)
        }
    }

    /// Creates a router around places without names.
    pub(crate) fn without_names(places: Vec<Frame>, is_disc: bool, within: Option<Frame>) -> Self {
        Self {
            named: places.clone(),
            places,
            is_disc,
            within,
            taken: Vec::new(),
        }
    }

    /// Returns the points of the edge between two places: a loop for a place with itself. The edge is a straight line if
    /// it passes no other place, or if no detour is free.
    pub(crate) fn route(&mut self, one: usize, other: usize) -> Vec<Point> {
        if one == other {
            return looped(self.places[one], self.is_disc);
        }
        self.detour(one, other).unwrap_or_else(|| {
            let (from, to) = (self.places[one], self.places[other]);
            vec![self.edge_of(from, to.centre()), self.edge_of(to, from.centre())]
        })
    }

    /// Returns the point where the line from the centre of a place towards a point leaves the place.
    fn edge_of(&self, place: Frame, towards: Point) -> Point {
        if !self.is_disc {
            return border(place, towards);
        }
        let (x, y) = place.centre();
        let (across, down) = (towards.0 - x, towards.1 - y);
        let share = place.width / 2.0 / libm::sqrt(across * across + down * down).max(1e-9);
        (x + across * share.min(1.0), y + down * share.min(1.0))
    }

    /// Returns the points of the detour of an edge between two places; `None` if a straight line passes no other place, or if
    /// no detour is free.
    pub(crate) fn detour(&mut self, one: usize, other: usize) -> Option<Vec<Point>> {
        let (from, to) = (self.places[one], self.places[other]);
        let straight = [self.edge_of(from, to.centre()), self.edge_of(to, from.centre())];
        let ends = [one, other];
        let between = (0..self.places.len()).filter(|place| !ends.contains(place));
        let blocks = |&place: &usize| crosses(self.places[place].inset(CORNER), &straight);
        let first = between.clone().find(blocks)?;
        let reach = self.places[first].width.max(self.places[first].height) / 2.0;
        let detours = (1..=TRIES).flat_map(|step| {
            let away = reach + BESIDE + APART * f64::from(step);
            [detour(from, to, -away), detour(from, to, away)].map(|[first, second]| {
                vec![self.edge_of(from, first), first, second, self.edge_of(to, second)]
            })
        });
        let is_free = |points: &Vec<Point>| {
            let inside = self.within.is_none_or(|within| {
                let mut points = points.iter();
                points.all(|&(x, y)| {
                    (within.x..=within.right()).contains(&x) && (within.y..=within.bottom()).contains(&y)
                })
            });
            let middle = [points[1], points[2]];
            let passes = |place: usize| crosses(self.named[place], points);
            inside
                && !between.clone().any(passes)
                && !self.taken.iter().any(|taken| is_beside(taken, &middle))
        };
        let mut detours = detours.filter(is_free);
        let points = detours.next()?;
        self.taken.push([points[1], points[2]]);
        Some(points)
    }
}

/// Returns the bends of a line from one place to another that runs at the distance `away` from the line through their
/// centres: below it on the screen, or above it if `away` is negative.
fn detour(from: Frame, to: Frame, away: f64) -> [Point; 2] {
    let (start, end) = (from.centre(), to.centre());
    let (across, down) = (end.0 - start.0, end.1 - start.1);
    let length = (across * across + down * down).sqrt().max(1e-9);
    let (unit, reach) = (
        (across / length, down / length),
        from.width.max(from.height) / 2.0,
    );
    let side = if unit.0 < 0.0 { -away } else { away };
    let along = (reach * 0.8).min(length / 3.0);
    let beside = |point: Point, along: f64| {
        (
            point.0 + unit.0 * along - unit.1 * side,
            point.1 + unit.1 * along + unit.0 * side,
        )
    };
    [beside(start, along), beside(end, -along)]
}

/// Returns a loop around the upper right corner of a place.
fn looped(place: Frame, is_disc: bool) -> Vec<Point> {
    let (right, top) = (place.right(), place.y);
    let inside = (place.width.min(place.height) * 0.28).max(LOOP);
    let (start, end) = if is_disc {
        let (x, y) = place.centre();
        let radius = place.width / 2.0;
        let far = libm::sqrt((radius * radius - (radius - inside) * (radius - inside)).max(0.0));
        ((right - inside, y - far), (x + far, top + inside))
    } else {
        ((right - inside, top), (right, top + inside))
    };
    vec![
        start,
        (start.0, top - LOOP),
        (right + LOOP, top - LOOP),
        (right + LOOP, end.1),
        end,
    ]
}

fn crosses(frame: Frame, points: &[Point]) -> bool {
    let mut segments = points.windows(2);
    segments.any(|ends| entry(frame, ends[0], ends[1]).is_some())
}

/// Returns whether two segments run side by side so close that they look like one line.
fn is_beside(one: &[Point; 2], other: &[Point; 2]) -> bool {
    let (across, down) = (one[1].0 - one[0].0, one[1].1 - one[0].1);
    let length = (across * across + down * down).sqrt().max(1e-9);
    let seen = |point: Point| {
        let (x, y) = (point.0 - one[0].0, point.1 - one[0].1);
        ((x * across + y * down) / length, (y * across - x * down) / length)
    };
    let (start, end) = (seen(other[0]), seen(other[1]));
    let is_near = start.1.abs() < APART - 1.0 && end.1.abs() < APART - 1.0;
    is_near && start.0.min(end.0) < length && start.0.max(end.0) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(count: usize, within: Option<Frame>) -> Router {
        let frame = |at: usize| Frame::new(60.0 * at as f64, 0.0, 40.0, 40.0);
        Router::without_names((0..count).map(frame).collect(), false, within)
    }

    #[test]
    fn an_edge_goes_around_the_places_between_its_ends() {
        let mut router = line_of(5, None);
        let places = router.places.clone();
        assert_eq!(router.route(0, 1), [(40.0, 20.0), (60.0, 20.0)]);
        let mut seen = Vec::new();
        for (one, other) in [(0, 2), (2, 4), (0, 4), (1, 3), (4, 0)] {
            let points = router.route(one, other);
            assert_eq!(points.len(), 4, "{one} to {other}");
            for (at, place) in places.iter().enumerate() {
                let is_end = at == one || at == other;
                assert!(
                    is_end || !crosses(*place, &points),
                    "{one} to {other} hides behind {at}"
                );
            }
            let middle = [points[1], points[2]];
            assert!(
                !seen.iter().any(|taken| is_beside(taken, &middle)),
                "{one} to {other}"
            );
            seen.push(middle);
        }
    }

    #[test]
    fn a_detour_stays_within_its_bounds_and_a_loop_is_outside_of_its_place() {
        let mut router = line_of(3, Some(Frame::new(0.0, 0.0, 160.0, 40.0)));
        let straight = router.route(0, 2);
        assert_eq!(straight, [(40.0, 20.0), (120.0, 20.0)], "there is no room");
        for is_disc in [false, true] {
            let points = looped(router.places[0], is_disc);
            let inner = router.places[0].inset(if is_disc { 7.0 } else { 1.0 });
            assert!(!crosses(inner, &points), "{points:?}");
            assert_ne!(points.first(), points.last());
        }
    }
}
