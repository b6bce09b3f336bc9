//! The permissions of files, in the notations that the attribute `mode` accepts.

use syntax::ast::{AstNode, Attribute, Expr, ResourceBody};
use types::values::Value;

use crate::checker::Checker;
use crate::resource_attributes::{named_attribute, sibling, type_of_body};
use crate::rule::Rule;

/// A mode of a file.
pub(crate) enum FileMode<'a> {
    /// The bits of a mode in octal digits, such as `0644`.
    Octal(u32),
    /// The clauses of a symbolic mode, such as `u=rw,go=r`.
    Symbolic(Vec<Clause<'a>>),
}

/// A part of a symbolic mode.
pub(crate) struct Clause<'a> {
    /// The users whose permissions it sets; empty for everybody.
    who: &'a str,
    /// `+`, `-` or `=`.
    operator: char,
    permissions: &'a str,
}

impl Clause<'_> {
    /// Checks whether the clause adds a permission for a class of users (`u`, `g` or `o`).
    fn adds(&self, who: char, permission: char) -> bool {
        let concerns = self.who.is_empty() || self.who.contains([who, 'a']);
        concerns && self.operator != '-' && self.permissions.contains(permission)
    }
}

impl<'a> FileMode<'a> {
    /// Parses a mode; `None` if it has neither form.
    pub(crate) fn parse(text: &'a str) -> Option<FileMode<'a>> {
        if !text.is_empty() && text.bytes().all(|it| matches!(it, b'0'..=b'7')) {
            return u32::from_str_radix(text, 8).ok().map(FileMode::Octal);
        }
        let clauses = text.split(',').map(clause);
        clauses.collect::<Option<Vec<_>>>().map(FileMode::Symbolic)
    }

    /// Checks whether every user may write. The sticky bit protects the files in a directory.
    pub(crate) fn is_world_writable(&self) -> bool {
        match self {
            FileMode::Octal(bits) => bits & 0o1002 == 0o002,
            FileMode::Symbolic(clauses) => {
                let is_sticky = clauses.iter().any(|it| it.permissions.contains('t'));
                !is_sticky && clauses.iter().any(|it| it.adds('o', 'w'))
            }
        }
    }

    /// Checks whether a program runs with the rights of its owner.
    pub(crate) fn sets_user(&self) -> bool {
        match self {
            FileMode::Octal(bits) => bits & 0o4000 != 0,
            FileMode::Symbolic(clauses) => clauses.iter().any(|it| it.adds('u', 's')),
        }
    }

    /// Checks whether a program runs with the rights of its group.
    pub(crate) fn sets_group(&self) -> bool {
        match self {
            FileMode::Octal(bits) => bits & 0o2000 != 0,
            FileMode::Symbolic(clauses) => clauses.iter().any(|it| it.adds('g', 's')),
        }
    }
}

fn clause(text: &str) -> Option<Clause<'_>> {
    let at = text.find(['+', '-', '='])?;
    let (who, rest) = text.split_at(at);
    let permissions = &rest[1..];
    let is_valid = who.chars().all(|it| "ugoa".contains(it))
        && permissions.chars().all(|it| "rwxXstugo".contains(it));
    is_valid.then_some(Clause {
        who,
        operator: rest.chars().next()?,
        permissions,
    })
}

/// The resource types that write a file.
pub(crate) const FILE_TYPES: [&str; 2] = ["file", "concat"];

/// Returns the value of `mode` if a resource body declares a `file` or `concat`.
pub(crate) fn mode_of_file(body: &ResourceBody) -> Option<Expr> {
    let type_ = type_of_body(body)?;
    let is_file = FILE_TYPES.contains(&&*type_);
    is_file.then(|| named_attribute(body.syntax(), "mode")?.value())?
}

impl Checker<'_> {
    /// Reports the constant modes that an attribute may set if they have a property. `effect` follows the mode
    /// in the message.
    pub(crate) fn report_modes(
        &mut self,
        rule: &'static Rule,
        attribute: &Attribute,
        has_property: impl Fn(&FileMode<'_>) -> bool,
        effect: &str,
    ) {
        let Some(value) = attribute.value() else {
            return;
        };
        for (expr, mode) in self.constant_strings(&value) {
            if FileMode::parse(&mode).is_some_and(|it| has_property(&it)) {
                let range = expr.syntax().text_range();
                self.report(rule, range, format!("mode `{mode}` {effect}"));
            }
        }
    }

    /// Checks whether `ensure` beside an attribute is certainly this string.
    pub(crate) fn has_ensure(&self, attribute: &Attribute, value: &str) -> bool {
        let ensure = self.constant_attribute(sibling(attribute, "ensure"));
        let ensure = ensure.as_ref().and_then(Value::as_str);
        ensure.is_some_and(|it| it == value)
    }
}

#[cfg(test)]
mod tests {
    use super::FileMode;

    #[test]
    fn finds_dangerous_permissions() {
        let is = |text: &'static str, check: fn(&FileMode<'static>) -> bool| {
            FileMode::parse(text).is_some_and(|it| check(&it))
        };
        for mode in [
            "0666",
            "777",
            "2777",
            "o+w",
            "a=rwx",
            "u=rw,go=rw",
            "+w",
            "ugo=w",
        ] {
            assert!(is(mode, FileMode::is_world_writable), "{mode}");
        }
        for mode in [
            "0664", "1777", "o-w", "u+w", "g=w,o=r", "a+rwxt", "+x", "rw", "",
        ] {
            assert!(!is(mode, FileMode::is_world_writable), "{mode}");
        }
        assert!(is("4755", FileMode::sets_user) && is("u+s", FileMode::sets_user));
        assert!(!is("2755", FileMode::sets_user) && !is("u-s,g+s", FileMode::sets_user));
        assert!(is("2755", FileMode::sets_group) && is("g+s", FileMode::sets_group));
        assert!(!is("4755", FileMode::sets_group) && !is("u+s", FileMode::sets_group));
    }
}
