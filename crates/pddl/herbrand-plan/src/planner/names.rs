//! The names that other planners use for the searches of this crate.

/// Herbrand's names of searches, each with the names that other planners use. Brackets and spaces in those are left out, so
/// that `eager_greedy([add()])` is `eager_greedyadd`.
const PLANNERS: [(&str, &[&str]); 10] = [
    ("landmarks", &["lama-first"]),
    (
        "anytime",
        &["lama", "lama-2011", "seq-sat-lama", "seq-sat-lama-2011", "wastar"],
    ),
    ("hill-climbing", &["ff", "ehc", "ehcff"]),
    (
        "eager",
        &[
            "gbfs",
            "eager-greedy",
            "eager_greedy",
            "eager_greedyff",
            "eager-greedyff",
            "gbfsff",
        ],
    ),
    (
        "lazy",
        &["lazy-greedy", "lazy_greedy", "lazy_greedyff", "lazy-greedyff"],
    ),
    (
        "additive",
        &["add", "hadd", "eager_greedyadd", "eager-greedyadd", "gbfsadd"],
    ),
    ("width", &["bfws"]),
    ("astar-blind", &["blind", "astarblind", "dijkstra"]),
    ("astar-max", &["hmax", "max", "astarhmax", "astar-hmax"]),
    (
        "astar-lmcut",
        &["lmcut", "optimal", "astar", "astarlmcut", "seq-opt-lmcut"],
    ),
];

/// Returns whether a part of a search expression of Fast Downward, without brackets, is a setting that has no counterpart.
fn is_setting(part: &str) -> bool {
    let settings = [
        "preferred=",
        "w=",
        "boost=",
        "cost_type=",
        "reopen_closed=",
        "randomize_successors=",
    ];
    settings.iter().any(|setting| part.starts_with(setting))
}

/// Returns Herbrand's name of a search that other planners may name differently, in lower case: `landmarks` for
/// `lama-first`, `astar-lmcut` for `astar(lmcut())`. A name that is not known is returned in lower case, without
/// brackets, spaces and settings such as `w=3`. Parse the result as a [`PlannerKind`](crate::PlannerKind).
#[must_use]
pub fn our_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '(' | ')' | '[' | ']' | ' '))
        .collect();
    let plain = plain.to_lowercase();
    // Herbrand's searches prefer operators, and choose their weights, themselves.
    let mut plain = plain
        .split(',')
        .filter(|part| !is_setting(part))
        .collect::<Vec<_>>()
        .join(",");
    if plain.starts_with("lazy_wastar") || plain.starts_with("eager_wastar") {
        plain = "wastar".to_owned();
    }
    let ours = PLANNERS
        .iter()
        .find(|(_, theirs)| theirs.contains(&plain.as_str()));
    ours.map_or(plain, |(ours, _)| (*ours).to_owned())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::*;
    use crate::planner::PlannerKind;

    #[test]
    fn names_of_other_planners_mean_a_search_of_ours() {
        for (ours, theirs) in PLANNERS {
            let kind = PlannerKind::from_str(ours).expect("a name of ours");
            for name in theirs {
                assert_eq!(our_name(name), ours);
                assert!(PlannerKind::ALL.iter().all(|kind| kind.as_str() != *name));
                assert_eq!(PlannerKind::from_str(name), Ok(kind));
            }
        }
        for (name, ours) in [
            ("astar(blind())", "astar-blind"),
            ("eager_greedy([add()])", "additive"),
            ("eager_greedy([ff()])", "eager"),
            ("lazy_greedy([ff])", "lazy"),
            ("ehc(ff())", "hill-climbing"),
            ("LAMA", "anytime"),
            ("astar(lmcut())", "astar-lmcut"),
            ("lazy_greedy([ff()], preferred=[ff()])", "lazy"),
            ("lazy_greedy([ff()], preferred=[ff()], cost_type=one)", "lazy"),
            ("lazy_wastar([ff()], w=5)", "anytime"),
            ("eager_wastar([ff()],w=3)", "anytime"),
            ("lama-2011", "anytime"),
            ("Landmarks", "landmarks"),
            ("unknown(x)", "unknownx"),
        ] {
            assert_eq!(our_name(name), ours);
        }
    }

    #[test]
    fn an_unknown_planner_is_answered_with_what_it_may_mean() {
        for (name, meant) in [
            ("landmark", "landmarks"),
            ("astar-lmcutt", "astar-lmcut"),
        ] {
            let error = PlannerKind::from_str(name).expect_err(name).to_string();
            assert!(error.ends_with(&format!("; did you mean `{meant}`?")), "{error}");
        }
        let error = PlannerKind::from_str("fast").expect_err("unknown");
        assert_eq!(error.to_string(), "there is no planner `fast`");
    }
}
