//! A seed yields the same trajectory as in the Python package.

use std::fs;
use std::path::Path;

use herbrand_env::{ActionMode, Env, EnvOptions, EpisodeHorizon, PlanningEnv, Source, Suite, SuiteFiles};

/// A folder with a domain, its problems, and `expected.txt`, whose lines have the seed, the problem and the sampled actions
/// of an episode. The tests of the Python package read the same files.
const FOLDER: &str = "../../fronts/herbrand-python/tests/trajectories";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn suite(folder: &Path) -> Outcome<Suite> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".pddl") {
            files.push((name.clone(), Source::new(&name, &fs::read_to_string(&path)?)));
        }
    }
    let mut suites = SuiteFiles::from_folder("trajectories", files)?;
    Ok(Suite::new(suites.remove(0), ActionMode::Declared)?)
}

fn trajectory(suite: &Suite, seed: u64) -> Outcome<String> {
    let options = EnvOptions {
        horizon: EpisodeHorizon::Steps(30),
        ..EnvOptions::default()
    };
    let mut env = Env::new(suite.clone(), options)?;
    let reset = env.reset(Some(seed))?;
    let problem = suite.full_problem_name(reset.problem).unwrap_or_default();
    let mut line = format!("{seed} {problem}");
    while let Some(action) = env.sample_action()? {
        line += &format!(" {}", action.number());
        if env.step(action)?.ended() {
            break;
        }
    }
    Ok(line)
}

#[test]
fn stored_trajectories_are_repeated() -> Outcome<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let stored = fs::read_to_string(folder.join("expected.txt"))?;
    let suite = suite(&folder)?;
    assert!(stored.lines().count() >= 8);
    for line in stored.lines() {
        let seed = line.split(' ').next().unwrap_or_default().parse()?;
        assert_eq!(trajectory(&suite, seed)?, line);
    }
    Ok(())
}
