//! The strings that an expression is likely compared with: common values of a fact, also through a variable that has its
//! value, and the default of a parameter.

use syntax::ast::{Assignment, AstNode, Expr, Parameter, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::cursor::CursorContext;

/// Common values of facts about the machine. Those of the platform are in the library.
const OF_MACHINES: [(&[&str], &[&str]); 3] = [
    (
        &["os.architecture", "architecture"],
        &["x86_64", "amd64", "aarch64", "i386", "ppc64le", "s390x"],
    ),
    (
        &[
            "os.hardware",
            "hardwaremodel",
            "processors.isa",
            "hardwareisa",
        ],
        &["x86_64", "aarch64", "i686", "ppc64le", "s390x"],
    ),
    (
        &["virtual"],
        &[
            "physical",
            "kvm",
            "vmware",
            "virtualbox",
            "docker",
            "lxc",
            "hyperv",
            "xenu",
            "openvz",
        ],
    ),
];

/// Returns the expression whose value a compared one has, and the default of the parameter that it reads.
pub(super) fn compared_value(cursor: &CursorContext<'_>, expr: &Expr) -> (Expr, Option<String>) {
    let source = match expr {
        Expr::VariableExpr(it) => definition_of(cursor, it),
        _ => None,
    };
    match source {
        Some(Source::Value(value)) => (value, None),
        Some(Source::Parameter(it)) => (expr.clone(), it.default().and_then(|it| text(&it))),
        None => (expr.clone(), None),
    }
}

/// Returns common values of a fact, by its path.
pub(super) fn common_values(path: &str) -> &'static [&'static str] {
    let found = OF_MACHINES.iter().find(|it| it.0.contains(&path));
    found.map_or_else(|| library::common_fact_values(path), |it| it.1)
}

/// Returns the text of a literal string that is not empty.
fn text(expr: &Expr) -> Option<String> {
    expr.plain_text().filter(|it| !it.is_empty())
}

/// Where the value of a variable comes from.
enum Source {
    Value(Expr),
    Parameter(Parameter),
}

/// Returns where the value of a local variable comes from, if the definition at the cursor assigns it only once.
fn definition_of(cursor: &CursorContext<'_>, variable: &VariableExpr) -> Option<Source> {
    let name = variable.name()?;
    let root = match &cursor.definition {
        Some(it) => it.syntax(),
        None => &cursor.root,
    };
    let mut found = root.descendants().filter_map(|it| source(&it, &name));
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

fn source(node: &SyntaxNode, name: &str) -> Option<Source> {
    match node.kind() {
        SyntaxKind::PARAMETER => {
            let parameter = Parameter::cast(node.clone())?;
            (parameter.name().as_deref() == Some(name)).then_some(Source::Parameter(parameter))
        }
        SyntaxKind::ASSIGNMENT => {
            let assignment = Assignment::cast(node.clone())?;
            let Expr::VariableExpr(target) = assignment.lhs()? else {
                return None;
            };
            let is_same = target.name().as_deref() == Some(name);
            is_same.then(|| assignment.rhs().map(Source::Value))?
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{is_offered, offered};

    #[test]
    fn values_of_the_fact_that_a_variable_has() {
        let code = "class a { $os = $facts['os']['name'] if $os == '<^>' { } }";
        assert_eq!(offered(code, 1), "Debian");
        let code = "class a { $os = $facts['os']['name'] case $os { '<^>': { } } }";
        assert_eq!(offered(code, 1), "Debian");
        let code = "class a { $os = $facts['os']['name'] $os = 'x' if $os == '<^>' { } }";
        assert!(!is_offered(code, "Debian"));
    }

    #[test]
    fn values_of_facts_about_the_machine() {
        let code = "if $facts['os']['architecture'] == '<^>' { }";
        assert_eq!(offered(code, 3), "x86_64, amd64, aarch64");
        let code = "if $facts['virtual'] == '<^>' { }";
        assert_eq!(offered(code, 2), "physical, kvm");
    }

    #[test]
    fn default_of_the_parameter() {
        let code = "class a (String $ns = 'default') { if $ns == '<^>' { } }";
        assert_eq!(offered(code, 1), "default");
    }
}
