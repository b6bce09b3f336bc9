//! The semantic rules: checks of names, types and values that need more than the syntax of one file.
//!
//! Each submodule implements one family of rules. Their documentation pages are in `docs/`; the tests
//! run the examples of every page.
//!
//! A rule reports only what is certain. Anything that may be defined outside of the workspace is not
//! reported as an error.
#![warn(missing_docs)]

mod attributes;
mod conditions;
mod definitions;
mod duplicates;
mod facts;
mod fixes;
mod inheritance;
mod mismatches;
mod names;
pub mod project;
mod reassigned;
mod references;
mod suggest;
mod suppressions;
mod templates;
mod type_problems;
mod unused;
mod usage_index;
mod values;
mod wording;

pub use fixes::{attribute_insertion, sample};
pub use suppressions::Suppressions;

use salsa::Database;
use syntax::{Fix, Severity, TextRange};

use base::db::{EnvironmentInput, FileInput};
use hir::body::{Body, body};
use hir::resolve::{Definition, resolve};
use hir::variables::VariableSource;
use hir::{Item, items};

/// A rule and its metadata.
#[derive(Debug)]
pub struct Rule {
    /// The code that settings and suppression comments use.
    pub code: &'static str,
    /// The default severity of its diagnostics.
    pub severity: Severity,
    /// Whether the rule is off by default.
    pub is_off: bool,
    /// The first release of Pupil that has the rule.
    pub since: &'static str,
    /// The documentation page, as Markdown.
    pub doc: &'static str,
}

/// The kinds of fixes that a rule offers. Not every diagnostic of the rule has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleFixes {
    /// Whether some of the fixes are certain, and thus safe to apply without review.
    pub certain: bool,
    /// Whether some of the fixes are suggestions.
    pub suggested: bool,
}

impl Rule {
    /// Returns the kinds of fixes that the page documents: the paragraphs of its `Fix` section that
    /// begin with `Certain:` or `Suggested:`. Tests compare them with the fixes of the examples.
    pub fn fixes(&self) -> RuleFixes {
        let section = self.doc.split_once("\n## Fix\n").map_or("", |it| it.1);
        let section = section.split("\n## ").next().unwrap_or_default();
        let has = |word: &str| {
            let mut paragraphs = section.split("\n\n");
            paragraphs.any(|it| it.trim_start().starts_with(word))
        };
        RuleFixes {
            certain: has("Certain: "),
            suggested: has("Suggested: "),
        }
    }
}

/// The release that introduced the rules below.
const FIRST_RELEASE: &str = "0.1.0";

