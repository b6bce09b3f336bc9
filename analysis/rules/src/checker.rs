//! The contexts of checks: what they examine, and what they have reported.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use infer::{InferenceResult, Inferred, TypeProblem, infer_item};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{AstNode, Block, Expr};
use syntax::validation::PuppetVersion;
use syntax::{Applicability, Edit, Fix, Severity, SyntaxNode, SyntaxToken, TextRange};

use base::{Diagnostic, EnvironmentInput, FileInput, SettingsInput};
use format::LayoutChange;
use hir::Item;
use hir::body::{Body, Reference, ReferenceName, Resource, body};
use hir::other_versions::is_of_other_version;
use hir::resolve::{Definition, ResolveError, resource_type};
use hir::ruby_symbols::RubySymbol;
use hir::stand_ins::is_stand_in;

use crate::compiled::problem::CompiledProblem;
use crate::fact_read::FactRead;
use crate::file_diagnostics::FileDiagnostics;
use crate::rule::Rule;

/// A diagnostic of a rule, relative to its item: ranges refer to the item's syntax tree.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct ItemFinding<'db> {
    /// The code of the rule.
    pub code: &'static str,
    /// The severity, which may differ from the default of the rule.
    pub severity: Severity,
    /// The message: one line without a final period.
    pub message: String,
    /// The range to underline.
    pub range: TextRange,
    /// Secondary locations that explain the diagnostic.
    pub related: Vec<RelatedItem<'db>>,
    /// The fixes, best first. Their edits refer to the item's syntax tree.
    pub fixes: Vec<Fix>,
}

impl ItemFinding<'_> {
    /// Checks whether the diagnostic is one of a rule and overlaps with a range.
    pub(crate) fn is_at(&self, rule: &Rule, range: TextRange) -> bool {
        self.code == rule.code && self.range.intersect(range).is_some()
    }
}

/// A secondary location of an [`ItemFinding`].
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct RelatedItem<'db> {
    /// The item that contains the location.
    pub item: Item<'db>,
    /// The range in the item's syntax tree.
    pub range: TextRange,
    /// How the location relates to the diagnostic.
    pub message: String,
}

/// The definition of a name, or the reason why it is not found.
pub(crate) type Resolution<'db> = Result<Definition<'db>, ResolveError>;

/// The context of the checks of one item, and the diagnostics reported so far.
pub(crate) struct Checker<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) item: Item<'db>,
    pub(crate) body: &'db Body,
    pub(crate) environment: EnvironmentInput,
    /// The highest severity of the diagnostics reported now. They are hints if they depend on a module of a version other
    /// than the required one.
    limit: Severity,
    /// The reads of facts, once a rule has asked for them.
    pub(crate) fact_reads: OnceCell<Rc<[FactRead]>>,
    variable_reads: OnceCell<VariableReads<'db>>,
    /// The names of variables and parameters, once a fix has asked for them.
    pub(crate) binding_names: OnceCell<FxHashSet<&'db str>>,
    /// The strings without a `$` before them, which may name variables, once a rule has asked for them.
    pub(crate) named_in_strings: OnceCell<FxHashSet<String>>,
    /// The resource types that rules have looked up, by their names.
    resource_types: RefCell<FxHashMap<String, Option<Definition<'db>>>>,
    /// The problems of the compiled item, once a rule has asked for them.
    pub(crate) own_problems: OnceCell<Rc<[CompiledProblem<'db>]>>,
    found: Vec<ItemFinding<'db>>,
    /// The number of findings reported before the problems of the compiled item are examined.
    in_code: usize,
}

/// The reads of variables in an item.
pub(crate) struct VariableReads<'db> {
    /// All reads, in source order.
    pub(crate) all: Vec<&'db Reference>,
    /// The ranges by name.
    pub(crate) by_name: FxHashMap<&'db str, Vec<TextRange>>,
}

