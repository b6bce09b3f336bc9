use std::collections::BTreeMap;

use base::FileInput;
use hir::body::{Binding, ClassUse, Reference, ReferenceName, Scope, body};
use hir::canonical_name;
use hir::resolve::{Definition, ResolveError, class};
use hir::variables::resolve_external_variable;
use infer::TypeProblemKind;
use library::KnownFunction;
use syntax::ast::{AstNode, Block, Expr, HasBody, IfExpr, UnlessExpr};
use syntax::validation::PuppetVersion;
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, TextSize};
use types::{Type, assignable};

use crate::checker::{Checker, Resolution};
use crate::compiled::missing_resource::is_slip_of;
use crate::fixes::{node_at, token_at};
use crate::index::forgotten_variables::forgotten_variables;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports variables that only some branches assign, although the code after the branches always reads them.
    ///
    /// ## What it does
    ///
    /// Compares the branches of each `case`, `if` and `unless`. Reports a variable that at least one branch always
    /// assigns and another, which has code, never does, if the code after them reads the variable without a further
    /// condition. An `if` or `unless` without `else` is such a branch, too. Also reports an assignment to a variable
    /// that occurs nowhere else in the module, if its name differs in one letter from that of a variable that other
    /// branches assign, and an unconditional read of `$class::variable` if exactly one branch of that class does not
    /// assign the variable, but at least two others that all branches assign. Only reads in the class with the name of the
    /// module count, and in those that it always includes.
    ///
    /// ## Why it matters
    ///
    /// On nodes that take the other branch, Puppet 8 fails with *Unknown variable*. Puppet 7 does so with the setting
    /// `strict_variables`, and uses `undef` otherwise: the severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   case $facts['os']['family'] {
    ///     'Debian': {
    ///       $package = 'ssh'
    ///       $service = 'ssh'
    ///     }
    ///     default: {
    ///       $package = 'openssh-server'
    ///     }
    ///   }
    ///   package { $package: ensure => installed }
    ///   service { $service: ensure => running } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   case $facts['os']['family'] {
    ///     'Debian': {
    ///       $package = 'ssh'
    ///       $service = 'ssh'
    ///     }
    ///     default: {
    ///       $package = 'openssh-server'
    ///       $service = 'sshd'
    ///     }
    ///   }
    ///   package { $package: ensure => installed }
    ///   service { $service: ensure => running }
    /// }
    /// ```
    ///
    /// A misspelled assignment:
    ///
    /// ```puppet wrong
    /// class example (Boolean $enabled, Boolean $managed) {
    ///   if $enabled {
    ///     $esnure = 'running' # <-
    ///   } else {
    ///     $ensure = 'stopped'
    ///   }
    ///   if $managed {
    ///     service { 'example': ensure => $ensure }
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Branches without code, and a `case` without `default`.
    /// * Branches that are unreachable, that exit (for example with `fail`), or that end with a call to a function that
    ///   may exit.
    /// * Variables that are compared, tested in a condition or passed to `pick`: they may be meant to be undefined.
    /// * Variables that an inherited class or the top scope may have.
    ///
    /// ## Fix
    ///
    /// Suggested: corrects the name of a misspelled variable. Otherwise, the intended value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[possibly-unassigned-variable]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// possibly-unassigned-variable = "off"
    /// ```
    pub(crate) static POSSIBLY_UNASSIGNED_VARIABLE = {
        code: "possibly-unassigned-variable",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Item(check), Check::Reference(check_of_class)],
    }
}

/// The maximum number of branches that are compared.
const MAX_BRANCHES: usize = 100;

