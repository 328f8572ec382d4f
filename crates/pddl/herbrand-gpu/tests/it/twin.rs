//! The kernel on a CPU: a program that the C compiler of the machine makes of the kernel's text.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use herbrand_gpu::{BatchMemory, CallKind, KERNEL, KernelTables};
use tempfile::TempDir;

/// The program, in a folder that lives as long as the tests.
static PROGRAM: OnceLock<Option<TempDir>> = OnceLock::new();

/// Returns the folder of the program; `None` if the machine has no C compiler. Faulty texts fail the test.
fn folder() -> Option<&'static TempDir> {
    let made = PROGRAM.get_or_init(|| {
        Command::new("cc").arg("--version").output().ok()?;
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!("{KERNEL}\n{}", include_str!("twin.c"));
        std::fs::write(folder.path().join("twin.c"), text).expect("the text is written");
        let compile = |checks: &[&str]| {
            let mut compiler = Command::new("cc");
            compiler.args([
                "-std=c99",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-ffp-contract=off",
            ]);
            let output = compiler
                .args(checks)
                .args(["-o", "twin", "twin.c"])
                .current_dir(&folder)
                .output();
            output.expect("the compiler runs")
        };
        // With checks of memory and arithmetic where the compiler has them.
        let checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        if !compile(&checks).status.success() {
            let plain = compile(&[]);
            let messages = String::from_utf8_lossy(&plain.stderr);
            assert!(plain.status.success(), "the kernel is C:\n{messages}");
        }
        Some(folder)
    });
    made.as_ref()
}

/// A run of the program on the tables of one task.
pub struct Twin {
    child: Child,
    into: ChildStdin,
    out: ChildStdout,
    count: u32,
}

impl Twin {
    /// Starts the program for `count` environments; `None` if the machine has no C compiler.
    pub fn new(tables: &KernelTables, count: u32) -> Option<Self> {
        let Some(folder) = folder() else {
            println!("skipped: there is no C compiler (cc) to run the kernel on a CPU");
            return None;
        };
        let mut program = Command::new(folder.path().join("twin"));
        let program = program
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .stdin(Stdio::piped());
        let mut child = program
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut into = child.stdin.take().expect("its input");
        let out = child.stdout.take().expect("its output");
        let list = [tables.list().len(), tables.ends().len(), tables.amounts().len()];
        let lengths = list.into_iter().chain(tables.lengths(count));
        let lengths: Vec<u32> = lengths.map(|length| length as u32).collect();
        let goal_reward = tables.goal_reward();
        let parts = [
            bytemuck::cast_slice(&lengths),
            bytemuck::bytes_of(&goal_reward),
            bytemuck::cast_slice(tables.list()),
            bytemuck::cast_slice(tables.ends()),
            bytemuck::cast_slice(tables.amounts()),
        ];
        parts
            .iter()
            .for_each(|part| into.write_all(part).expect("the program reads"));
        Some(Self {
            child,
            into,
            out,
            count,
        })
    }

    /// Makes a call on the memory of the environments.
    pub fn call(&mut self, kind: CallKind, episode: [u32; 2], memory: &mut BatchMemory) {
        let words = [self.count, kind as u32, episode[0], episode[1]];
        let mut write = |part: &[u8]| self.into.write_all(part).expect("the program reads");
        write(bytemuck::cast_slice(&words));
        write(bytemuck::cast_slice(&memory.planes));
        write(bytemuck::cast_slice(&memory.random));
        write(bytemuck::cast_slice(&memory.elapsed));
        write(bytemuck::cast_slice(&memory.actions));
        write(bytemuck::cast_slice(&memory.rewards));
        self.into.flush().expect("the program reads");
        let mut read = |part: &mut [u8]| self.out.read_exact(part).expect("the program answers");
        read(bytemuck::cast_slice_mut(&mut memory.planes));
        read(bytemuck::cast_slice_mut(&mut memory.random));
        read(bytemuck::cast_slice_mut(&mut memory.elapsed));
        read(bytemuck::cast_slice_mut(&mut memory.actions));
        read(bytemuck::cast_slice_mut(&mut memory.rewards));
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