impl<'db> Checker<'db> {
    /// Creates the context of an item in an environment.
    pub(crate) fn new(
        db: &'db dyn Database,
        item: Item<'db>,
        environment: EnvironmentInput,
    ) -> Checker<'db> {
        Checker {
            db,
            item,
            body: body(db, item),
            environment,
            limit: Severity::Error,
            fact_reads: OnceCell::new(),
            variable_reads: OnceCell::new(),
            binding_names: OnceCell::new(),
            named_in_strings: OnceCell::new(),
            resource_types: RefCell::default(),
            own_problems: OnceCell::new(),
            found: Vec::new(),
            in_code: 0,
        }
    }

    /// Returns the reads of variables.
    pub(crate) fn variable_reads(&self) -> &VariableReads<'db> {
        self.variable_reads.get_or_init(|| {
            let references = self.body.references.iter();
            let is_read = |it: &&Reference| matches!(it.name, ReferenceName::Variable(_));
            let mut all: Vec<&Reference> = references.filter(is_read).collect();
            all.sort_by_key(|it| it.range.start());
            let mut by_name: FxHashMap<&str, Vec<TextRange>> = FxHashMap::default();
            for it in &all {
                if let ReferenceName::Variable(name) = &it.name {
                    by_name.entry(name).or_default().push(it.range);
                }
            }
            VariableReads { all, by_name }
        })
    }

    /// Returns the reported diagnostics, sorted by range and code.
    pub(crate) fn finish(mut self) -> Vec<ItemFinding<'db>> {
        self.found
            .sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
        // The same statement may fail several times, as in a loop.
        self.found
            .dedup_by(|a, b| (a.range, a.code, &a.message) == (b.range, b.code, &b.message));
        self.found
    }

    /// Returns what was reported so far.
    pub(crate) fn found(&self) -> &[ItemFinding<'db>] {
        &self.found
    }

    /// Ends the checks of the code: [`Checker::found_in_code`] returns the findings so far.
    pub(crate) fn finish_code(&mut self) {
        self.in_code = self.found.len();
    }

    /// Returns what was reported before the problems of the compiled item were examined.
    pub(crate) fn found_in_code(&self) -> &[ItemFinding<'db>] {
        &self.found[..self.in_code]
    }

    /// Checks whether a rule has reported a diagnostic that overlaps with a range.
    pub(crate) fn has_reported(&self, rule: &Rule, range: TextRange) -> bool {
        self.found.iter().any(|it| it.is_at(rule, range))
    }

    /// Reports a diagnostic with the default severity of its rule.
    pub(crate) fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        self.report_as(rule, rule.severity, range, message);
    }

    /// Reports a diagnostic.
    pub(crate) fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: String,
    ) {
        self.found.push(ItemFinding {
            code: rule.code,
            severity: severity.max(self.limit),
            message,
            range,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }

    /// Runs a check against a definition, whose diagnostics are only hints if it belongs to a module of
    /// a version other than the required one.
    pub(crate) fn check_against(
        &mut self,
        definition: Option<FileInput>,
        check: impl FnOnce(&mut Self),
    ) {
        let own = self.item.file(self.db);
        let is_uncertain = definition.is_some_and(|it| is_of_other_version(self.db, own, it));
        self.check_uncertain(is_uncertain, check);
    }

    /// Runs a check whose diagnostics are only hints if it is uncertain.
    pub(crate) fn check_uncertain(&mut self, is_uncertain: bool, check: impl FnOnce(&mut Self)) {
        let limit = match is_uncertain {
            true => Severity::Hint,
            false => Severity::Error,
        };
        self.check_at_most(limit, check);
    }

    /// Runs a check whose diagnostics have at most a severity.
    pub(crate) fn check_at_most(&mut self, limit: Severity, check: impl FnOnce(&mut Self)) {
        let before = self.limit;
        self.limit = before.max(limit);
        check(self);
        self.limit = before;
    }

    /// Adds related information to the last diagnostic.
    pub(crate) fn relate(&mut self, item: Item<'db>, range: TextRange, message: impl Into<String>) {
        if let Some(last) = self.found.last_mut() {
            let message = message.into();
            last.related.push(RelatedItem {
                item,
                range,
                message,
            });
        }
    }

    /// Adds a fix to the last diagnostic.
    pub(crate) fn fix(&mut self, fix: Option<Fix>) {
        if let (Some(last), Some(fix)) = (self.found.last_mut(), fix) {
            last.fixes.push(fix);
        }
    }

    /// Returns the syntax tree of the item.
    pub(crate) fn root(&self) -> SyntaxNode {
        self.item.syntax(self.db)
    }

    /// Returns the version of Puppet to check against.
    pub(crate) fn version(&self) -> PuppetVersion {
        SettingsInput::get(self.db).version(self.db)
    }

    /// Resolves the type of a resource other than a class.
    pub(crate) fn resource_definition(&self, resource: &Resource) -> Option<Definition<'db>> {
        let type_ = resource.type_.as_deref().filter(|it| *it != "class")?;
        if let Some(known) = self.resource_types.borrow().get(type_) {
            return known.clone();
        }
        let found = resource_type(self.db, Some(self.environment), type_).ok();
        let found = found.filter(|it| match it {
            Definition::ResourceType(RubySymbol::Module(file, _)) => {
                !is_stand_in(self.db, self.item, type_, *file)
            }
            _ => true,
        });
        let mut known = self.resource_types.borrow_mut();
        known.insert(type_.to_owned(), found.clone());
        found
    }

    fn inference(&self) -> &'db InferenceResult {
        infer_item(self.db, self.item)
    }

    /// Returns the inferred type of an expression. Returns `None` in unreachable code.
    pub(crate) fn type_of(&self, expr: &Expr) -> Option<&'db Inferred> {
        self.type_at(expr.syntax().text_range())
    }

    /// Returns the type of a block's last statement. Returns `None` if the block never runs, or if it is never left at
    /// its end.
    pub(crate) fn type_of_block(&self, block: &Block) -> Option<&'db Inferred> {
        self.type_at(block.syntax().text_range())
    }

    fn type_at(&self, range: TextRange) -> Option<&'db Inferred> {
        let found = self.inference().at(range);
        found.filter(|it| !it.is_never())
    }

    /// Returns the problems that type inference found, ordered by position.
    pub(crate) fn problems(&self) -> &'db [TypeProblem] {
        &self.inference().problems
    }
}

