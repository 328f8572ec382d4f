//! The Python interpreter that reads and writes Parquet data sets.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::CommandOutcome;

/// The variable that names the Python. The command that the Python package installs sets it to its own.
const VARIABLE: &str = "HERBRAND_PYTHON";

/// Returns the path of the Python interpreter: the one named, else that of `HERBRAND_PYTHON`, else the one on the path.
pub fn python(named: Option<&Path>) -> PathBuf {
    let usual = if cfg!(windows) { "python" } else { "python3" };
    let set = || env::var_os(VARIABLE).filter(|value| !value.is_empty());
    named.map_or_else(
        || set().map_or_else(|| PathBuf::from(usual), PathBuf::from),
        Path::to_path_buf,
    )
}

/// Runs `python -m herbrand.data` with these arguments. It prints its own errors about them.
///
/// # Errors
/// Fails if the interpreter does not exist, or lacks the package.
pub fn data(python: &Path, arguments: impl IntoIterator<Item = OsString>) -> Result<CommandOutcome, Failure> {
    let fail = |what: &str| {
        Failure::Request(format!(
            "{}: {what}\nParquet needs the Python package: run `pip install 'herbrand[data]'`, or name another Python with \
             --python",
            python.display()
        ))
    };
    let asked = Command::new(python).args(["-c", "import herbrand.data"]).output();
    let asked = asked.map_err(|error| fail(&error.to_string()))?;
    if !asked.status.success() {
        let said = String::from_utf8_lossy(&asked.stderr);
        return Err(fail(
            said.trim_end().lines().last().unwrap_or("Python does not run"),
        ));
    }
    // Python receives Ctrl-C too, and reports it.
    Interrupt::watch()?;
    let mut command = Command::new(python);
    command.args(["-m", "herbrand.data"]).args(arguments);
    let status = command.status().map_err(|error| fail(&error.to_string()))?;
    Ok(match status.code() {
        Some(0) => CommandOutcome::Yes,
        Some(1) => CommandOutcome::No,
        Some(2) => CommandOutcome::Faulty,
        Some(130) => CommandOutcome::Interrupted,
        _ => return Err(fail(&format!("Python ended with {status}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_python_comes_first() {
        assert_eq!(python(Some(Path::new("my/python"))), Path::new("my/python"));
    }
}
