//! Code that waits for its evaluation in the compilation of a shared class. Trees belong to a thread, so that others find it
//! by its place.

use std::sync::Arc;

use base::{FileId, FileInput};
use eval::Scope;
use hir::items;
use hir::title_pattern::TitlePattern;
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::data::Place;
use crate::state::{Additions, OpenStatement, ScopeId, State};

/// A node in a definition.
#[derive(Debug)]
pub(crate) struct SharedCode {
    file: FileInput,
    /// A place in the definition.
    at: TextSize,
    kind: SyntaxKind,
    /// The range in the definition.
    range: TextRange,
}

impl SharedCode {
    fn new(
        node: &SyntaxNode,
        place: Option<Place>,
        files: &FxHashMap<FileId, FileInput>,
    ) -> Option<SharedCode> {
        let place = place?;
        Some(SharedCode {
            file: *files.get(&place.file?)?,
            at: place.range.start(),
            kind: node.kind(),
            range: node.text_range(),
        })
    }

    fn node(&self, db: &dyn Database) -> Option<SyntaxNode> {
        let before = items(db, self.file).iter();
        let before = before.filter(|it| it.offset(db) <= self.at);
        let root = before.max_by_key(|it| it.offset(db))?.syntax(db);
        if !root.text_range().contains_range(self.range) {
            return None;
        }
        let element = root.covering_element(self.range);
        let mut around = element
            .ancestors()
            .take_while(|it| it.text_range() == self.range);
        around.find(|it| it.kind() == self.kind)
    }
}

/// A statement whose branches are evaluated after everything that is certain.
#[derive(Debug)]
pub(crate) struct SharedStatement {
    pub(crate) scope: ScopeId,
    code: SharedCode,
    variables: Scope,
    outer: Option<Arc<str>>,
    why: String,
}

impl SharedStatement {
    pub(crate) fn new(statement: OpenStatement, state: &State) -> Option<SharedStatement> {
        let origin = state.effects.scopes.get(statement.scope.0)?.origin;
        let node = statement.statement.syntax();
        Some(SharedStatement {
            scope: statement.scope,
            code: SharedCode::new(node, origin, &state.effects.files)?,
            variables: statement.variables,
            outer: statement.outer,
            why: statement.why,
        })
    }

    /// Returns the statement with another scope in place of its own.
    pub(crate) fn in_scope(&self, db: &dyn Database, scope: ScopeId) -> Option<OpenStatement> {
        Some(OpenStatement {
            scope,
            variables: self.variables.clone(),
            statement: Expr::cast(self.code.node(db)?)?,
            outer: self.outer.clone(),
            range: self.code.range,
            why: self.why.clone(),
        })
    }
}

/// The resources that unknown code may declare.
#[derive(Debug)]
pub(crate) enum SharedAdditions {
    Nothing,
    Type(String),
    Titled(String, Vec<TitlePattern>),
    Classes(Vec<TitlePattern>),
    Code(SharedCode),
    GivenCode(SharedCode),
    Given(String),
    Any,
}

impl SharedAdditions {
    /// `place` is that of the gap with the additions.
    pub(crate) fn new(
        additions: Additions,
        place: Option<Place>,
        files: &FxHashMap<FileId, FileInput>,
    ) -> Option<SharedAdditions> {
        let code = |node: &SyntaxNode| SharedCode::new(node, place, files);
        Some(match additions {
            Additions::Nothing => SharedAdditions::Nothing,
            Additions::Type(name) => SharedAdditions::Type(name),
            Additions::Titled(name, titles) => SharedAdditions::Titled(name, titles),
            Additions::Classes(names) => SharedAdditions::Classes(names),
            Additions::Code(node) => SharedAdditions::Code(code(&node)?),
            Additions::Given(name) => SharedAdditions::Given(name),
            Additions::GivenCode(node) => SharedAdditions::GivenCode(code(&node)?),
            Additions::Any => SharedAdditions::Any,
        })
    }

    pub(crate) fn additions(&self, db: &dyn Database) -> Option<Additions> {
        Some(match self {
            SharedAdditions::Nothing => Additions::Nothing,
            SharedAdditions::Type(name) => Additions::Type(name.clone()),
            SharedAdditions::Titled(name, titles) => {
                Additions::Titled(name.clone(), titles.clone())
            }
            SharedAdditions::Classes(names) => Additions::Classes(names.clone()),
            SharedAdditions::Code(code) => Additions::Code(code.node(db)?),
            SharedAdditions::GivenCode(code) => Additions::GivenCode(code.node(db)?),
            SharedAdditions::Given(name) => Additions::Given(name.clone()),
            SharedAdditions::Any => Additions::Any,
        })
    }
}