fn check(checker: &mut Checker<'_>) {
    let is_tolerated = checker.version() == PuppetVersion::V7;
    for scope in &checker.body.scopes {
        let conditional = conditional(scope);
        let unread = unread(checker, &conditional);
        let is_outer = |name: &str| {
            let mut outer = scope
                .parent
                .into_iter()
                .flat_map(|it| checker.body.scopes_from(it));
            outer.any(|it| {
                checker.body.scopes[it]
                    .bindings
                    .iter()
                    .any(|it| it.name == name)
            })
        };
        // The code around a block may assign a variable in the other cases.
        let own: Vec<_> = conditional.iter().filter(|it| !is_outer(it.0)).collect();
        for (name, bindings) in own {
            if let Some(other) = misspelled(checker, (name, bindings), &unread) {
                report_misspelled(checker, other, name);
            } else if let Some(found) = unassigned_read(checker, name, bindings) {
                let message = format!("variable `${name}` is not assigned in all branches");
                let severity = POSSIBLY_UNASSIGNED_VARIABLE.or_hint(is_tolerated);
                let range = found.read.range;
                checker.report_as(&POSSIBLY_UNASSIGNED_VARIABLE, severity, range, message);
                checker.relate(checker.item, found.lacking, "not assigned here");
            }
        }
    }
}

/// Reports a variable of another class that one of its branches forgets.
fn check_of_class(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Variable(name) = &reference.name else {
        return;
    };
    let Some((owner, variable)) = name.trim_start_matches("::").rsplit_once("::") else {
        return;
    };
    let environment = Some(checker.environment);
    if reference.branch != 0 || reference.guarded {
        return;
    }
    let Ok(Definition::Item(class)) = class(checker.db, environment, owner) else {
        return;
    };
    let lacking = forgotten_variables(checker.db, class).get(variable);
    let lacking = lacking.filter(|_| class != checker.item);
    let is_reported = || !may_be_undefined(checker, reference) && is_always_declared(checker);
    if let Some(lacking) = lacking.filter(|_| is_reported()) {
        let is_tolerated = checker.version() == PuppetVersion::V7;
        let severity = POSSIBLY_UNASSIGNED_VARIABLE.or_hint(is_tolerated);
        let message = format!("variable `${name}` is not assigned in all branches");
        let rule = &POSSIBLY_UNASSIGNED_VARIABLE;
        checker.report_as(rule, severity, reference.range, message);
        checker.relate(class, *lacking, "not assigned here");
    }
}

/// Checks whether the item is the class with the name of its module, or one that this class always includes. Others may be
/// meant for some platforms.
fn is_always_declared(checker: &Checker<'_>) -> bool {
    let (db, item) = (checker.db, checker.item);
    let (own, Some(module)) = (canonical_name(item.name(db)), item.module_name(db)) else {
        return false;
    };
    if *own == *module {
        return true;
    }
    let main = class(db, Some(checker.environment), module);
    let Ok(Definition::Item(main)) = main else {
        return false;
    };
    let declares = |it: &Reference| match &it.name {
        ReferenceName::Class(name, ClassUse::Declared) => *name == own && it.branch == 0,
        _ => false,
    };
    body(db, main).references.iter().any(declares)
}

fn report_misspelled(checker: &mut Checker<'_>, binding: &Binding, name: &str) {
    let message = format!(
        "unused variable `${}`; did you mean `${name}`, which other branches assign?",
        binding.name
    );
    checker.report(&POSSIBLY_UNASSIGNED_VARIABLE, binding.range, message);
    let label = format!("Replace with `${name}`");
    let fix = Fix::suggested(label, binding.range, format!("${name}"));
    checker.fix(Some(fix));
}

/// Returns the variables of a scope that are only assigned conditionally, with their assignments.
fn conditional(scope: &Scope) -> BTreeMap<&str, Vec<&Binding>> {
    let mut found: BTreeMap<&str, Vec<&Binding>> = BTreeMap::new();
    for binding in &scope.bindings {
        found.entry(&binding.name).or_default().push(binding);
    }
    found.retain(|_, all| {
        all.iter()
            .all(|it| !it.parameter && !it.guarded && it.branch != 0)
    });
    found
}

