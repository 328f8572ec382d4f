//! Layouts in layers, on a circle, and on a line.

use std::f64::consts::TAU;

use crate::scene::Point;

/// Returns points on a circle, clockwise from the top, with distance `apart` between neighbours.
pub(crate) fn circle(count: usize, apart: f64) -> Vec<Point> {
    let radius = match count {
        0 | 1 => 0.0,
        2 => apart / 2.0,
        _ => apart / (2.0 * libm::sin(TAU / (2.0 * count as f64))),
    };
    let point = |at: usize| {
        let angle = TAU * at as f64 / count as f64;
        (radius * libm::sin(angle), -radius * libm::cos(angle))
    };
    (0..count).map(point).collect()
}

/// Arranges boxes in layers such that each edge points down, except for edges that would close a cycle. Within a layer,
/// nodes are ordered by the barycentre heuristic of Sugiyama, Tagawa and Toda (1981).
pub(crate) fn layers(count: usize, edges: &[(usize, usize)], (width, height): (f64, f64)) -> Vec<Point> {
    let depth = depths(count, edges);
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); deepest + 1];
    for (node, &depth) in depth.iter().enumerate() {
        rows[depth].push(node);
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let mut points = vec![(0.0, 0.0); count];
    for (row, nodes) in rows.iter_mut().enumerate() {
        let wish = |node: usize| {
            let above = edges
                .iter()
                .filter(|&&(from, to)| to == node && depth[from] < row);
            let places: Vec<f64> = above.map(|&(from, _)| points[from].0).collect();
            match places.len() {
                0 => f64::NAN,
                some => places.iter().sum::<f64>() / some as f64,
            }
        };
        let mut wishes: Vec<_> = nodes.iter().map(|&node| (wish(node), node)).collect();
        if row > 0 {
            wishes.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        let gap = (widest * width / wishes.len().max(1) as f64)
            .min(2.2 * width)
            .max(width);
        let left = -gap * (wishes.len() as f64 - 1.0) / 2.0;
        for (at, (_, node)) in wishes.into_iter().enumerate() {
            points[node] = (left + gap * at as f64, height * 1.35 * row as f64);
        }
    }
    points
}

/// Returns for each node the length of the longest path to it, ignoring edges that close a cycle: of two opposite edges
/// the edge to the earlier node, and the back edges of a depth-first search.
fn depths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    #[derive(Clone, Copy)]
    enum Visit {
        Unseen,
        Open,
        Left,
    }
    let mut next = vec![Vec::new(); count];
    for &(from, to) in edges {
        if !(edges.contains(&(to, from)) && to < from) {
            next[from].push(to);
        }
    }
    let mut visits = vec![Visit::Unseen; count];
    // The edges that do not lead back, and the nodes in the order in which the search leaves them.
    let (mut forward, mut left) = (vec![Vec::new(); count], Vec::with_capacity(count));
    for root in 0..count {
        let mut path = Vec::new();
        if let Visit::Unseen = visits[root] {
            visits[root] = Visit::Open;
            path.push((root, 0));
        }
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            let Some(&to) = next[node].get(*at) else {
                visits[node] = Visit::Left;
                left.push(node);
                path.pop();
                continue;
            };
            *at += 1;
            match visits[to] {
                Visit::Open => {}
                Visit::Left => forward[node].push(to),
                Visit::Unseen => {
                    forward[node].push(to);
                    visits[to] = Visit::Open;
                    path.push((to, 0));
                }
            }
        }
    }
    let mut depth = vec![0; count];
    for &node in left.iter().rev() {
        for &to in &forward[node] {
            depth[to] = depth[to].max(depth[node] + 1);
        }
    }
    depth
}

/// Arranges boxes in a row along the edges, starting from a node with a single neighbour. Long rows wrap.
pub(crate) fn line(count: usize, edges: &[(usize, usize)], (width, height): (f64, f64)) -> Vec<Point> {
    const LONGEST: usize = 9;
    let mut points = vec![(0.0, 0.0); count];
    for (at, node) in along(count, edges).into_iter().enumerate() {
        points[node] = (
            (at % LONGEST) as f64 * width * 1.25,
            (at / LONGEST) as f64 * height * 1.3,
        );
    }
    points
}

/// Arranges boxes on a circle along the edges.
pub(crate) fn ring(count: usize, edges: &[(usize, usize)], apart: f64) -> Vec<Point> {
    let mut points = vec![(0.0, 0.0); count];
    for (node, point) in along(count, edges).into_iter().zip(circle(count, apart)) {
        points[node] = point;
    }
    points
}

/// Orders the nodes such that each follows a connected one if possible. Starts from a node with a single neighbour and an
/// outgoing edge, or else from the first node.
fn along(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut near = vec![Vec::new(); count];
    for &(one, other) in edges {
        near[one].push(other);
        near[other].push(one);
    }
    for nodes in &mut near {
        nodes.sort_unstable();
        nodes.dedup();
    }
    let is_end = |&node: &usize| near[node].len() == 1 && edges.iter().any(|&(from, _)| from == node);
    let mut order: Vec<usize> = (0..count).find(is_end).into_iter().collect();
    let mut known = vec![false; count];
    order.iter().for_each(|&node| known[node] = true);
    while order.len() < count {
        let next = order
            .last()
            .and_then(|&last| near[last].iter().copied().find(|&node| !known[node]));
        let Some(next) = next.or_else(|| (0..count).find(|&node| !known[node])) else {
            break;
        };
        known[next] = true;
        order.push(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_makes_no_empty_layers() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (2, 2)];
        assert_eq!(depths(5, &edges), [0, 1, 2, 3, 4]);
        assert_eq!(depths(3, &[(0, 1), (1, 0), (1, 2), (2, 1)]), [0, 1, 2]);
        assert_eq!(depths(4, &[(3, 1), (1, 0)]), [2, 1, 0, 0]);
    }
}