/// The context of the checks of a file, and the diagnostics reported so far.
pub(crate) struct FileChecker<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) file: FileInput,
    pub(crate) text: &'db str,
    /// The differences between the file and its layout, once a rule has asked for them.
    pub(crate) layout: OnceCell<Rc<[LayoutChange]>>,
    /// The edits that format the file, once a rule has asked for them.
    pub(crate) formatting: OnceCell<Rc<[Edit]>>,
    diagnostics: FileDiagnostics,
}

impl<'db> FileChecker<'db> {
    /// Creates the context of a file.
    pub(crate) fn new(db: &'db dyn Database, file: FileInput) -> FileChecker<'db> {
        FileChecker {
            db,
            file,
            text: file.text(db).as_deref().unwrap_or_default(),
            layout: OnceCell::new(),
            formatting: OnceCell::new(),
            diagnostics: FileDiagnostics::default(),
        }
    }

    /// Returns the reported diagnostics.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics.finish(|_| false)
    }

    /// Reports a diagnostic.
    pub(crate) fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        self.diagnostics
            .add(rule.diagnostic(rule.severity, range, message));
    }

    /// Adds a fix to the last diagnostic.
    pub(crate) fn fix(&mut self, label: &str, applicability: Applicability, edits: Vec<Edit>) {
        let file = self.file.id(self.db);
        if let Some(last) = self.diagnostics.last_mut() {
            last.fixes.push(base::Fix {
                label: label.to_owned(),
                applicability,
                edits: edits.into_iter().map(|it| (file, it)).collect(),
            });
        }
    }

    /// Returns the syntax tree of the file.
    pub(crate) fn root(&self) -> SyntaxNode {
        base::parse(self.db, self.file).syntax()
    }

    /// Checks whether a rule is on in the environment of the file.
    pub(crate) fn is_on(&self, rule: &Rule) -> bool {
        let environment = self.file.environment(self.db);
        environment.is_some_and(|it| !it.disabled_rules(self.db).contains(rule.code))
    }

    /// Iterates over the comments of the file.
    pub(crate) fn comments(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        let tokens = self.root().descendants_with_tokens();
        let tokens = tokens.filter_map(|it| it.into_token());
        tokens.filter(|it| it.kind().is_comment())
    }
}