/// Returns the assignments to variables that have no other one, and that no code of the item reads.
fn unread<'a>(
    checker: &Checker<'_>,
    conditional: &BTreeMap<&str, Vec<&'a Binding>>,
) -> Vec<&'a Binding> {
    let reads = &checker.variable_reads().by_name;
    let others = conditional.iter().filter(|it| !reads.contains_key(it.0));
    let single = others.filter_map(|it| match it.1[..] {
        [only] => Some(only),
        _ => None,
    });
    single.collect()
}

/// Returns the assignment to another variable that is likely meant for this one: its name differs in one letter, occurs
/// nowhere else in the module, and its branch does not assign this variable, which other branches do.
fn misspelled<'a>(
    checker: &Checker<'_>,
    (name, bindings): (&str, &[&'a Binding]),
    unread: &[&'a Binding],
) -> Option<&'a Binding> {
    checker.variable_reads().by_name.get(name)?;
    let similar = |it: &&Binding| *it.name != *name && is_slip_of(&it.name, name);
    let mut others = unread.iter().copied().filter(similar);
    others.find(|other| {
        let all: Vec<&Binding> = bindings.iter().copied().chain([*other]).collect();
        let assigns = |it: &Block| bindings.iter().any(|binding| contains(it, binding.range));
        let branching = Branching::around(&checker.root(), &all);
        branching.is_some_and(|it| {
            let mut own = it.branches.iter().filter(|it| contains(it, other.range));
            own.next().is_some_and(|it| !assigns(it)) && it.branches.iter().any(assigns)
        }) && occurs_once(checker, &other.name)
    })
}

/// Checks whether a name occurs once in the file of the item, and in no other file of its module.
fn occurs_once(checker: &Checker<'_>, name: &str) -> bool {
    let (db, own) = (checker.db, checker.item.file(checker.db));
    let count = |it: FileInput| {
        let text = it.text(db).as_deref().unwrap_or_default();
        text.matches(name).count()
    };
    let files = own.module(db).map(|it| it.files(db).values());
    let mut others = files.into_iter().flatten().filter(|it| **it != own);
    count(own) == 1 && others.all(|it| count(*it) == 0)
}

/// A read of a variable after branches that do not all assign it.
struct UnassignedRead<'db> {
    read: &'db Reference,
    /// The place of a branch that does not.
    lacking: TextRange,
}

fn unassigned_read<'db>(
    checker: &Checker<'db>,
    name: &str,
    bindings: &[&Binding],
) -> Option<UnassignedRead<'db>> {
    let reads = checker.variable_reads().by_name.get(name)?;
    let branching = Branching::around(&checker.root(), bindings)?;
    if !branching.has_certain(checker, bindings) {
        return None;
    }
    let after = reads.iter().filter(|it| it.start() >= branching.end());
    let mut read = None;
    for range in after {
        let reference = reference_at(checker, *range)?;
        if reference.guarded || may_be_undefined(checker, reference) {
            return None;
        }
        if read.is_none() && branching.is_always_followed_by(checker, reference, bindings) {
            read = Some(reference);
        }
    }
    let read = read?;
    let lacking = branching.lacking(checker, bindings)?;
    // `unknown-variable` reports those that are never assigned.
    let is_certain = checker.problems().iter().any(|it| {
        let is_unassigned = matches!(it.kind, TypeProblemKind::UnassignedVariable { .. });
        is_unassigned && it.range == read.range
    });
    let is_left = checker.body.branches.iter().any(|it| {
        it.exit.is_some_and(|it| {
            it.end > branching.end()
                && it.end <= read.range.start()
                && it.leaves.contains_range(read.range)
        })
    });
    (!is_left && !is_certain && is_local(checker, name)).then_some(UnassignedRead { read, lacking })
}

fn reference_at<'db>(checker: &Checker<'db>, range: TextRange) -> Option<&'db Reference> {
    let all = &checker.variable_reads().all;
    let first = all.partition_point(|it| it.range.start() < range.start());
    all.get(first).copied().filter(|it| it.range == range)
}

