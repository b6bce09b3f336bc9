use syntax::ast::{AstNode, InterpolatedString, Segment, StringLiteral};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `puppet://` URLs without `modules/`.
    ///
    /// ## What it does
    ///
    /// Checks strings that start with `puppet://`: the first segment after the host is the mount point, which is
    /// `modules` for the files of modules.
    ///
    /// ## Why it matters
    ///
    /// In the first releases of Puppet, `puppet:///example/file` was a file of the module `example`. Today
    /// `example` must be a mount point of the server, and the run fails without it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example':
    ///     source => 'puppet:///example/config', # <-
    ///   }
    /// }
    /// # file: files/config
    /// setting = 1
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example':
    ///     source => 'puppet:///modules/example/config',
    ///   }
    /// }
    /// # file: files/config
    /// setting = 1
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The other mount points of Puppet itself: `plugins`, `pluginfacts`, `locales`, `scripts` and `tasks`.
    /// * URLs whose mount point is a variable.
    ///
    /// ## Fix
    ///
    /// Suggested: adds `modules/`. This is wrong for a mount point that `fileserver.conf` defines.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[file-url-without-modules]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// file-url-without-modules = "warning"
    /// ```
    pub(crate) static FILE_URL_WITHOUT_MODULES = {
        code: "file-url-without-modules",
        puppet_lint: ["puppet_url_without_modules"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::STRING, SyntaxKind::INTERPOLATED_STRING], check)],
    }
}

/// The mount points that Puppet has without configuration.
const MOUNT_POINTS: [&str; 6] = [
    "modules",
    "plugins",
    "pluginfacts",
    "locales",
    "scripts",
    "tasks",
];

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((start, is_complete)) = start(node) else {
        return;
    };
    let path = start
        .strip_prefix("puppet://")
        .and_then(|it| it.split_once('/'));
    let Some((host, path)) = path else {
        return;
    };
    let (mount, rest) = path
        .split_once('/')
        .map_or((path, None), |it| (it.0, Some(it.1)));
    // A variable may follow, which continues the name.
    if mount.is_empty() || rest.is_none() && !is_complete || MOUNT_POINTS.contains(&mount) {
        return;
    }
    let message = format!(
        "unexpected mount point `{mount}` in `puppet://` URL; did you mean `modules/{mount}`?"
    );
    checker.report(&FILE_URL_WITHOUT_MODULES, node.text_range(), message);
    checker.fix(insertion(node, &format!("puppet://{host}/")));
}

/// Returns the text at the start of a string, with the name of the module as its variable, and whether it is the whole
/// string.
fn start(node: &SyntaxNode) -> Option<(String, bool)> {
    if let Some(literal) = StringLiteral::cast(node.clone()) {
        return Some((literal.value(), true));
    }
    let segments = InterpolatedString::cast(node.clone())?.segments();
    let known = segments.into_iter().map_while(|it| match it {
        Segment::Text(it) => Some(it),
        Segment::Interpolation(it) if it.syntax().text() == MODULE_NAME => {
            Some(MODULE_NAME.to_owned())
        }
        Segment::Interpolation(_) => None,
    });
    Some((known.collect(), false))
}

const MODULE_NAME: &str = "${module_name}";

/// Returns the fix that inserts `modules/` after the host, if that is written without escapes.
fn insertion(node: &SyntaxNode, before: &str) -> Option<Fix> {
    let text = node.text().to_string();
    let at = text
        .get(1..)?
        .starts_with(before)
        .then_some(1 + before.len())?;
    let at = node.text_range().start() + TextSize::try_from(at).ok()?;
    Some(Fix::suggested(
        "Add `modules/`",
        TextRange::empty(at),
        "modules/",
    ))
}

#[cfg(test)]
mod tests {
    use super::FILE_URL_WITHOUT_MODULES;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_other_mount_points() {
        let code = "class m { file { '/a': source => 'puppet:///m/x' } }";
        assert_eq!(
            reported(&FILE_URL_WITHOUT_MODULES, code),
            [
                "`'puppet:///m/x'`: unexpected mount point `m` in `puppet://` URL; did you mean `modules/m`?"
            ]
        );
        assert_eq!(
            fixed(&FILE_URL_WITHOUT_MODULES, code),
            "class m { file { '/a': source => 'puppet:///modules/m/x' } }"
        );
        for (text, expected) in [
            (
                "\"puppet://host.example/m/${x}\"",
                "\"puppet://host.example/modules/m/${x}\"",
            ),
            ("'puppet:///files'", "'puppet:///modules/files'"),
            ("\"puppet:///m/x\"", "\"puppet:///modules/m/x\""),
            ("'puppet:///module/x'", "'puppet:///modules/module/x'"),
            (
                "\"puppet:///${module_name}/${x}\"",
                "\"puppet:///modules/${module_name}/${x}\"",
            ),
        ] {
            let code = format!("class m ($x) {{ $a = {text} }}");
            assert!(
                fixed(&FILE_URL_WITHOUT_MODULES, &code).contains(expected),
                "{code}"
            );
        }
    }

    #[test]
    fn ignores_other_addresses() {
        for text in [
            "'puppet:///modules/m/x'",
            "'puppet://host/modules/m/x'",
            "'puppet:///plugins/x'",
            "'puppet://'",
            "'puppet:///'",
            "\"puppet://${x}/modules/m\"",
            "\"puppet:///${x}/m\"",
            "\"puppet:///modules/${module_name}/m\"",
            "\"puppet:///${module_name}${x}/m\"",
            "\"puppet:///m${x}\"",
            "'https://example.com/m/x'",
            "'see puppet:///m/x'",
        ] {
            let code = format!("class m ($x) {{ $a = {text} }}");
            assert_eq!(
                reported(&FILE_URL_WITHOUT_MODULES, &code),
                [""; 0],
                "{code}"
            );
        }
    }
}
