//! The rules that need more than one file: what is wrong with names, and with types. A family of
//! rules a file, with their documentation beside it in `docs/`, whose examples the tests run.
//!
//! A rule may speak only if it is certain. What may come from outside of the workspace is not
//! reported as an error.

mod attributes;
mod conditions;
mod definitions;
mod duplicates;
mod facts;
mod fixes;
mod inheritance;
mod mentions;
mod mismatches;
mod names;
mod reassigned;
mod references;
mod suggest;
mod templates;
mod types;
mod unused;
mod values;
mod wording;

pub(crate) use fixes::{attribute_insertion, sample};

use salsa::Database;
use syntax::{Fix, Severity, TextRange};

use crate::db::{EnvironmentInput, FileInput};
use crate::workspace::body::{Body, body};
use crate::workspace::resolve::{Definition, resolve};
use crate::workspace::variables::VariableSource;
use crate::workspace::{Item, items};

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, in settings and comments.
    pub code: &'static str,
    /// How bad it is unless the user says otherwise.
    pub severity: Severity,
    /// Whether it is told only to those who ask for it.
    pub is_off: bool,
    /// The release of Pupil that was the first to have it.
    pub since: &'static str,
    /// Its page: what it reports and why, with examples, as Markdown.
    pub doc: &'static str,
}

/// Which fixes the findings of a rule can have. Not each of them has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleFixes {
    /// Whether some may be applied without asking.
    pub certain: bool,
    /// Whether some are likely what is meant.
    pub suggested: bool,
}

impl Rule {
    /// The fixes that its page tells of, in paragraphs of the section `Fix` that begin with `Certain:`
    /// or `Suggested:`. The tests hold that against the fixes of the examples.
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

/// The release that the rules below came with.
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
                doc: include_str!(concat!("rules/docs/", $code, ".md")),
            };
        )*

        /// All rules, in the order of the documentation.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    /// A variable that nothing gives a value.
    UNKNOWN_VARIABLE, "unknown-variable", Error;
    /// A class that is not there.
    UNKNOWN_CLASS, "unknown-class", Error;
    /// A resource type or defined type that is not there.
    UNKNOWN_RESOURCE_TYPE, "unknown-resource-type", Error;
    /// An attribute that a resource type has not.
    UNKNOWN_ATTRIBUTE, "unknown-attribute", Error;
    /// A parameter that a class or defined type has not.
    UNKNOWN_PARAMETER, "unknown-parameter", Error;
    /// A parameter without a default that is not given.
    MISSING_PARAMETER, "missing-parameter", Error;
    /// A function that is not there.
    UNKNOWN_FUNCTION, "unknown-function", Error;
    /// A function that Puppet once had.
    REMOVED_FUNCTION, "removed-function", Error;
    /// A data type that is not there.
    UNKNOWN_TYPE, "unknown-type", Error;
    /// A template that is not there.
    MISSING_TEMPLATE, "missing-template", Error;
    /// A file of a module that is not there.
    MISSING_FILE, "missing-file", Error;
    /// A module that is not there.
    MISSING_MODULE, "missing-module", Info;
    /// What is defined twice.
    DUPLICATE_DEFINITION, "duplicate-definition", Error;
    /// A resource that is declared twice.
    DUPLICATE_RESOURCE, "duplicate-resource", Error;
    /// An attribute that is given twice.
    DUPLICATE_ATTRIBUTE, "duplicate-attribute", Error;
    /// A variable that is assigned twice.
    REASSIGNED_VARIABLE, "reassigned-variable", Error;
    /// A class that inherits from itself.
    INHERITANCE_CYCLE, "inheritance-cycle", Error;
    /// A fact under the name it had before Facter 3.
    LEGACY_FACT, "legacy-fact", Warning;
    /// A variable that nobody reads.
    UNUSED_VARIABLE, "unused-variable", Hint;
    /// A parameter that nobody reads.
    UNUSED_PARAMETER, "unused-parameter", Hint;
    /// A value of a type that cannot fit.
    TYPE_MISMATCH, "type-mismatch", Error;
    /// A value that fits only sometimes.
    POSSIBLE_MISMATCH, "possible-mismatch", Warning, off;
    /// A value that an attribute of a resource cannot have.
    INVALID_ATTRIBUTE_VALUE, "invalid-attribute-value", Error;
    /// A title that is no text.
    INVALID_TITLE, "invalid-title", Error;
    /// A call with too few or too many arguments.
    ARGUMENT_COUNT, "argument-count", Error;
    /// A block that is missing, too much, or has other parameters.
    BLOCK_MISMATCH, "block-mismatch", Error;
    /// An operator that cannot be applied.
    INVALID_OPERAND, "invalid-operand", Error;
    /// A division by zero.
    DIVISION_BY_ZERO, "division-by-zero", Error;
    /// A number that is too large.
    INTEGER_OVERFLOW, "integer-overflow", Error;
    /// A text that is no regular expression.
    INVALID_REGEX, "invalid-regex", Error;
    /// A text that is no format.
    INVALID_FORMAT, "invalid-format", Error;
    /// A call or operation that fails with these values.
    CALL_FAILS, "call-fails", Error;
    /// A condition that is always the same.
    CONSTANT_CONDITION, "constant-condition", Warning;
    /// An option that no value gets to.
    UNREACHABLE_OPTION, "unreachable-option", Warning;
    /// A case or selector that leaves values out.
    MISSING_OPTION, "missing-option", Warning;
    /// Code behind what never returns.
    UNREACHABLE_CODE, "unreachable-code", Hint;
    /// Values that are never equal.
    NEVER_EQUAL, "never-equal", Warning;
    /// An index behind the end.
    INDEX_OUTSIDE, "index-outside", Warning;
    /// A key that a hash has not.
    UNKNOWN_KEY, "unknown-key", Warning;
    /// A group that the regular expression has not.
    UNKNOWN_GROUP, "unknown-group", Warning;
    /// A value whose text says nothing.
    HIDDEN_TEXT, "hidden-text", Warning;
    /// A reference to a resource that nothing declares.
    UNKNOWN_REFERENCE, "unknown-reference", Warning;
}