/// Checks whether no other scope has a variable of this name.
fn is_local(checker: &Checker<'_>, name: &str) -> bool {
    let environment = Some(checker.environment);
    let found = resolve_external_variable(checker.db, environment, checker.item, name);
    matches!(
        found,
        Err(ResolveError::NotDefined | ResolveError::MaybeExternal)
    )
}

/// Checks whether the code around a read shows that the variable need not have a value.
fn may_be_undefined(checker: &Checker<'_>, read: &Reference) -> bool {
    let Some(mut node) = node_at(&checker.root(), read.range) else {
        return true;
    };
    while let Some(parent) = node.parent().filter(|_| node.kind() != SyntaxKind::BLOCK) {
        if is_test(&parent, &node) {
            return true;
        }
        node = parent;
    }
    false
}

/// Checks whether an expression tests its operand.
fn is_test(expression: &SyntaxNode, operand: &SyntaxNode) -> bool {
    use SyntaxKind::{AND_KW, BANG, EQ_EQ, IN_KW, MATCH, NOT_EQ, NOT_MATCH, OR_KW};
    let is_first = expression.children().next().as_ref() == Some(operand);
    match Expr::cast(expression.clone()) {
        Some(Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_) | Expr::SelectorExpr(_)) => {
            is_first
        }
        Some(Expr::UnaryExpr(it)) => it.operator().is_some_and(|it| it.kind() == BANG),
        Some(Expr::BinaryExpr(it)) => it.operator().is_some_and(|it| {
            let kind = it.kind();
            matches!(
                kind,
                AND_KW | OR_KW | EQ_EQ | NOT_EQ | MATCH | NOT_MATCH | IN_KW
            )
        }),
        Some(Expr::CallExpr(it)) => it.name_token().is_some_and(|it| accepts_undef(it.text())),
        Some(Expr::MethodCall(it)) => it.name_token().is_some_and(|it| accepts_undef(it.text())),
        _ => false,
    }
}

fn accepts_undef(function: &str) -> bool {
    KnownFunction::from_name(function).is_some_and(|it| {
        it.tests_definedness() || matches!(it, KnownFunction::Pick | KnownFunction::PickDefault)
    })
}

/// The branches of a `case`, of an `unless` with its `else`, or of an `if` with its `elsif`s and its `else`.
struct Branching {
    node: SyntaxNode,
    branches: Vec<Block>,
}

impl Branching {
    /// Returns the innermost branches around all assignments of a variable.
    fn around(root: &SyntaxNode, bindings: &[&Binding]) -> Option<Branching> {
        let first = token_at(root, bindings.first()?.range)?;
        let node = first.parent_ancestors().find(|it| {
            let is_chain = it
                .parent()
                .is_some_and(|it| it.kind() == SyntaxKind::ELSE_CLAUSE);
            let range = it.text_range();
            matches!(
                it.kind(),
                SyntaxKind::CASE_EXPR | SyntaxKind::IF_EXPR | SyntaxKind::UNLESS_EXPR
            ) && !(it.kind() == SyntaxKind::IF_EXPR && is_chain)
                && bindings.iter().all(|it| range.contains_range(it.range))
        })?;
        let branches = match Expr::cast(node.clone())? {
            Expr::CaseExpr(it) => it
                .options()
                .filter_map(|it| it.body())
                .take(MAX_BRANCHES)
                .collect(),
            Expr::IfExpr(it) => chain(it),
            Expr::UnlessExpr(it) => {
                let otherwise = it.else_clause().and_then(|it| it.block());
                it.body().into_iter().chain(otherwise).collect()
            }
            _ => return None,
        };
        Some(Branching { node, branches })
    }

    fn end(&self) -> TextSize {
        self.node.text_range().end()
    }

