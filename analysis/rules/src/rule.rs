//! Rules: their metadata, their documentation pages and their checks.

use base::Diagnostic;
use hir::body::Reference;
use infer::KeyPresence;
use infer::TypeProblem;
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::{Checker, FileChecker, Resolution};
use crate::compiled::problem::CompiledProblem;
use crate::data::DataChecker;
use crate::project::ProjectChecker;
use crate::puppet_lint_findings::DIVIDED_RULES;

/// A rule, declared with `declare_rule!`.
#[derive(Debug)]
pub struct Rule {
    /// The code that settings and suppression comments use.
    pub code: &'static str,
    /// The other names that are accepted in place of the code, such as former codes.
    pub aliases: &'static [&'static str],
    /// The checks of puppet-lint and its plugins that the rule replaces, the most important one first. Settings
    /// and suppression comments accept their names too.
    pub puppet_lint: &'static [&'static str],
    /// The checks of puppet-lint and its plugins that also report these problems, but belong to another rule.
    pub also_in_puppet_lint: &'static [&'static str],
    /// The group that settings turn on or off as a whole.
    pub group: Group,
    /// The default severity of its diagnostics.
    pub severity: Severity,
    /// Whether the rule is off unless its own code is configured, even if its group is on.
    pub is_off: bool,
    /// The first release of Pupil that has the rule.
    pub since: &'static str,
    /// The documentation page without its title, in the lines of a doc comment: each begins with a
    /// blank, except empty ones.
    pub(crate) doc: &'static str,
    pub(crate) checks: &'static [Check],
}

/// A group of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Code that Puppet rejects, or that does something other than what it says.
    Correctness,
    /// The Puppet style guide.
    Style,
    /// Documentation comments.
    Docs,
    /// Settings that make a system easier to attack.
    Security,
}

impl Group {
    /// All groups, in documentation order.
    pub const ALL: [Group; 4] = [
        Group::Correctness,
        Group::Style,
        Group::Docs,
        Group::Security,
    ];

    /// Returns the name that settings use.
    pub fn name(self) -> &'static str {
        match self {
            Group::Correctness => "correctness",
            Group::Style => "style",
            Group::Docs => "docs",
            Group::Security => "security",
        }
    }

    /// Returns the group with this name.
    pub fn from_name(name: &str) -> Option<Group> {
        Group::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Checks whether the rules of the group are on unless the project says otherwise.
    pub fn is_on_by_default(self) -> bool {
        self == Group::Correctness
    }
}

