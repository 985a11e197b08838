//! Questions about a text: which part of the server answers which.

use lsp_server::{ErrorCode, RequestId};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, References, Rename, Request as Call,
    SemanticTokensFullRequest, SemanticTokensRangeRequest,
};
use lsp_types::{
    CodeActionOrCommand, CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse,
    PrepareRenameResponse, SemanticTokens, SemanticTokensRangeResult, SemanticTokensResult, Uri,
    WorkspaceEdit,
};
use serde::Serialize;
use serde_json::{Value, json};
use ult_lang::db::Database;
use ult_lang::span::Span;

use super::document::Document;
use super::server::Server;
use super::{colors, completion, fixes, formatting, hints, hover, navigation, symbols};

impl Server {
    /// Answers a question about a text.
    pub(super) fn question(&self, id: RequestId, method: &str, params: Value) {
        match method {
            GotoDefinition::METHOD => {
                self.about::<GotoDefinition>(id, params, |p| {
                    let p = p.text_document_position_params;
                    self.ask(&p.text_document.uri, |document, db| {
                        let places = navigation::definition(document, db, p.position);
                        GotoDefinitionResponse::Array(places)
                    })
                });
            }
            References::METHOD => self.about::<References>(id, params, |p| {
                let at = p.text_document_position;
                let all = p.context.include_declaration;
                self.ask(&at.text_document.uri, |document, db| {
                    navigation::references(document, db, at.position, all)
                })
            }),
            DocumentHighlightRequest::METHOD => {
                self.about::<DocumentHighlightRequest>(id, params, |p| {
                    let p = p.text_document_position_params;
                    self.ask(&p.text_document.uri, |document, db| {
                        navigation::highlights(document, db, p.position)
                    })
                });
            }
            PrepareRenameRequest::METHOD => {
                self.about::<PrepareRenameRequest>(id, params, |p| {
                    let found = self.ask(&p.text_document.uri, |document, db| {
                        navigation::renameable(document, db, p.position)
                    });
                    found.flatten().map(PrepareRenameResponse::Range)
                });
            }
            Rename::METHOD => self.rename(id, params),
            HoverRequest::METHOD => self.about::<HoverRequest>(id, params, |p| {
                let p = p.text_document_position_params;
                let found = self.ask(&p.text_document.uri, |document, db| {
                    hover::hover(document, db, p.position)
                });
                found.flatten()
            }),
            Completion::METHOD => self.about::<Completion>(id, params, |p| {
                let p = p.text_document_position;
                self.ask(&p.text_document.uri, |document, db| {
                    CompletionResponse::Array(completion::completion(document, db, p.position))
                })
            }),
            DocumentSymbolRequest::METHOD => {
                self.about::<DocumentSymbolRequest>(id, params, |p| {
                    self.ask(&p.text_document.uri, |document, db| {
                        DocumentSymbolResponse::Nested(symbols::outline(document, db))
                    })
                });
            }
            FoldingRangeRequest::METHOD => {
                self.about::<FoldingRangeRequest>(id, params, |p| {
                    self.ask(&p.text_document.uri, |document, _| symbols::folds(document))
                });
            }
            Formatting::METHOD => self.about::<Formatting>(id, params, |p| {
                self.ask(&p.text_document.uri, |document, _| {
                    formatting::edits(document)
                })
            }),
            InlayHintRequest::METHOD => self.about::<InlayHintRequest>(id, params, |p| {
                self.ask(&p.text_document.uri, |document, _| {
                    hints::inlay(document, p.range)
                })
            }),
            CodeActionRequest::METHOD => self.about::<CodeActionRequest>(id, params, |p| {
                self.ask(&p.text_document.uri, |document, db| {
                    let fixes = fixes::fixes(document, db, p.range, &p.context.diagnostics);
                    fixes
                        .into_iter()
                        .map(CodeActionOrCommand::CodeAction)
                        .collect()
                })
            }),
            CodeLensRequest::METHOD => self.about::<CodeLensRequest>(id, params, |p| {
                let uri = p.text_document.uri;
                self.ask(&uri, |document, db| {
                    let is_checking = |unit: Option<&str>| self.is_checking(uri.as_str(), unit);
                    hints::lenses(document, db, is_checking, &self.client)
                })
            }),
            SemanticTokensFullRequest::METHOD => {
                self.about::<SemanticTokensFullRequest>(id, params, |p| {
                    self.ask(&p.text_document.uri, |document, db| {
                        let data = colors::tokens(document, db, Span::new(0, u32::MAX));
                        SemanticTokensResult::Tokens(tokens(data))
                    })
                });
            }
            SemanticTokensRangeRequest::METHOD => {
                self.about::<SemanticTokensRangeRequest>(id, params, |p| {
                    self.ask(&p.text_document.uri, |document, db| {
                        let start = document.text.offset(p.range.start);
                        let end = document.text.offset(p.range.end);
                        let data = colors::tokens(document, db, Span::new(start, end));
                        SemanticTokensRangeResult::Tokens(tokens(data))
                    })
                });
            }
            _ => {
                let why = format!("`{method}` is not supported");
                self.client.refuse(id, ErrorCode::MethodNotFound, why);
            }
        }
    }

    /// Answers a request with what `answer` makes of its parameters.
    fn about<R: Call>(
        &self,
        id: RequestId,
        params: Value,
        answer: impl FnOnce(R::Params) -> R::Result,
    ) where
        R::Result: Serialize,
    {
        match serde_json::from_value(params) {
            Ok(params) => self.client.answer(id, answer(params)),
            Err(error) => {
                self.client
                    .refuse(id, ErrorCode::InvalidParams, error.to_string());
            }
        }
    }

    /// What there is to say about a document, if it is open.
    fn ask<T>(&self, uri: &Uri, answer: impl FnOnce(&Document, &Database) -> T) -> Option<T> {
        let document = self.documents.get(uri.as_str())?;
        Some(answer(document, &self.db))
    }

    fn rename(&self, id: RequestId, params: Value) {
        let params: lsp_types::RenameParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => {
                return self
                    .client
                    .refuse(id, ErrorCode::InvalidParams, error.to_string());
            }
        };
        let at = params.text_document_position;
        let uri = at.text_document.uri;
        let edits = self.ask(&uri, |document, db| {
            navigation::rename(document, db, at.position, &params.new_name)
        });
        match edits {
            // The form that every client understands; the type of the library has addresses as keys.
            Some(Ok(edits)) => self
                .client
                .answer(id, json!({ "changes": { uri.as_str(): edits } })),
            Some(Err(why)) => self.client.refuse(id, ErrorCode::RequestFailed, why),
            None => self.client.answer(id, None::<WorkspaceEdit>),
        }
    }

    /// Whether a check of a unit of the document, or of all of it, is under way.
    fn is_checking(&self, uri: &str, unit: Option<&str>) -> bool {
        let under_way = self.checks.iter().map(|check| &check.wish);
        under_way
            .chain(&self.waiting)
            .any(|wish| wish.uri == uri && (wish.entry.is_none() || wish.entry.as_deref() == unit))
    }
}

fn tokens(data: Vec<lsp_types::SemanticToken>) -> SemanticTokens {
    SemanticTokens {
        result_id: None,
        data,
    }
}