    /// Checks whether one of the branches always assigns the variable.
    fn has_certain(&self, checker: &Checker<'_>, bindings: &[&Binding]) -> bool {
        let root = checker.root();
        bindings.iter().any(|it| {
            let token = token_at(&root, it.range);
            let block = token.and_then(|it| it.parent_ancestors().find_map(Block::cast));
            block.is_some_and(|it| self.branches.contains(&it))
        })
    }

    /// Checks whether a read after the branches always follows them.
    fn is_always_followed_by(
        &self,
        checker: &Checker<'_>,
        read: &Reference,
        bindings: &[&Binding],
    ) -> bool {
        let around = self.node.ancestors().find_map(Block::cast);
        around.is_none_or(|it| contains(&it, read.range))
            && bindings
                .iter()
                .all(|it| checker.body.is_within(it.branch, read.branch))
    }

    /// Returns the start of the first branch that has code, may run to its end and never assigns the variable, or of an
    /// `if` or `unless` without `else`.
    fn lacking(&self, checker: &Checker<'_>, bindings: &[&Binding]) -> Option<TextRange> {
        let lacks = |it: &&Block| {
            !bindings.iter().any(|binding| contains(it, binding.range))
                && goes_on(checker, it)
                && checker.type_of_block(it).is_some()
        };
        let Some(block) = self.branches.iter().find(lacks) else {
            if !may_run_no_branch(checker, &self.node) {
                return None;
            }
            return Some(self.node.first_token()?.text_range());
        };
        let start = block.syntax().parent()?.text_range().start();
        let line = checker
            .root()
            .text()
            .slice(start..block.syntax().text_range().start());
        let length = line.to_string().trim_end().len();
        Some(TextRange::at(start, TextSize::new(length as u32)))
    }
}

/// Returns the blocks of an `if` with its `elsif`s and its `else`.
fn chain(first: IfExpr) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = Some(first);
    while let Some(expr) = at.filter(|_| blocks.len() < MAX_BRANCHES) {
        blocks.extend(expr.body());
        let rest = expr.else_clause();
        blocks.extend(rest.as_ref().and_then(|it| it.block()));
        at = rest.and_then(|it| it.elsif());
    }
    blocks
}

/// Checks whether an `if` with its `elsif`s, or an `unless`, has no `else`, and may run none of its branches: its value is
/// `undef` then.
fn may_run_no_branch(checker: &Checker<'_>, node: &SyntaxNode) -> bool {
    let Some(last) = last_condition(node) else {
        return false;
    };
    let value = checker.type_of(&last);
    value.is_some_and(|it| assignable(&it.type_, &Type::Undef))
}

/// Returns the last `elsif` of an `if`, or an `unless`; `None` if there is an `else`.
fn last_condition(node: &SyntaxNode) -> Option<Expr> {
    if let Some(expr) = UnlessExpr::cast(node.clone()) {
        return expr
            .else_clause()
            .is_none()
            .then_some(Expr::UnlessExpr(expr));
    }
    let first = IfExpr::cast(node.clone())?;
    let chain = std::iter::successors(Some(first), |it| it.else_clause()?.elsif());
    let last = chain.last()?;
    let has_else = last.else_clause().is_some_and(|it| it.block().is_some());
    (!has_else).then_some(Expr::IfExpr(last))
}

fn contains(block: &Block, range: TextRange) -> bool {
    block.syntax().text_range().contains_range(range)
}

/// Checks whether the code after a block with code certainly runs after it.
fn goes_on(checker: &Checker<'_>, block: &Block) -> bool {
    let Some(last) = block.statements().last() else {
        return false;
    };
    let body = checker.body;
    let bindings = body.scopes.iter().flat_map(|it| &it.bindings);
    let places = bindings.map(|it| (it.range, it.branch));
    let places = places.chain(body.references.iter().map(|it| (it.range, it.branch)));
    let inside = places.filter(|it| contains(block, it.0));
    // Branches are numbered from the outside inwards.
    let Some(branch) = inside.map(|it| it.1).min() else {
        return false;
    };
    body.branches[branch].exit.is_none() && !may_fail(&last)
}