/// The rules of the files around Puppet code, see [`crate::project`].
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
                doc: include_str!(concat!("rules/docs/", $code, ".md")),
            };
        )*
    };
}

project_rules! {
    /// A `metadata.json` that Puppet or its tools cannot use.
    INVALID_METADATA, "invalid-metadata", Warning;
    /// A `Puppetfile` that its tools cannot use.
    INVALID_PUPPETFILE, "invalid-puppetfile", Error;
    /// What Puppet ignores in an `environment.conf`.
    INVALID_ENVIRONMENT_CONF, "invalid-environment-conf", Warning;
    /// A `hiera.yaml` that Puppet refuses.
    INVALID_HIERA_CONFIG, "invalid-hiera-config", Error;
    /// A module that is needed and not there.
    MISSING_DEPENDENCY, "missing-dependency", Info;
    /// A module that is there in a version that will not do.
    UNMET_DEPENDENCY, "unmet-dependency", Warning;
}

/// All rules.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().chain(PROJECT_RULES).copied()
}

/// The rule of a name.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().find(|it| it.code == code)
}

/// Whether findings of this code are told to those who have said nothing about it.
pub fn is_on(code: &str) -> bool {
    rule(code).is_none_or(|it| !it.is_off)
}

/// Something that a rule reports in an item. Ranges are those of the item's tree.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub(crate) struct ItemFinding<'db> {
    /// The name of the rule.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to underline.
    pub range: TextRange,
    /// Places that explain it.
    pub related: Vec<RelatedItem<'db>>,
    /// What can be done about it, in the tree of the item, the best first.
    pub fixes: Vec<Fix>,
}

/// A place that explains an [`ItemFinding`].
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub(crate) struct RelatedItem<'db> {
    /// The item it is in.
    pub item: Item<'db>,
    /// The place in the item's tree.
    pub range: TextRange,
    /// What it has to do with the finding.
    pub message: String,
}

/// What rules look at, and what they report.
struct Checker<'db> {
    db: &'db dyn Database,
    item: Item<'db>,
    body: &'db Body,
    environment: EnvironmentInput,
    found: Vec<ItemFinding<'db>>,
    /// Where in `found` begins what the inference says.
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

    /// Adds a place to what was reported last.
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
    /// The rules that go by what a name leads to. Each name is resolved once.
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

/// What the rules report in an item.
#[salsa::tracked]
pub(crate) fn item_findings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<ItemFinding<'db>> {
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
    types::check(&mut checker);
    unused::check(&mut checker);
    let mut found = checker.found;
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    found
}

/// Computes what the rules need of a file when they look at others.
pub(crate) fn prime(db: &dyn Database, file: FileInput) {
    mentions::mentions(db, file);
}

/// What the rules report in the items of a file, in no particular order. Of modules that are not
/// there, each is reported once.
pub(crate) fn file_findings<'db>(
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
