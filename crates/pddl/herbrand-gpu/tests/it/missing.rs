//! Errors of a machine without a GPU, and limits that hold before the GPU is used.

use herbrand_gpu::{GpuEnvs, GpuError, GpuOptions, KERNEL, KernelTables};
use herbrand_ground::Block;
use herbrand_ground::strategies::Builder;
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_pddl::AssignOperator;
use herbrand_step::{Simulator, SlicedError, SlicedTask};

fn task() -> SlicedTask {
    let mut builder = Builder::new(4, 0, 0, 0);
    let (always, all) = (builder.condition(&[0, 1, !2]), builder.change(&[1, 2], &[3]));
    (0..100).for_each(|_| builder.action(always, all));
    SlicedTask::new(&Simulator::new(builder.build()), &Budget::unlimited()).expect("it fits")
}

#[test]
fn a_machine_without_a_gpu_says_what_is_missing() {
    match GpuEnvs::new(&task(), 64, GpuOptions::default(), &Budget::unlimited()) {
        Ok(_) => println!("skipped: this machine has a GPU"),
        Err(error) => {
            let missing = [
                "the CUDA driver (libcuda) cannot be loaded: install the driver of an NVIDIA GPU",
                "the CUDA compiler (libnvrtc) cannot be loaded",
                "there is no GPU 0",
                "counting the GPUs failed",
            ];
            let text = error.to_string();
            assert!(missing.iter().any(|start| text.starts_with(start)), "{text}");
            assert!(text.contains("the engine `sliced`"), "{text}");
        }
    }
}

#[test]
fn the_budget_holds_for_step_lists() {
    let limits = Limits {
        bytes: Some(1000),
        time: None,
    };
    let error = KernelTables::new(&task(), &Budget::new(limits)).expect_err("it is larger");
    assert!(matches!(
        error,
        GpuError::Unfit(SlicedError::Limit(BudgetExhausted::Memory { .. }))
    ));
}

#[test]
fn memory_grows_with_the_number_of_environments() {
    let tables = KernelTables::new(&task(), &Budget::unlimited()).expect("it fits");
    // 4 atoms, 100 operators, 7 digits, 1 mask and 8 flags, a bit each; two generators of 16 bytes, the number of steps, the
    // action, the reward.
    let per_environment = |planes: u64| planes * 32 / 8 + 32 * (32 + 4 + 4 + 8);
    assert_eq!(tables.batch_bytes(32), per_environment(120));
    assert_eq!(tables.batch_bytes(1 << 20), per_environment(120) << 15);
    assert_eq!(tables.batch_bytes(0), 0);
}

#[test]
fn rewards_that_depend_on_too_much_are_refused() {
    for masks in [10, 11] {
        let mut builder = Builder::new(1, 0, 0, 1);
        let (always, holds) = (builder.condition(&[]), builder.condition(&[0]));
        let assignments = [builder.assignment(AssignOperator::Increase, 0, 1.0)];
        let inner = builder.block(Block {
            assignments: &assignments,
            ..Block::default()
        });
        let whens = vec![(holds, inner); masks];
        let effect = builder.block(Block {
            whens: &whens,
            ..Block::default()
        });
        builder.action(always, effect);
        let task = SlicedTask::new(&Simulator::new(builder.build()), &Budget::unlimited()).expect("it fits");
        let tables = KernelTables::new(&task, &Budget::unlimited());
        if masks == 10 {
            assert_eq!(tables.expect("it fits").amounts().len(), 1 << 10);
        } else {
            let text = tables.expect_err("it does not fit").to_string();
            let expected =
                "a reward depends on 11 conditions and alternatives, more than the 10 of a step list";
            assert_eq!(text, expected);
        }
    }
}

#[test]
fn the_kernel_has_no_other_libraries() {
    assert!(!KERNEL.contains("#include"));
}