/// Checks whether a statement is a call of a function that may always fail, or assigns its result.
fn may_fail(statement: &Expr) -> bool {
    match statement {
        Expr::CallExpr(it) => {
            let name = it.name_token();
            name.is_none_or(|it| KnownFunction::from_name(it.text()).is_none())
        }
        Expr::Assignment(it) => it.rhs().is_some_and(|it| may_fail(&it)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::POSSIBLY_UNASSIGNED_VARIABLE;
    use crate::testing::reported;

    fn is_reported(code: &str) -> bool {
        let code = format!("class m ($p, $q) {{\n{code}\n}}");
        !reported(&POSSIBLY_UNASSIGNED_VARIABLE, &code).is_empty()
    }

    #[test]
    fn reports_reads_after_branches_that_do_not_all_assign() {
        for code in [
            "case $p { 'a': { $x = 1 } 'b': { $y = 1 } } notice($x)",
            "case $p { 'a': { $x = 1 } 'b': { $x = 2 } default: { notice('c') } } file { '/a': mode => $x }",
            "if $p { $x = 1 } elsif $q { $x = 2 } notice($x)",
            "if $p { $x = 1 } else { notice(1) } notice(\"${x}\")",
            "if $p { $x = 1 } elsif $q { notice(1) } else { $x = 2 } notice($x)",
            "if $p { notice(1) } else { if $q { $x = 1 } $x = 2 } notice($x)",
            "if $q { case $p { 'a': { $x = 1 } 'b': { notice(1) } } notice($x) }",
            "if $p { $x = 1 } notice($x)",
            "unless $p { $x = 1 } notice($x)",
            "unless $p { $x = 1 } else { notice(1) } notice($x)",
            "unless $p { notice(1) } else { $x = 1 } notice($x)",
        ] {
            assert!(is_reported(code), "{code}");
        }
    }

    #[test]
    fn reports_misspelled_assignments() {
        let found = |code: &str| {
            let code = format!("class m ($p, $q) {{\n{code}\n}}");
            reported(&POSSIBLY_UNASSIGNED_VARIABLE, &code)
        };
        assert_eq!(
            found("if $p { $esnure = 1 } else { $ensure = 2 } if $q { notice($ensure) }"),
            [
                "`$esnure`: unused variable `$esnure`; did you mean `$ensure`, which other branches assign?"
            ]
        );
        for code in [
            "if $p { $esnure = 1 } else { $ensure = 2 } if $q { notice($ensure, $esnure) }",
            "if $p { $esnure = 1 $ensure = 1 } else { $ensure = 2 } if $q { notice($ensure) }",
            "if $p { $ensure2 = 1 } else { $ensure = 2 } if $q { notice($ensure) }",
            "if $p { $esnure = 1 } if $q { $ensure = 2 notice($ensure) }",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_variables_that_may_be_assigned_or_undefined() {
        for code in [
            "unless $p { $x = 1 } else { $x = 2 } notice($x)",
            "unless $p { fail('a') } else { $x = 2 } notice($x)",
            "unless $p { return() } $x = 1 notice($x)",
            "case $p { 'a': { $x = 1 } 'b': { $x = 2 } } notice($x)",
            "case $p { 'a': { $x = 1 } default: { } } notice($x)",
            "case $p { 'a': { $x = 1 } default: { fail('b') } } notice($x)",
            "case $p { 'a': { $x = 1 } default: { m::unsupported() } } notice($x)",
            "case $p { 'a': { $x = 1 } default: { $none = m::unsupported() } } notice($x)",
            "if $p { $x = 1 } else { notice(1) } if $x { notice($x) }",
            "if $p { $x = 1 } else { notice(1) } if $p { notice($x) }",
            "if $q { if $p { $x = 1 } else { $x = 2 } } notice($x)",
            "if $p { $x = 1 } else { notice(1) } notice(pick($x, 1))",
            "if $p { $x = 1 } else { notice(1) } if !$p { fail('a') } else { notice(2) } notice($x == 1)",
            "if $p { $x = 1 } else { if $q { $x = 2 } else { $x = 3 } } notice($x)",
            "if $p { $x = 1 } else { notice(1) } unless $p { return() } notice($x)",
            "if $p { $x = 1 } else { notice(1) }",
            "if $p { $kernel = 1 } else { notice(1) } notice($kernel)",
            "$b = !$p if $b { $x = 1 } elsif !$b { $x = 2 } notice($x)",
            "if $p { $x = 1 } with(1) |$y| { unless $p { $x = 2 } notice($x) }",
            "if $p { $x = 1 } elsif true { $x = 2 } notice($x)",
            "$e = $p ? { 1 => 'a', default => 'b' } case $e { 'a': { $x = 1 } 'b': { $x = 2 } default: { notice(1) } } \
             notice($x)",
        ] {
            assert!(!is_reported(code), "{code}");
        }
    }

    fn check_class(params: &str, reader: &str) -> Vec<String> {
        let code = format!(
            "//- modules/m/manifests/init.pp\n{reader}\n\
             //- modules/m/manifests/params.pp\nclass m::params {{ {params} }}\n"
        );
        reported(&POSSIBLY_UNASSIGNED_VARIABLE, &code)
    }

    const READER: &str = "class m ($dir = $m::params::dir) inherits m::params { }";

    fn case(debian: &str, redhat: &str, rest: &str) -> String {
        format!(
            "case $facts['os']['family'] {{ 'Debian': {{ {debian} }} 'RedHat': {{ {redhat} }} {rest} }}"
        )
    }

    #[test]
    fn finds_the_variable_that_one_branch_forgets() {
        let message =
            "`$m::params::dir`: variable `$m::params::dir` is not assigned in all branches";
        let all = "$a = 1 $b = 2 $dir = '/a'";
        for params in [
            case(all, "$a = 2 $b = 3", ""),
            case("$a = 2 $b = 3 $c = 1", all, "default: { fail('x') }"),
            case(
                &format!("{all} if $a == 3 {{ fail('x') }}"),
                "$a = 2 $b = 3",
                "",
            ),
            case(all, all, "default: { $a = 2 $b = 3 }"),
            "if $facts['a'] { $a = 1 $b = 2 $dir = 3 } else { $a = 1 $b = 2 }".to_owned(),
        ] {
            assert_eq!(check_class(&params, READER), [message], "{params}");
        }
        let read = "class m { include m::params file { $m::params::dir: } }";
        assert_eq!(
            check_class(&case(all, "$a = 2 $b = 3", ""), read),
            [message]
        );
    }

    #[test]
    fn ignores_variables_of_single_platforms() {
        let all = "$a = 1 $b = 2 $dir = '/a'";
        for params in [
            case(all, "$a = 2", ""),
            case(all, "$a = 2 $b = 3", "default: { $a = 2 $b = 3 }"),
            case(all, "$a = 2 $b = 3 fail('x')", ""),
            case(all, "$a = 2 $b = 3 if $a { $dir = 1 }", ""),
            case(all, "", "default: { }"),
            format!(
                "$dir = 1 {}",
                case("$a = 1 $b = 2 $dir = 1", "$a = 2 $b = 3", "")
            ),
        ] {
            assert_eq!(check_class(&params, READER), [""; 0], "{params}");
        }
        let params = case(all, "$a = 2 $b = 3", "");
        for read in [
            "class m { include m::params if $facts['a'] { file { $m::params::dir: } } }",
            "class m { include m::params $x = pick($m::params::dir, '/b') }",
            "class m { include m::params $x = $m::params::dir =~ String }",
        ] {
            assert_eq!(check_class(&params, read), [""; 0], "{read}");
        }
    }
}