macro_rules! rules {
    (@is_off off) => { true };
    (@is_off) => { false };
    ($($(#[$doc:meta])* $name:ident, $code:literal, $severity:ident $(, $off:ident)?;)*) => {
        $(
            $(#[$doc])*
            pub static $name: Rule = Rule {
                code: $code,
                severity: Severity::$severity,
                is_off: rules!(@is_off $($off)?),
                since: FIRST_RELEASE,
                doc: include_str!(concat!("../docs/", $code, ".md")),
            };
        )*

        /// The rules for manifests, functions, types, plans and templates, in documentation order.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    /// An unknown variable.
    UNKNOWN_VARIABLE, "unknown-variable", Error;
    /// An unknown class.
    UNKNOWN_CLASS, "unknown-class", Error;
    /// An unknown resource type or defined type.
    UNKNOWN_RESOURCE_TYPE, "unknown-resource-type", Error;
    /// An attribute that the resource type does not have.
    UNKNOWN_ATTRIBUTE, "unknown-attribute", Error;
    /// A parameter that the class, defined type or template does not have.
    UNKNOWN_PARAMETER, "unknown-parameter", Error;
    /// A required parameter without a value.
    MISSING_PARAMETER, "missing-parameter", Error;
    /// An unknown function.
    UNKNOWN_FUNCTION, "unknown-function", Error;
    /// A function that was removed from Puppet.
    REMOVED_FUNCTION, "removed-function", Error;
    /// An unknown data type.
    UNKNOWN_TYPE, "unknown-type", Error;
    /// A missing template.
    MISSING_TEMPLATE, "missing-template", Error;
    /// A missing file of a module.
    MISSING_FILE, "missing-file", Error;
    /// A module that is not on the modulepath.
    MISSING_MODULE, "missing-module", Info;
    /// A class, type or function that several files define.
    DUPLICATE_DEFINITION, "duplicate-definition", Error;
    /// A duplicate resource declaration.
    DUPLICATE_RESOURCE, "duplicate-resource", Error;
    /// An attribute that is set twice on one resource.
    DUPLICATE_ATTRIBUTE, "duplicate-attribute", Error;
    /// A variable that is assigned more than once.
    REASSIGNED_VARIABLE, "reassigned-variable", Error;
    /// A class that inherits from itself.
    INHERITANCE_CYCLE, "inheritance-cycle", Error;
    /// A legacy fact, named as before Facter 3.
    LEGACY_FACT, "legacy-fact", Warning;
    /// An unused variable.
    UNUSED_VARIABLE, "unused-variable", Hint;
    /// An unused parameter.
    UNUSED_PARAMETER, "unused-parameter", Hint;
    /// A value of the wrong type.
    TYPE_MISMATCH, "type-mismatch", Error;
    /// A value that may be of the wrong type.
    POSSIBLE_MISMATCH, "possible-mismatch", Warning, off;
    /// An attribute value that the resource type rejects.
    INVALID_ATTRIBUTE_VALUE, "invalid-attribute-value", Error;
    /// A resource title that is not a string.
    INVALID_TITLE, "invalid-title", Error;
    /// A call with the wrong number of arguments.
    ARGUMENT_COUNT, "argument-count", Error;
    /// A block that is missing, unexpected, or has the wrong number of parameters.
    BLOCK_MISMATCH, "block-mismatch", Error;
    /// An operator that does not apply to its operands.
    INVALID_OPERAND, "invalid-operand", Error;
    /// A division by zero.
    DIVISION_BY_ZERO, "division-by-zero", Error;
    /// An arithmetic result that exceeds 64 bits.
    INTEGER_OVERFLOW, "integer-overflow", Error;
    /// A string that is not a valid regular expression.
    INVALID_REGEX, "invalid-regex", Error;
    /// A format string that does not match its arguments.
    INVALID_FORMAT, "invalid-format", Error;
    /// A call that fails for the given values.
    CALL_FAILS, "call-fails", Error;
    /// A condition that is always true or always false.
    CONSTANT_CONDITION, "constant-condition", Warning;
    /// An option that never matches.
    UNREACHABLE_OPTION, "unreachable-option", Warning;
    /// A `case` or selector that does not cover all values.
    MISSING_OPTION, "missing-option", Warning;
    /// Code that never runs.
    UNREACHABLE_CODE, "unreachable-code", Hint;
    /// A comparison of values that are never equal.
    NEVER_EQUAL, "never-equal", Warning;
    /// An array index that is out of range.
    INDEX_OUTSIDE, "index-outside", Warning;
    /// A key that the hash does not have.
    UNKNOWN_KEY, "unknown-key", Warning;
    /// A capture group that the regular expression does not have.
    UNKNOWN_GROUP, "unknown-group", Warning;
    /// A `Sensitive` value in an interpolation.
    HIDDEN_TEXT, "hidden-text", Warning;
    /// A reference to an undeclared resource.
    UNKNOWN_REFERENCE, "unknown-reference", Warning;
}

/// The rules for project files, see [`crate::project`].
pub static PROJECT_RULES: &[&Rule] = &[
    &INVALID_METADATA,
    &INVALID_PUPPETFILE,
    &INVALID_ENVIRONMENT_CONF,
    &INVALID_HIERA_CONFIG,
    &MISSING_DEPENDENCY,
    &UNMET_DEPENDENCY,
];

macro_rules! project_rules {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $severity:ident;)*) => {
        $(
            $(#[$doc])*
            pub static $name: Rule = Rule {
                code: $code,
                severity: Severity::$severity,
                is_off: false,
                since: FIRST_RELEASE,
                doc: include_str!(concat!("../docs/", $code, ".md")),
            };
        )*
    };
}

project_rules! {
    /// An invalid `metadata.json`.
    INVALID_METADATA, "invalid-metadata", Warning;
    /// An invalid `Puppetfile`.
    INVALID_PUPPETFILE, "invalid-puppetfile", Error;
    /// An invalid or ignored line in `environment.conf`.
    INVALID_ENVIRONMENT_CONF, "invalid-environment-conf", Warning;
    /// An invalid `hiera.yaml`.
    INVALID_HIERA_CONFIG, "invalid-hiera-config", Error;
    /// A dependency that is not installed.
    MISSING_DEPENDENCY, "missing-dependency", Info;
    /// A dependency that is installed in the wrong version.
    UNMET_DEPENDENCY, "unmet-dependency", Warning;
}

/// Iterates over all rules, including those for project files.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().chain(PROJECT_RULES).copied()
}

/// Returns the rule with the given code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().find(|it| it.code == code)
}

/// Checks whether diagnostics with this code are reported by default. Codes without a rule are.
pub fn is_on(code: &str) -> bool {
    rule(code).is_none_or(|it| !it.is_off)
}

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

/// The context of the checks of one item, and the diagnostics reported so far.
struct Checker<'db> {
    db: &'db dyn Database,
    item: Item<'db>,
    body: &'db Body,
    environment: EnvironmentInput,
    found: Vec<ItemFinding<'db>>,
    /// The index in `found` where the diagnostics of type inference start.
    types_from: usize,
}

