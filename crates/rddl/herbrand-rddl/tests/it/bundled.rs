//! The bundled environments are parsed without faults or warnings, and so is their printed text.

use std::sync::Arc;

use herbrand_domains::environments;
use herbrand_rddl::{Checked, Diagnostic, Domain, Instance, PvariableKind, ReadOptions, Source, read};

/// Returns the model of a reading without faults and warnings.
fn value<T>(reading: Checked<T>) -> T {
    assert_none(&reading.diagnostics);
    reading.value.unwrap()
}

fn assert_none(diagnostics: &[Diagnostic]) {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
}

/// Parses the only domain of a text.
fn domain(name: &str, text: &str) -> Arc<Domain> {
    let sources = [Source::new(&format!("{name}/domain.rddl"), text)];
    let document = read(&sources, &ReadOptions::default());
    assert_none(document.diagnostics());
    let domains: Vec<Domain> = document.domains().map(|domain| value(domain.check())).collect();
    let [domain] = domains.try_into().unwrap();
    Arc::new(domain)
}

/// Parses the only instance of a text.
fn instance(name: &str, text: &str, domain: &Arc<Domain>) -> Instance {
    let sources = [Source::new(name, text)];
    let document = read(&sources, &ReadOptions::default());
    assert_none(document.diagnostics());
    assert_eq!(
        document
            .instances()
            .map(|one| one.domain_name().map(str::to_owned))
            .collect::<Vec<_>>(),
        [Some(domain.name.to_string())]
    );
    let instances: Vec<Instance> = document.instances().map(|one| value(one.check(domain))).collect();
    let [instance] = instances.try_into().unwrap();
    instance
}

#[test]
fn every_text_is_read_without_a_fault_or_a_warning() {
    for environment in environments() {
        let domain = domain(environment.name, environment.domain);
        for (number, text) in environment.instances {
            instance(&format!("{}/{number}.rddl", environment.name), text, &domain);
        }
    }
}

#[test]
fn every_model_is_printed_and_read_again() {
    for environment in environments() {
        let domain = domain(environment.name, environment.domain);
        assert!(
            Domain::from_text(&domain.to_rddl()).unwrap() == *domain,
            "{domain}"
        );
        for (_, text) in environment.instances {
            let instance = instance(environment.name, text, &domain);
            let again = Instance::from_text(&domain.to_rddl(), &instance.to_rddl()).unwrap();
            assert!(again == instance, "{}", instance.to_rddl());
        }
    }
}

#[test]
fn the_pomdp_of_a_domain_has_its_mdp_inside() {
    let environments = environments();
    let named = |name: &str| {
        environments
            .iter()
            .find(|environment| environment.name == name)
            .unwrap()
    };
    let pomdps = environments
        .iter()
        .filter_map(|environment| environment.name.strip_suffix("-pomdp"));
    for base in pomdps {
        let forms = ["mdp", "pomdp"].map(|form| {
            let environment = named(&format!("{base}-{form}"));
            domain(environment.name, environment.domain)
        });
        let [mdp, pomdp] = &forms;
        for kind in [PvariableKind::State, PvariableKind::Action, PvariableKind::Interm] {
            let names = forms.each_ref().map(|domain| {
                domain
                    .of_kind(kind)
                    .map(|id| domain.pvariable(id).name.clone())
                    .collect::<Vec<_>>()
            });
            assert_eq!(names[0], names[1], "{base}");
        }
        assert_eq!(mdp.of_kind(PvariableKind::Observ).count(), 0, "{base}");
        assert!(pomdp.of_kind(PvariableKind::Observ).count() > 0, "{base}");
    }
}
