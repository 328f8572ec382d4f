//! Force-directed layout of graphs.

use crate::scene::Point;

/// The maximum number of nodes. Larger graphs are laid out in rows, because the distances of all pairs would take too long.
const MOST: usize = 400;

/// Returns the centres of `count` boxes of equal size, such that connected boxes are close and no two overlap.
///
/// Uses stress majorisation (Gansner, Koren and North, "Graph drawing by stress majorization", 2004): distances in the
/// picture approximate the number of edges between nodes. It starts from a circle, so equal graphs get equal pictures.
/// Overlapping boxes are then pushed apart.
pub(crate) fn force(count: usize, edges: &[(usize, usize)], (width, height): (f64, f64)) -> Vec<Point> {
    if count > MOST {
        return rows(count, (width, height));
    }
    let wanted = TargetDistances::of(distances(count, edges), count);
    let mut points = super::circle(count, 1.0);
    let rounds = if count > 120 { 40 } else { 150 };
    for _ in 0..rounds {
        majorise(&mut points, &wanted);
    }
    level(&mut points);
    let unit = 1.45 * width.max(height);
    for point in &mut points {
        *point = (point.0 * unit, point.1 * unit);
    }
    if !push_apart(&mut points, (width, height)) {
        return rows(count, (width, height));
    }
    points
}

/// Returns for each pair of nodes the number of edges on the shortest path, ignoring directions. Unconnected pairs get the
/// maximum distance plus 1.
fn distances(count: usize, edges: &[(usize, usize)]) -> Vec<f64> {
    let mut near = vec![Vec::new(); count];
    for &(one, other) in edges {
        near[one].push(other);
        near[other].push(one);
    }
    let mut distances = vec![f64::INFINITY; count * count];
    let mut farthest = 1.0f64;
    for start in 0..count {
        let mut queue = std::collections::VecDeque::from([start]);
        distances[start * count + start] = 0.0;
        while let Some(node) = queue.pop_front() {
            let next = distances[start * count + node] + 1.0;
            for &other in &near[node] {
                let known = &mut distances[start * count + other];
                if known.is_infinite() {
                    *known = next;
                    farthest = farthest.max(next);
                    queue.push_back(other);
                }
            }
        }
    }
    let apart = (farthest * 0.6).clamp(1.5, 4.0);
    for distance in &mut distances {
        if distance.is_infinite() {
            *distance = apart;
        }
    }
    distances
}

/// The target distances and their weights.
struct TargetDistances {
    /// For each pair of nodes, the distance and the weight, which is its inverse square. The weight of a node with itself is
    /// 0.
    pairs: Vec<(f64, f64)>,
    /// For each node, the sum of its weights.
    sums: Vec<f64>,
}

impl TargetDistances {
    fn of(distances: Vec<f64>, count: usize) -> Self {
        let weight = |pair: usize, distance: f64| {
            let is_own = pair / count == pair % count;
            if is_own { 0.0 } else { 1.0 / (distance * distance) }
        };
        let pairs: Vec<_> = (0..)
            .zip(distances)
            .map(|(pair, far)| (far, weight(pair, far)))
            .collect();
        let sums = pairs
            .chunks(count.max(1))
            .map(|row| row.iter().map(|pair| pair.1).sum());
        Self {
            sums: sums.collect(),
            pairs,
        }
    }
}

/// Takes one step of majorisation: moves each node to the weighted mean of the positions that the others suggest.
fn majorise(points: &mut [Point], wanted: &TargetDistances) {
    let count = points.len();
    for (node, &sum) in wanted.sums.iter().enumerate() {
        let (x, y) = points[node];
        let (mut across, mut down) = (0.0, 0.0);
        for (&(ox, oy), &(distance, weight)) in points.iter().zip(&wanted.pairs[node * count..]) {
            let (dx, dy) = (x - ox, y - oy);
            let length = (dx * dx + dy * dy).sqrt().max(1e-9);
            across += weight * (ox + distance * dx / length);
            down += weight * (oy + distance * dy / length);
        }
        if sum > 0.0 {
            points[node] = (across / sum, down / sum);
        }
    }
}

/// Rotates the picture to minimise its height, in steps of 15 degrees.
fn level(points: &mut [Point]) {
    const STEPS: u32 = 12;
    let turned = |(x, y): Point, step: u32| {
        let angle = f64::from(step) * std::f64::consts::PI / f64::from(STEPS);
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        (x * cosine - y * sine, x * sine + y * cosine)
    };
    let height = |step: u32| {
        let downs = points.iter().map(|&point| turned(point, step).1);
        let (least, most) = downs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), down| {
            (least.min(down), most.max(down))
        });
        most - least
    };
    // Ignores tiny differences, so that rounding does not decide.
    let mut best = (0, height(0));
    for step in 1..STEPS {
        let height = height(step);
        if height < best.1 - 1e-6 {
            best = (step, height);
        }
    }
    for point in points {
        *point = turned(*point, best.0);
    }
}

/// Pushes overlapping boxes apart along the axis with the smaller overlap. Returns whether no overlaps remain.
fn push_apart(points: &mut [Point], (width, height): (f64, f64)) -> bool {
    const ROUNDS: usize = 400;
    for _ in 0..ROUNDS {
        let mut moved = false;
        for one in 0..points.len() {
            for other in one + 1..points.len() {
                let (across, down) = (points[other].0 - points[one].0, points[other].1 - points[one].1);
                let (deep_across, deep_down) = (width - across.abs(), height - down.abs());
                if deep_across <= 0.01 || deep_down <= 0.01 {
                    continue;
                }
                moved = true;
                if deep_across / width < deep_down / height {
                    let by = (deep_across / 2.0 + 0.01) * if across < 0.0 { -1.0 } else { 1.0 };
                    points[one].0 -= by;
                    points[other].0 += by;
                } else {
                    let by = (deep_down / 2.0 + 0.01) * if down < 0.0 { -1.0 } else { 1.0 };
                    points[one].1 -= by;
                    points[other].1 += by;
                }
            }
        }
        if !moved {
            return true;
        }
    }
    false
}

/// Arranges boxes in rows, about as wide as high.
fn rows(count: usize, (width, height): (f64, f64)) -> Vec<Point> {
    let columns = ((count as f64).sqrt().ceil() as usize).max(1);
    let place = |at: usize| ((at % columns) as f64 * width, (at / columns) as f64 * height);
    (0..count).map(place).collect()
}
