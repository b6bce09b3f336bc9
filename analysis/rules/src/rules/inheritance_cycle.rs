use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName};
use hir::{ItemKind, signature};
use rustc_hash::FxHashSet;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes that inherit from themselves, directly or through other classes.
    ///
    /// ## What it does
    ///
    /// Follows the `inherits` clauses of a class and its parents.
    ///
    /// ## Why it matters
    ///
    /// Puppet evaluates a parent before the class itself, so compilation fails as soon as one of
    /// the classes in the cycle is declared.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example inherits example::base { # <-
    /// }
    /// # file: manifests/base.pp
    /// class example::base inherits example { # <-
    /// }
    /// ```
    ///
    /// ```puppet wrong
    /// class example inherits example { # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example inherits example::base {
    /// }
    /// # file: manifests/base.pp
    /// class example::base {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Classes that inherit from a class in a cycle without being part of it. The classes of the
    ///   cycle are reported.
    ///
    /// ## Fix
    ///
    /// No fix is available: the inheritance must be redesigned.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[inheritance-cycle]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// inheritance-cycle = "off"
    /// ```
    pub(crate) static INHERITANCE_CYCLE = {
        code: "inheritance-cycle",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

/// The maximum length of a cycle.
const MAX_LENGTH: usize = 200;

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    if item.kind(db) != ItemKind::Class {
        return;
    }
    let mut chain = vec![item];
    let mut seen = FxHashSet::default();
    while let Some(parent) = &signature(db, chain[chain.len() - 1]).inherits {
        let key = NameKey::new(db, parent.clone());
        let Some(next) = find_item(db, checker.environment, ItemKind::Class, key) else {
            return;
        };
        if next == item {
            break;
        }
        // A cycle further up is reported at the classes in it, and a longer chain is not followed.
        if chain.len() > MAX_LENGTH || !seen.insert(next) {
            return;
        }
        chain.push(next);
    }
    if signature(db, chain[chain.len() - 1]).inherits.is_none() {
        return;
    }
    let mut references = checker.body.references.iter();
    let inherits =
        references.find(|it| matches!(it.name, ReferenceName::Class(_, ClassUse::Inherited)));
    let Some(inherits) = inherits else { return };
    let name = item.name(db);
    let message = match chain.len() {
        1 => format!("class `{name}` inherits from itself"),
        _ => format!(
            "class `{name}` inherits from itself through `{}`",
            chain[1].name(db)
        ),
    };
    checker.report(&INHERITANCE_CYCLE, inherits.range, message);
    for parent in &chain[1..] {
        checker.relate(
            *parent,
            signature(db, *parent).name_range,
            "part of the cycle",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::INHERITANCE_CYCLE;
    use crate::testing::reported;

    #[test]
    fn reports_each_class_of_the_cycle() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a inherits m::b { }\n\
                    //- modules/m/manifests/b.pp\nclass m::b inherits m::a { }\n";
        assert_eq!(
            reported(&INHERITANCE_CYCLE, code),
            [
                "`m::b`: class `m::a` inherits from itself through `m::b`",
                "`m::a`: class `m::b` inherits from itself through `m::a`",
            ]
        );
        assert_eq!(
            reported(&INHERITANCE_CYCLE, "class m inherits m { }"),
            ["`m`: class `m` inherits from itself"]
        );
    }

    #[test]
    fn ignores_classes_below_a_cycle() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a inherits m::a { }\n\
                    //- modules/m/manifests/b.pp\nclass m::b inherits m::a { }\n";
        assert_eq!(reported(&INHERITANCE_CYCLE, code).len(), 1);
        assert_eq!(
            reported(&INHERITANCE_CYCLE, "class m inherits m::a { }"),
            [""; 0]
        );
    }
}