/// A check of a rule, by the part of the code that it examines.
#[derive(Debug)]
pub(crate) enum Check {
    /// Examines an item as a whole.
    Item(fn(&mut Checker<'_>)),
    /// Examines a problem that appears when the item is compiled with all that it includes, after the checks of its code
    /// have reported their diagnostics.
    Compiled(CompiledCheck),
    /// Examines an item as a whole, after all other checks have reported their diagnostics.
    Last(fn(&mut Checker<'_>)),
    /// Examines an item as part of the catalogs of nodes, after all other checks of all items.
    InNodes(fn(&mut Checker<'_>)),
    /// Examines each node of these kinds. The item's tree is walked once for all rules.
    Node(&'static [SyntaxKind], fn(&mut Checker<'_>, &SyntaxNode)),
    /// Examines a name and its definition. Each name is resolved once for all rules.
    Reference(fn(&mut Checker<'_>, &Reference, &Resolution<'_>)),
    /// Examines a problem that type inference found.
    Problem(fn(&mut Checker<'_>, &TypeProblem)),
    /// Examines the text and the tree of a whole manifest without syntax errors.
    File(fn(&mut FileChecker<'_>)),
    /// Examines a project file.
    ProjectFile(fn(&mut ProjectChecker<'_>)),
    /// Examines a template or file of a module that is not in the Puppet language.
    Asset(AssetKind, fn(&mut AssetChecker<'_>)),
    /// Examines a data file of Hiera.
    DataFile(fn(&mut DataChecker<'_>)),
}

impl Check {
    /// Checks whether catalogs are compiled for it.
    pub(crate) fn needs_catalogs(&self) -> bool {
        matches!(
            self,
            Check::Compiled(_) | Check::Last(_) | Check::InNodes(_)
        )
    }
}

pub(crate) type CompiledCheck = for<'db> fn(&mut Checker<'db>, &CompiledProblem<'db>);

/// The kinds of fixes that a rule offers. Not every diagnostic of the rule has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleFixes {
    /// Whether some of the fixes are safe to apply without review.
    pub safe: bool,
    /// Whether some of the fixes are suggestions.
    pub suggested: bool,
}

impl Rule {
    /// Checks whether the rule is on unless the project says otherwise.
    pub fn is_on_by_default(&self) -> bool {
        !self.is_off && self.group.is_on_by_default()
    }

    /// Returns the checks of puppet-lint that report the same problems, its own ones first.
    pub fn puppet_lint_checks(&self) -> impl Iterator<Item = &'static str> + use<> {
        let own = self.puppet_lint.iter();
        own.chain(self.also_in_puppet_lint).copied()
    }

    /// Checks whether each finding of the rule belongs to some of its checks only.
    pub fn is_divided(&self) -> bool {
        DIVIDED_RULES.contains(&self.code)
    }

    /// Checks whether its diagnostics depend on the file that contains them only.
    pub fn examines_single_files(&self) -> bool {
        let mut checks = self.checks.iter();
        checks.all(|it| matches!(it, Check::File(_)))
    }

    /// Returns the documentation page, as Markdown.
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n", self.code);
        for line in self.doc.lines() {
            page.push_str(line.strip_prefix(' ').unwrap_or(line));
            page.push('\n');
        }
        page
    }

    /// Returns the first sentence of the page.
    pub fn summary(&self) -> String {
        let page = self.page();
        let mut paragraphs = page.split("\n\n");
        let first = paragraphs.find(|it| !it.starts_with('#'));
        let first = first.unwrap_or_default().replace('\n', " ");
        let end = first.find(". ").map_or(first.len(), |it| it + 1);
        first[..end].to_owned()
    }

    /// Returns the kinds of fixes that the page documents: the paragraphs of its `Fix` section that
    /// begin with `Safe:` or `Suggested:`. Tests compare them with the fixes of the examples.
    pub fn fixes(&self) -> RuleFixes {
        let page = self.page();
        let section = page.split_once("\n## Fix\n").map_or("", |it| it.1);
        let section = section.split("\n## ").next().unwrap_or_default();
        let has = |word: &str| {
            let mut paragraphs = section.split("\n\n");
            paragraphs.any(|it| it.trim_start().starts_with(word))
        };
        RuleFixes {
            safe: has("Safe: "),
            suggested: has("Suggested: "),
        }
    }

    /// Creates a diagnostic of the rule.
    pub(crate) fn diagnostic(
        &self,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code: self.code,
            severity,
            message: message.into(),
            range,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Returns `Hint` if the condition holds, else the severity of the rule.
    pub(crate) fn or_hint(&self, condition: bool) -> Severity {
        if condition {
            Severity::Hint
        } else {
            self.severity
        }
    }

    /// Returns the severity if Hiera data have none of some keys; `None` if one of them may be found.
    pub(crate) fn severity_if_absent(
        &self,
        presences: impl IntoIterator<Item = KeyPresence>,
    ) -> Option<Severity> {
        let mut severity = self.severity;
        for presence in presences {
            match presence {
                KeyPresence::Absent => {}
                KeyPresence::AbsentHere => severity = Severity::Hint,
                KeyPresence::Present | KeyPresence::Unknown => return None,
            }
        }
        Some(severity)
    }
}

/// Declares a rule. Its doc comment is its documentation page.
macro_rules! declare_rule {
    (@aliases $aliases:expr) => { &$aliases };
    (@aliases) => { &[] };
    (@group $group:ident) => { $crate::rule::Group::$group };
    (@group) => { $crate::rule::Group::Correctness };
    (@is_off off) => { true };
    (@is_off) => { false };
    (
        $(#[doc = $doc:literal])+
        $visibility:vis static $name:ident = {
            code: $code:literal,
            $(aliases: $aliases:expr,)?
            $(puppet_lint: $puppet_lint:expr,)?
            $(also_in_puppet_lint: $also:expr,)?
            $(group: $group:ident,)?
            severity: $severity:ident,
            $(default: $off:ident,)?
            since: $since:literal,
            checks: $checks:expr,
        }
    ) => {
        $(#[doc = $doc])+
        $visibility static $name: Rule = Rule {
            code: $code,
            aliases: declare_rule!(@aliases $($aliases)?),
            puppet_lint: declare_rule!(@aliases $($puppet_lint)?),
            also_in_puppet_lint: declare_rule!(@aliases $($also)?),
            group: declare_rule!(@group $($group)?),
            severity: ::syntax::Severity::$severity,
            is_off: declare_rule!(@is_off $($off)?),
            since: $since,
            doc: concat!($($doc, "\n"),+),
            checks: &$checks,
        };
    };
}

pub(crate) use declare_rule;
