//! Renames a definition that Puppet does not find to the name that its path requires.

use super::{AssistContext, AssistKind, Assists};
use crate::rename::rename_to_fit_path;
use hir::{items, signature};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let mut all = items(cx.db, cx.file).iter();
    let found = all.find(|it| {
        let name = signature(cx.db, **it).name_range;
        !name.is_empty() && it.in_file(cx.db, name).contains_range(cx.range)
    });
    let Some((name, edit)) = found.and_then(|it| rename_to_fit_path(cx.db, cx.file, *it)) else {
        return;
    };
    let title = format!("Rename to `{name}`, which fits the path");
    let kind = AssistKind::QuickFix;
    match edit {
        Ok(edit) if edit.uncertain_uses.is_empty() => {
            acc.add_in_files("rename-to-path", title, kind, || edit.edits);
        }
        Ok(_) => {
            let reason = "interpolated names may refer to the definition";
            acc.add_disabled("rename-to-path", title, kind, reason);
        }
        Err(reason) => acc.add_disabled("rename-to-path", title, kind, reason.0),
    }
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{NO_OTHERS, applied_in};

    fn renamed(path: &str, code: &str) -> String {
        applied_in(path, "rename-to-path", code, NO_OTHERS)
    }

    #[test]
    fn renames_to_the_name_of_the_path() {
        assert_eq!(
            renamed("modules/m/manifests/a/b.pp", "class <^>m::x {\n}\n"),
            "class m::a::b {\n}\n"
        );
        assert_eq!(
            renamed("modules/m/manifests/init.pp", "class n<^> {\n}\n"),
            "class m {\n}\n"
        );
        assert_eq!(
            renamed("modules/m/functions/f.pp", "function m::<^>g() { 1 }\n"),
            "function m::f() { 1 }\n"
        );
        assert_eq!(
            renamed("modules/m/types/t.pp", "type M::U<^> = String\n"),
            "type M::T = String\n"
        );
    }

    #[test]
    fn keeps_other_names() {
        let path = "modules/m/manifests/a.pp";
        assert_eq!(renamed(path, "class <^>m::a {\n}\n"), "none");
        assert_eq!(
            renamed(path, "class m::a {\n}\nclass <^>m::a::b {\n}\n"),
            "none"
        );
        assert_eq!(
            renamed(path, "class m::b {\n}\nclass <^>m::c {\n}\n"),
            "none"
        );
        assert_eq!(
            renamed("modules/m/manifests/A b.pp", "class <^>m::b {\n}\n"),
            "none"
        );
    }
}