impl<'db> Checker<'db> {
    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        self.report_as(rule, rule.severity, range, message);
    }

    fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: String,
    ) {
        self.found.push(ItemFinding {
            code: rule.code,
            severity,
            message,
            range,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }

    /// Adds related information to the last diagnostic.
    fn relate(&mut self, item: Item<'db>, range: TextRange, message: impl Into<String>) {
        if let Some(last) = self.found.last_mut() {
            let message = message.into();
            last.related.push(RelatedItem {
                item,
                range,
                message,
            });
        }
    }
}

impl Checker<'_> {
    /// Runs the rules that depend on name resolution. Each name is resolved once.
    fn references(&mut self) {
        let body = self.body;
        for reference in &body.references {
            match resolve(self.db, self.item, reference) {
                Ok(Definition::Variable(VariableSource::Fact(fact))) => {
                    self.legacy(reference.range, &fact);
                }
                Ok(_) => {}
                Err(missing) => self.missing(reference, &missing),
            }
        }
    }
}

/// Returns the diagnostics of an item, sorted by range and code.
#[salsa::tracked]
pub fn item_findings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<ItemFinding<'db>> {
    let Some(environment) = item.file(db).environment(db) else {
        return Vec::new();
    };
    let mut checker = Checker {
        db,
        item,
        body: body(db, item),
        environment,
        found: Vec::new(),
        types_from: 0,
    };
    checker.references();
    attributes::check(&mut checker);
    definitions::check(&mut checker);
    duplicates::check(&mut checker);
    inheritance::check(&mut checker);
    reassigned::check(&mut checker);
    references::check(&mut checker);
    type_problems::check(&mut checker);
    unused::check(&mut checker);
    let mut found = checker.found;
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    found
}

/// Computes the data of a file that the rules need to check other files.
pub fn prime(db: &dyn Database, file: FileInput) {
    usage_index::file_usage_index(db, file);
}

/// Returns the diagnostics of all items in a file, in no particular order. Each missing module is
/// reported once per file.
pub fn file_findings<'db>(
    db: &'db dyn Database,
    file: FileInput,
) -> Vec<(Item<'db>, &'db ItemFinding<'db>)> {
    let mut modules = Vec::new();
    let mut found = Vec::new();
    for item in items(db, file) {
        for finding in item_findings(db, *item) {
            if finding.code == MISSING_MODULE.code {
                if modules.contains(&&finding.message) {
                    continue;
                }
                modules.push(&finding.message);
            }
            found.push((*item, finding));
        }
    }
    found
}

#[cfg(test)]
mod tests;
