//! Checks that the RDDL environments are complete.

use herbrand_domains::environments;

#[test]
fn each_environment_has_a_domain_a_description_and_five_instances() {
    let environments = environments();
    assert_eq!(environments.len(), 37);
    for environment in environments {
        let name = environment.name;
        assert!(
            environment.domain.contains(&format!("domain {name} {{")),
            "{name}"
        );
        assert!(environment.config.starts_with("description = \""), "{name}");
        assert!(environment.config.contains("\nsource = \""), "{name}");
        let instances: Vec<_> = environment
            .instances
            .iter()
            .map(|&(instance, _)| instance)
            .collect();
        assert_eq!(instances, ["1", "2", "3", "4", "5"], "{name}");
        for (instance, text) in environment.instances {
            assert!(
                text.contains(&format!("instance {name}-{instance} {{")),
                "{name} {instance}"
            );
        }
    }
}

/// Counts the objects that the `objects` block of an instance declares.
fn objects(text: &str) -> usize {
    let (_, rest) = text.split_once("    objects {\n").expect("an objects block");
    let (block, _) = rest.split_once("\n    };").expect("its end");
    block.matches(',').count() + block.matches('{').count()
}

#[test]
fn instances_rise_in_size() {
    for environment in environments() {
        let sizes: Vec<_> = environment
            .instances
            .iter()
            .map(|(_, text)| objects(text))
            .collect();
        let rise = sizes.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(rise, "{}: {sizes:?}", environment.name);
    }
}
