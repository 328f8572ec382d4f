//! `GpuEnvs` on a CUDA driver that the C compiler of the machine makes of the kernel's text and `driver.c`.

use std::path::Path;
use std::process::Command;
use std::thread;

use herbrand_core::{Autoreset, EpisodeRules, InvalidAction, Problems, Random};
use herbrand_env::Registry;
use herbrand_gpu::{GpuEnvs, GpuError, GpuOptions, KERNEL};
use herbrand_limits::Budget;
use herbrand_step::SlicedTask;

use crate::reference::Reference;

/// The variable of the environment that marks the process with the driver.
const MARK: &str = "HERBRAND_ON_DRIVER";

/// Makes the libraries of the driver and of the compiler in a folder.
fn make(folder: &Path) {
    let text = format!("{KERNEL}\n{}", include_str!("driver.c"));
    std::fs::write(folder.join("driver.c"), text).expect("the text is written");
    for library in ["libcuda.so", "libnvrtc.so"] {
        let mut compiler = Command::new("cc");
        compiler.args([
            "-std=c11",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffp-contract=off",
        ]);
        compiler.args(["-shared", "-fPIC", "-o", library, "driver.c"]);
        let output = compiler.current_dir(folder).output().expect("the compiler runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the driver is C:\n{messages}");
    }
}

#[test]
fn environments_on_a_driver_agree_with_walkers() {
    if std::env::var_os(MARK).is_some() {
        return compare_all();
    }
    if !cfg!(target_os = "linux") || Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: there is no C compiler (cc) to make a driver, or no Linux to load it");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    // The loader reads the path of libraries once.
    let tests = std::env::current_exe().expect("the program of the tests");
    let output = Command::new(tests)
        .args(["device::environments_on_a_driver_agree_with_walkers", "--exact"])
        .env("LD_LIBRARY_PATH", folder.path())
        .env(MARK, "1")
        .output()
        .expect("the tests run");
    let [text, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("1 passed"), "{text}{errors}");
}

fn compare_all() {
    let mut steps = 0;
    for (seed, name) in (0..).zip(["blocks", "tireworld", "blocks-derived", "sokoban", "river"]) {
        steps += compare(name, seed);
    }
    assert!(steps > 5000, "{steps}");
}

/// Makes the same calls on environments and on walkers, each on a thread of its own. Returns how many operators were carried out.
fn compare(name: &str, seed: u64) -> usize {
    let suite = Registry::get(name).expect("a bundled domain");
    let planning = suite.system(0).expect("a problem");
    let (simulator, budget) = (planning.walker().simulator(), Budget::unlimited());
    let task = SlicedTask::new(simulator, &budget).expect("it fits");
    let count = 70;
    let modes = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];
    let mut random = Random::new(seed);
    let options = GpuOptions {
        rules: EpisodeRules {
            horizon: Some(12),
            invalid: InvalidAction::Ignore,
            ..EpisodeRules::default()
        },
        autoreset: modes[seed as usize % 3],
        ..GpuOptions::default()
    };
    let new = || GpuEnvs::new(&task, count, options, &budget);
    let mut envs = thread::scope(|scope| scope.spawn(new).join())
        .expect("no panic")
        .expect("environments");
    assert_eq!(envs.step_sampled(), Err(GpuError::NotSeeded));
    let mut walkers = Reference::new(simulator, count, seed, options.rules, options.autoreset);
    for call in 0..60 {
        let kind = if call == 0 { 0 } else { random.below(10) };
        let some: Vec<bool> = (0..count).map(|_| call == 0 || random.chance(0.3)).collect();
        for index in 0..count as usize {
            let valid = walkers.any_valid(index, &mut random);
            walkers.actions[index] = match kind {
                2..5 => valid.unwrap_or_else(|| random.below(9)),
                _ => walkers.actions[index],
            };
        }
        let given = walkers.actions.clone();
        let work = || match kind {
            0 if call == 0 => envs.reset(Some(seed)),
            0 | 1 => envs.reset_some(&some),
            2..5 => envs.step(&given),
            _ => envs.step_sampled(),
        };
        let done = thread::scope(|scope| scope.spawn(work).join());
        done.expect("no panic").expect("a call");
        match kind {
            0 | 1 => walkers.begin(|index| some[index]),
            _ => walkers.step(kind >= 5),
        }
        let memory = envs.read().expect("the memory");
        walkers.check(envs.tables(), &memory, &format!("after call {call} of {name}"));
    }
    let wrong = envs.step(&[0]);
    assert_eq!(
        wrong,
        Err(GpuError::Length {
            found: 1,
            expected: 70
        })
    );
    walkers.applied
}
