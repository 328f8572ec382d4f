//! Properties of every model: its text is parsed to an equal model.

use std::sync::Arc;

use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Domain, Instance, Source};
use proptest::prelude::*;

fn shape(depth: usize) -> Shape {
    Shape {
        depth,
        draws: Drawing::All,
        ..Shape::default()
    }
}

#[test]
fn brackets_around_a_left_operand_change_nothing() {
    let domain = |precondition: &str| {
        Domain::from_text(&format!(
            "domain d {{ pvariables {{ s : {{ state-fluent, bool, default = false }}; }};
             cpfs {{ s' = s; }}; reward = 0; action-preconditions {{ {precondition}; }}; }}"
        ))
        .expect("a domain")
    };
    for sign in ["=>", "<=>", "|", "^"] {
        let (plain, bracketed) = (
            format!("s {sign} true {sign} s"),
            format!("(s {sign} true) {sign} s"),
        );
        assert_eq!(domain(&bracketed), domain(&plain));
        assert_ne!(domain(&format!("s {sign} (true {sign} s)")), domain(&plain));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_printed_model_is_read_as_the_same(instance in (1usize..5).prop_flat_map(|depth| instances(&shape(depth)))) {
        let text = instance.domain.to_rddl();
        let domain = Domain::from_text(&text).map_err(|faults| TestCaseError::fail(format!("{faults}\n{text}")))?;
        prop_assert_eq!(&domain, &*instance.domain, "printed differently:\n{}", text);
        let text = instance.to_rddl();
        let again = Instance::parse(&[Source::new("printed", &text)], &Arc::new(domain));
        prop_assert_eq!(again.as_ref(), Ok(&instance), "printed differently:\n{}", text);
    }

    #[test]
    fn the_blocks_of_a_problem_can_be_in_any_text(instance in instances(&shape(2)), order in 0usize..3) {
        let (domain, rest) = (instance.domain.to_rddl(), instance.to_rddl());
        let sources = match order {
            0 => vec![Source::new("all", &(domain + &rest))],
            1 => vec![Source::new("all", &(rest + &domain))],
            _ => vec![Source::new("instance", &rest), Source::new("domain", &domain)],
        };
        let again = Instance::load(&sources);
        prop_assert_eq!(again.as_ref(), Ok(&instance));
    }

    #[test]
    fn the_draws_of_an_instance_have_sites_of_their_own(instance in instances(&shape(3))) {
        let sites = herbrand_rddl::Sites::new(&instance);
        let mut taken = std::collections::BTreeSet::new();
        for index in 0..instance.domain.draws.len() {
            let id = herbrand_rddl::DrawId::from_index(index);
            let mut rows = vec![Vec::new()];
            for &of in &instance.domain.draw(id).types {
                rows = rows
                    .into_iter()
                    .flat_map(|row: Vec<u32>| {
                        (0..instance.size(of)).map(move |item| [row.as_slice(), &[item]].concat())
                    })
                    .collect();
            }
            for row in rows {
                prop_assert!(taken.insert(sites.site(id, &row)), "two draws at one site");
            }
        }
    }
}
