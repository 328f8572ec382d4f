//! An extension for Zed that starts Herbrand's language server.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

struct Herbrand;

impl Extension for Herbrand {
    fn new() -> Self {
        Self
    }

    /// Returns the program and arguments of the settings `lsp.herbrand.binary`; by default `herbrand lsp`, from the path.
    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path
            .or_else(|| worktree.which("herbrand"))
            .ok_or("`herbrand` is not on the path: install it, or set `lsp.herbrand.binary.path`")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

register_extension!(Herbrand);
