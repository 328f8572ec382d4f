//! Requests: answered at once from the texts, or handed to the engine.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gen_lsp_types::{
    CodeActionKind, CodeActionParams, CodeLensParams, CompletionParams, DefinitionParams,
    DocumentFormattingParams, DocumentHighlightParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    ExecuteCommandParams, FoldingRangeParams, HoverParams, InlayHintParams, PrepareRenameParams,
    ReferenceParams, RenameParams, SemanticTokensParams, SemanticTokensRangeParams, SignatureHelpParams,
    TextDocumentContentParams, TextDocumentPositionParams, Uri, WorkspaceSymbolParams,
};
use herbrand_assist::feature::{
    actions, completion, folding, formatting, hints, hover, navigation, rename, signature, symbols, tokens,
};
use herbrand_assist::{SCHEME, TextFile, check, explanation, uri};
use herbrand_limits::Budget;
use lsp_server::{ErrorCode, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Server;
use crate::engine::Task;

/// The reason why a request has no answer.
struct Refused(ErrorCode, String);

impl<E: Error> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(ErrorCode::RequestFailed, error.to_string())
    }
}

type Answered = Result<Value, Refused>;

impl Server<'_> {
    pub(super) fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let task = match self.task(&method, &params) {
            Ok(None) => None,
            Ok(Some(task)) => Some(task),
            Err(Refused(code, reason)) => {
                return self.send(Response::new_err(id, code as i32, reason));
            }
        };
        if let Some(task) = task {
            return self.engine.request(id, &self.workspace, task);
        }
        // A bug of a feature must not end the server.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let response = match answer {
            Ok(Ok(value)) => Response::new_ok(id, value),
            Ok(Err(Refused(code, reason))) => Response::new_err(id, code as i32, reason),
            Err(_) => {
                let reason = format!("the server failed on `{method}`");
                Response::new_err(id, ErrorCode::InternalError as i32, reason)
            }
        };
        self.send(response);
    }

    /// Returns the task of a request that takes time; `None` for other requests.
    fn task(&self, method: &str, params: &Value) -> Result<Option<Task>, Refused> {
        Ok(match method {
            "textDocument/codeLens" => {
                let params: CodeLensParams = parsed(params.clone())?;
                Some(Task::Lenses(Arc::clone(self.file(&params.text_document.uri)?)))
            }
            "workspace/executeCommand" => {
                let params: ExecuteCommandParams = parsed(params.clone())?;
                Some(Task::Command(
                    params.command,
                    params.arguments.unwrap_or_default(),
                ))
            }
            "herbrand/ask" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                Some(Task::Ask(
                    Arc::clone(self.file(&Uri(uri.to_owned()))?),
                    params.clone(),
                ))
            }
            _ => None,
        })
    }

    fn file(&self, uri: &Uri) -> Result<&Arc<TextFile>, Refused> {
        let file = self.workspace.file(&uri::normal(&uri.0));
        file.ok_or_else(|| Refused(ErrorCode::InvalidParams, format!("{} is not open", uri.0)))
    }

    /// Returns the file and the byte of a position.
    fn place(&self, params: &TextDocumentPositionParams) -> Result<(&Arc<TextFile>, u32), Refused> {
        let file = self.file(&params.text_document.uri)?;
        Ok((file, file.offset(params.position)))
    }

    fn answer(&self, method: &str, params: Value) -> Answered {
        let workspace = &self.workspace;
        match method {
            "textDocument/hover" => {
                let params: HoverParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(hover::hover(workspace, file, offset))
            }
            "textDocument/definition" => {
                let params: DefinitionParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(navigation::definition(workspace, file, offset))
            }
            "textDocument/references" => {
                let params: ReferenceParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                let with_declarations = params.context.include_declaration;
                value(navigation::references(workspace, file, offset, with_declarations))
            }
            "textDocument/documentHighlight" => {
                let params: DocumentHighlightParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(navigation::highlights(workspace, file, offset))
            }
            "textDocument/prepareRename" => {
                let params: PrepareRenameParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                let (range, placeholder) = rename::prepare(workspace, file, offset)?;
                value(json!({ "range": range, "placeholder": placeholder }))
            }
            "textDocument/rename" => {
                let params: RenameParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(rename::rename(workspace, file, offset, &params.new_name)?)
            }
            "textDocument/completion" => {
                let params: CompletionParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(completion::completion(workspace, file, offset, self.can_fill))
            }
            "textDocument/signatureHelp" => {
                let params: SignatureHelpParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(signature::signature(workspace, file, offset))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parsed(params)?;
                value(symbols::outline(self.file(&params.text_document.uri)?))
            }
            "workspace/symbol" => {
                let params: WorkspaceSymbolParams = parsed(params)?;
                value(symbols::search(workspace, &params.query))
            }
            "textDocument/foldingRange" => {
                let params: FoldingRangeParams = parsed(params)?;
                value(folding::folding(self.file(&params.text_document.uri)?))
            }
            "textDocument/semanticTokens/full" => {
                let params: SemanticTokensParams = parsed(params)?;
                value(tokens::tokens(self.file(&params.text_document.uri)?, None))
            }
            "textDocument/semanticTokens/range" => {
                let params: SemanticTokensRangeParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                value(tokens::tokens(file, Some(file.span(params.range))))
            }
            "textDocument/inlayHint" => {
                let params: InlayHintParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                value(hints::hints(workspace, file, file.span(params.range)))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parsed(params)?;
                value(formatting::format(self.file(&params.text_document.uri)?, None)?)
            }
            "textDocument/rangeFormatting" => {
                let params: DocumentRangeFormattingParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                let within = file.span(params.range);
                value(formatting::format(file, Some(within))?)
            }
            "textDocument/codeAction" => {
                let params: CodeActionParams = parsed(params)?;
                self.actions(&params)
            }
            "workspace/textDocumentContent" => {
                let params: TextDocumentContentParams = parsed(params)?;
                let code = params.uri.0.strip_prefix(SCHEME).unwrap_or_default();
                let text = explanation(code).ok_or_else(|| {
                    let reason = format!("there is no code `{code}`");
                    Refused(ErrorCode::RequestFailed, reason)
                })?;
                value(json!({ "text": text }))
            }
            _ => Err(Refused(
                ErrorCode::MethodNotFound,
                format!("there is no request `{method}`"),
            )),
        }
    }

    /// Returns the edits that mend the faults in a range. The findings of an older version do not fit the text, so the file is
    /// checked here if the other thread has not done so.
    fn actions(&self, params: &CodeActionParams) -> Answered {
        let file = self.file(&params.text_document.uri)?;
        let found = match self.checker.findings(file) {
            Some(found) => found,
            // Faults of settings have no edits.
            None if file.is_settings() => Arc::default(),
            None => {
                let budget = Budget::new(self.limits.check);
                let found = budget.enclose(|| check(&self.workspace, file, &budget));
                Arc::new(found?)
            }
        };
        let wanted = |kind: &CodeActionKind| {
            params
                .context
                .only
                .as_ref()
                .is_none_or(|only| only.iter().any(|one| one == kind || one.as_str().is_empty()))
        };
        if wanted(&CodeActionKind::QuickFix) {
            value(actions::actions(&found, params.range))
        } else {
            Ok(json!([]))
        }
    }
}

fn parsed<P: DeserializeOwned>(params: Value) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: impl Serialize) -> Answered {
    serde_json::to_value(answer).map_err(|error| Refused(ErrorCode::InternalError, error.to_string()))
}
