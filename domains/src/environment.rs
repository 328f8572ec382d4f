use crate::files::rddl;

/// A bundled RDDL environment: a domain with instances of increasing size.
#[derive(Clone, Debug)]
pub struct BundledEnvironment {
    /// The name, such as `sysadmin-mdp`.
    pub name: &'static str,
    /// The text of `domain.rddl`.
    pub domain: &'static str,
    /// The text of `env.toml`: a description, and the origin of the environment, such as a paper or a competition.
    pub config: &'static str,
    /// The name and the text of each instance, smallest first: `1` is the text of `1.rddl`. Each text contains the
    /// `non-fluents` and the `instance` block.
    pub instances: Vec<(&'static str, &'static str)>,
}

/// Returns all RDDL environments in alphabetical order.
///
/// ```
/// let environments = herbrand_domains::environments();
/// let sysadmin = environments.iter().find(|environment| environment.name == "sysadmin-mdp");
/// let (name, text) = sysadmin.expect("it is bundled").instances[0];
/// assert_eq!(name, "1");
/// assert!(text.contains("instance sysadmin-mdp-1"));
/// ```
#[must_use]
pub fn environments() -> Vec<BundledEnvironment> {
    let mut environments: Vec<BundledEnvironment> = Vec::new();
    for (path, text) in rddl() {
        let Some((name, file)) = path.split_once('/') else {
            continue;
        };
        if environments.last().is_none_or(|last| last.name != name) {
            environments.push(BundledEnvironment {
                name,
                domain: "",
                config: "",
                instances: Vec::new(),
            });
        }
        let Some(environment) = environments.last_mut() else {
            continue;
        };
        match file.split_once('.') {
            Some(("domain", "rddl")) => environment.domain = text,
            Some(("env", "toml")) => environment.config = text,
            Some((instance, "rddl")) => environment.instances.push((instance, text)),
            _ => {}
        }
    }
    environments
}
