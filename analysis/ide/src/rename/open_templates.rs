//! Checks renames of the variables of EPP templates without a parameter list, which are the keys in the calls of `epp`.

use hir::Item;
use hir::variables::resolve_external_variable;
use salsa::Database;

use super::{RenameError, refuse};
use crate::symbol::open_templates::calls_of;

/// Fails if a variable may have another origin than the keys of the calls, or if a call passes the new name already.
pub(super) fn check_passed(
    db: &dyn Database,
    item: Item<'_>,
    (old, new): (&str, &str),
) -> Result<(), RenameError> {
    let calls = calls_of(db, item);
    let passes = |it: &str| {
        calls
            .as_ref()
            .is_some_and(|calls| calls.passed.contains(it))
    };
    if calls.as_ref().is_none_or(|it| it.is_open) || !passes(old) {
        return refuse(format!(
            "cannot rename `${old}`: no call that passes it is known"
        ));
    }
    if passes(new) {
        return refuse(format!("`${new}` already exists"));
    }
    // Where a call does not pass the variable, that of top scope is visible.
    let environment = item.file(db).environment(db);
    let is_at_top =
        |it: &str| resolve_external_variable(db, environment, item, &format!("::{it}")).is_ok();
    match [old, new].into_iter().find(|it| is_at_top(it)) {
        Some(it) => refuse(format!(
            "cannot rename `${old}`: `${it}` is also a variable of top scope"
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use syntax::apply_edits;

    const TEMPLATE: &str = "<%= $po<^>rt %> <% [1].each |$x| { %><%= $port %><% } %>";

    /// Returns the code of the class and of the template after a rename to `listen`.
    fn renamed(code: &str, template: &str) -> Result<String, String> {
        let fixture = Fixture::new(&format!(
            "//- modules/web/manifests/init.pp\n{code}\n//- modules/web/templates/a.epp\n{template}\n"
        ));
        let (file, offset) = fixture.cursor();
        let edit = fixture.analysis().rename(file, offset, "listen");
        let edit = edit.map_err(|it| it.0)?;
        let texts = fixture.files().map(|(file, _, text)| {
            let edits = edit.edits.iter().filter(|it| it.0 == file);
            let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
            apply_edits(text, edits.iter()).expect("edits do not overlap")
        });
        Ok(texts.collect())
    }

    #[test]
    fn renames_the_variable_and_the_keys_of_all_calls() {
        let code = "class web ($port) { $a = epp('web/a', { 'port' => $port }) \
                    $b = epp(\"${module_name}/a.epp\", { port => 1, x => 2 }) }";
        let expected = "class web ($port) { $a = epp('web/a', { 'listen' => $port }) \
                        $b = epp(\"${module_name}/a.epp\", { listen => 1, x => 2 }) }";
        let found = renamed(code, TEMPLATE).expect("rename succeeds");
        assert!(found.contains(expected), "{found}");
        let of_template = "<%= $listen %> <% [1].each |$x| { %><%= $listen %><% } %>";
        assert!(found.contains(of_template), "{found}");
        let at_key = code.replacen("'port'", "'po<^>rt'", 1);
        let again = renamed(&at_key, &TEMPLATE.replace("<^>", ""));
        assert_eq!(again, Ok(found));
    }

    #[test]
    fn refuses_variables_of_unknown_calls() {
        for (call, reason) in [
            (
                "epp('web/a.epp', $h)",
                "a computed hash in `web` may set it",
            ),
            (
                "epp('web/a', { 'port' => 1 } + $h)",
                "a computed hash in `web` may set it",
            ),
            (
                "[epp($h, { 'port' => 1 }), epp('web/a', { 'port' => 1 })]",
                "a computed hash in `web` may set it",
            ),
            (
                "epp('web/a.epp', { 'x' => 1 })",
                "no call that passes it is known",
            ),
            ("notice(1)", "no use of the template is known"),
        ] {
            let found = renamed(&format!("class web ($h) {{ $a = {call} }}"), TEMPLATE);
            let error = found.expect_err("rename is refused");
            assert!(error.ends_with(reason), "{call}: {error}");
        }
        let code = "class web { $a = epp('web/a', { 'port' => 1, 'listen' => 2 }) }";
        assert_eq!(
            renamed(code, TEMPLATE),
            Err("`$listen` already exists".to_owned())
        );
    }
}
