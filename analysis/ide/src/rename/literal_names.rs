//! Finds the old name in strings that do not name an entity by themselves: literals whose value reaches a name, and the
//! templates in strings. A string that may also be used for something else is reported and not changed.

use library::NamedEntity;
use library::ruby::{ErbNotation, erb_code, erb_names};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{AstNode, StringLiteral};
use syntax::{Edit, SyntaxNode, TextRange, TextSize};

use super::value_flow::{Reach, reach};
use super::{RenameError, UncertainUse, check_user, new_names, text_at};
use crate::data_files::{FileKind, file_kind};
use crate::search::items_with;
use crate::search::string_names::{NameString, name_strings, qualified_names, root_of};
use crate::symbol::{occurrences, word_hash};
use base::{FileId, FileInput};
use hir::body::body;
use hir::{Item, ItemKind, canonical_name};

/// The edits and the possible uses in strings.
#[derive(Default)]
pub(super) struct LiteralNames {
    pub(super) edits: Vec<(FileId, Edit)>,
    pub(super) uncertain_uses: Vec<UncertainUse>,
}

/// A name to look for, and its replacement.
struct Wanted<'a> {
    old: &'a str,
    new: &'a str,
    /// The entities that share the name.
    kinds: &'a [NamedEntity],
    /// Whether upper and lower case differ, as in keys of data and names of variables.
    is_case_sensitive: bool,
}

/// The entities named by the key of a parameter.
const MEMBER: [NamedEntity; 2] = [NamedEntity::DataKey, NamedEntity::Variable];

/// Returns the uses of an item, and of the variables of a class, in strings.
pub(super) fn of_item(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    new: &str,
) -> Result<LiteralNames, RenameError> {
    let old = item.name(db);
    let kinds: &[NamedEntity] = match item.kind(db) {
        ItemKind::Class => &[NamedEntity::Class],
        ItemKind::DefinedType => &[NamedEntity::ResourceType],
        ItemKind::Function => &[NamedEntity::Function],
        ItemKind::Plan => &[NamedEntity::Plan],
        _ => &[],
    };
    let wanted = Wanted {
        old,
        new,
        kinds,
        is_case_sensitive: false,
    };
    let mut found = LiteralNames::default();
    find(db, origin, &wanted, &mut found)?;
    if item.kind(db) == ItemKind::Class {
        let bindings = body(db, item).scopes.first().into_iter();
        let names: FxHashSet<&str> = bindings
            .flat_map(|it| &it.bindings)
            .map(|it| it.name.as_str())
            .collect();
        for name in names {
            let (old, new) = (format!("{old}::{name}"), format!("{new}::{name}"));
            find_member(db, origin, &old, &new, &mut found)?;
        }
    }
    sort(&mut found);
    Ok(found)
}

/// Returns the uses of a variable of a class in strings.
pub(super) fn of_member(
    db: &dyn Database,
    origin: FileInput,
    class: &str,
    old: &str,
    new: &str,
) -> Result<LiteralNames, RenameError> {
    let (old, new) = (format!("{class}::{old}"), format!("{class}::{new}"));
    let mut found = LiteralNames::default();
    find_member(db, origin, &old, &new, &mut found)?;
    sort(&mut found);
    Ok(found)
}

/// Returns the uses of a key of data in strings.
pub(super) fn of_data_key(
    db: &dyn Database,
    origin: FileInput,
    old: &str,
    new: &str,
) -> Result<LiteralNames, RenameError> {
    let wanted = Wanted {
        old,
        new,
        kinds: &[NamedEntity::DataKey],
        is_case_sensitive: true,
    };
    let mut found = LiteralNames::default();
    find(db, origin, &wanted, &mut found)?;
    sort(&mut found);
    Ok(found)
}

fn find_member(
    db: &dyn Database,
    origin: FileInput,
    old: &str,
    new: &str,
    found: &mut LiteralNames,
) -> Result<(), RenameError> {
    let wanted = Wanted {
        old,
        new,
        kinds: &MEMBER,
        is_case_sensitive: true,
    };
    find(db, origin, &wanted, found)
}

fn sort(found: &mut LiteralNames) {
    let key = |it: &UncertainUse| (it.file, it.range.start());
    found.uncertain_uses.sort_by_key(key);
}

fn find(
    db: &dyn Database,
    origin: FileInput,
    wanted: &Wanted<'_>,
    found: &mut LiteralNames,
) -> Result<(), RenameError> {
    for item in items_with(db, origin, word_hash(&canonical_name(wanted.old))) {
        // The search always includes its origin, which may be data.
        if file_kind(db, item.file(db)) != FileKind::Code {
            continue;
        }
        let known: Vec<_> = occurrences(db, item).iter().map(|it| it.range).collect();
        for string in name_strings(db, item) {
            match string {
                NameString::Literal(node, value) => {
                    let is_known = known.contains(&node.text_range());
                    if wanted.is_named(root_of(&value)) && !is_known {
                        literal(db, (origin, item), wanted, &node, found)?;
                    }
                }
                NameString::Template(node) => {
                    template(db, item, wanted, (&node, &known), found)?;
                }
            }
        }
    }
    Ok(())
}

impl Wanted<'_> {
    fn is_named(&self, text: &str) -> bool {
        let text = text.strip_prefix("::").unwrap_or(text);
        match self.is_case_sensitive {
            true => text == self.old,
            false => text.eq_ignore_ascii_case(self.old),
        }
    }

    /// Checks whether a value that reaches these places is certainly the name, or may be. A name without `::` may be any
    /// word.
    fn certainty(&self, reach: &Reach) -> Option<bool> {
        let names = |it: &NamedEntity| self.kinds.contains(it);
        let is_always = reach.names.iter().all(names) && !reach.is_used_otherwise;
        let is_ever = reach.names.iter().any(names);
        let may_be_name = reach.is_used_otherwise || reach.names.is_empty();
        match is_ever {
            true => Some(is_always),
            false => (may_be_name && self.old.contains("::")).then_some(false),
        }
    }
}

/// Adds a literal that is the name, with the file from which to search and its item.
fn literal<'db>(
    db: &'db dyn Database,
    (origin, item): (FileInput, Item<'db>),
    wanted: &Wanted<'_>,
    node: &SyntaxNode,
    found: &mut LiteralNames,
) -> Result<(), RenameError> {
    let Some(is_certain) = wanted.certainty(&reach(db, origin, item, node)) else {
        return Ok(());
    };
    let file = item.file(db);
    let range = item.in_file(db, node.text_range());
    let name = new_names::name_range(text_at(db, file, range), true, wanted.old);
    match name.filter(|_| is_certain) {
        Some(name) => found.edit(db, file, name + range.start(), wanted),
        None => {
            found.may_be(db, file, range, wanted);
            Ok(())
        }
    }
}

/// Adds the places in a template that mention the name, except for those that are known.
fn template(
    db: &dyn Database,
    item: Item<'_>,
    wanted: &Wanted<'_>,
    (node, known): (&SyntaxNode, &[TextRange]),
    found: &mut LiteralNames,
) -> Result<(), RenameError> {
    let text = node.text().to_string();
    if !wanted.old.contains("::") || !text.to_ascii_lowercase().contains(wanted.old) {
        return Ok(());
    }
    // Escapes move what follows them.
    let is_plain = StringLiteral::can_cast(node.kind()) && !text.contains('\\');
    let names = erb_names(&text);
    for (start, code) in erb_code(&text) {
        for (at, word) in qualified_names(code).filter(|it| wanted.is_named(it.1)) {
            let at = at + TextSize::new(u32::try_from(start).unwrap_or(u32::MAX));
            let range = TextRange::at(at, TextSize::of(word));
            let before = text[..usize::from(at)].trim_end_matches(':');
            let is_scope = |it: &library::ruby::ErbRead| {
                it.notation == ErbNotation::Scope && it.plain_range() == range
            };
            let is_variable = wanted.kinds.contains(&NamedEntity::Variable)
                && (before.ends_with('$') || names.variables().any(is_scope));
            let range = range + node.text_range().start();
            let file = item.file(db);
            let in_file = item.in_file(db, range);
            if known.iter().any(|it| it.contains_range(range)) {
                continue;
            }
            match is_plain && is_variable {
                true => found.edit(db, file, in_file, wanted)?,
                false => found.may_be(db, file, in_file, wanted),
            }
        }
    }
    Ok(())
}

impl LiteralNames {
    fn edit(
        &mut self,
        db: &dyn Database,
        file: FileInput,
        range: TextRange,
        wanted: &Wanted<'_>,
    ) -> Result<(), RenameError> {
        check_user(db, file)?;
        let text = wanted.new.to_owned();
        self.edits.push((file.id(db), Edit { range, text }));
        Ok(())
    }

    fn may_be(
        &mut self,
        db: &dyn Database,
        file: FileInput,
        range: TextRange,
        wanted: &Wanted<'_>,
    ) {
        self.uncertain_uses.push(UncertainUse {
            file: file.id(db),
            range,
            text: text_at(db, file, range).to_owned(),
            name: wanted.old.to_owned(),
            is_certain: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use syntax::apply_edits;

    const MODULE: &str = "\
//- modules/a/manifests/x.pp
class a::x ($p = '1') { }
//- modules/a/manifests/d.pp
define a::d { }
//- modules/a/functions/f.pp
function a::f() { 1 }
//- modules/a/manifests/o.pp
class a::o { }
";

    /// Returns code of class `a::y` after the rename of `use`, and the strings that are reported.
    fn renamed(name: &str, code: &str, new: &str) -> (String, Vec<String>) {
        let at = name.rfind(['\'', '(']).unwrap_or(name.len());
        let (before, after) = name.split_at(at);
        let declaration = format!("{before}<^>{after}");
        let fixture = Fixture::new(&format!(
            "{MODULE}//- modules/a/manifests/y.pp\nclass a::y {{\n{code}\n}}\n//- manifests/site.pp\n{declaration}"
        ));
        let (file, offset) = fixture.cursor();
        let edit = fixture.analysis().rename(file, offset, new);
        let edit = edit.unwrap_or_else(|it| panic!("{code}: {}", it.0));
        let user = fixture.files().find(|it| it.1.ends_with("y.pp"));
        let (user, _, text) = user.expect("there is a user");
        let edits = edit.edits.iter().filter(|it| it.0 == user);
        let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
        let text = apply_edits(text, edits.iter()).expect("edits do not overlap");
        let code = text.strip_prefix("class a::y {\n").unwrap_or(&text);
        let code = code.trim_end().trim_end_matches('}').trim_end().to_owned();
        let doubts = edit.uncertain_uses.iter().map(|it| it.text.clone());
        (code, doubts.collect())
    }

    fn assert_all_renamed(name: &str, old: &str, new: &str, cases: &[&str]) {
        for code in cases {
            let expected = code.replace(old, new);
            let written = new.rsplit("::").next().unwrap_or(new);
            let new = if name.starts_with("$x = $") {
                written
            } else {
                new
            };
            assert_eq!(renamed(name, code, new), (expected, Vec::new()), "{code}");
        }
    }

    #[test]
    fn renames_literals_that_only_name_classes() {
        let cases = [
            "include $facts['z'] ? { 'a' => 'a::x', default => 'a::x' }",
            "include $facts['z'] ? { 'a' => a::x, default => '::a::x' }",
            "$c = 'a::x' include $c",
            "$c = 'a::x' class { $c: }",
            "$c = 'a::x' class { $c: require => Class[$c] }",
            "$c = if $facts['z'] { 'a::x' } else { 'a::o' } contain $c",
            "['a::x', 'a::b'].each |$k| { include $k }",
            "each(['a::x']) |$i, $k| { require $k }",
            "['a::x'].filter |$k| { $facts['z'] }.include",
            "{ 'a::x' => 1 }.each |$k, $v| { include $k }",
            "$h = { 'a::x' => 1 } include $h.keys",
            "$h = { 'Debian' => 'a::x' } include $h[$facts['os']]",
            "case $facts['z'] { 1: { $c = 'a::x' } default: { $c = 'a::o' } } include $c",
            "lookup('k', Array, 'unique', ['a::x']).include",
            "include(['a::o'] + ['a::x'])",
            "include pick($facts['z'], 'a::x')",
            "create_resources('class', { a::x => { 'p' => '1' } })",
            "$n = 'a::x::p' notice(getvar($n))",
            "$n = 'a::x::p' notice(lookup($n))",
            "notice(inline_epp('<%= $a::x::p %>'))",
            "notice(inline_template('<%= scope[\"a::x::p\"] %>'))",
        ];
        assert_all_renamed("include a::x", "a::x", "a::z", &cases);
    }

    #[test]
    fn reports_literals_that_may_be_used_otherwise() {
        for (code, expected) in [
            ("$c = 'a::x' include $c notice($c)", "'a::x'"),
            ("if tagged('a::x') { }", "'a::x'"),
            ("File <| tag == 'a::x' |>", "'a::x'"),
            ("a::unknown('a::x')", "'a::x'"),
            ("$c = 'a::x'", "'a::x'"),
            ("$c = 'a::x' $t = inline_template('<%= @c %>')", "'a::x'"),
            ("$h = { 'a::x' => 'a::o' } notice($h)", "'a::x'"),
            ("notice(inline_epp('<% include a::x %>'))", "a::x"),
            ("notice(inline_epp(\"<%= \\$a::x::p %>\"))", "a::x::p"),
        ] {
            let (changed, doubts) = renamed("include a::x", code, "a::z");
            assert_eq!(changed, code);
            assert_eq!(doubts, [expected], "{code}");
        }
    }

    #[test]
    fn ignores_strings_that_are_other_names() {
        for code in [
            "$c = 'a::xy' include $c",
            "notice('the class a::x')",
            "notify { 'a::x': }",
            "$t = 'a::x' create_resources($t, {})",
            "notice('a::x::unknown')",
            "notice(inline_epp('a::x <%# a::x %> a::x::p <%= $a::x::y %>'))",
        ] {
            let found = renamed("include a::x", code, "a::z");
            assert_eq!(found, (code.to_owned(), Vec::new()), "{code}");
        }
    }

    #[test]
    fn renames_defined_types_and_functions_in_variables() {
        let types = [
            "$t = 'a::d' create_resources($t, {})",
            "ensure_resource($facts['z'] ? { 'a' => 'a::d' }, 'z')",
        ];
        assert_all_renamed("A::D", "a::d", "a::z", &types);
        let functions = ["$n = 'a::f' notice(call($n))"];
        assert_all_renamed("$x = a::f()", "a::f", "a::z", &functions);
        for code in [
            "notice(inline_epp('<%= a::f() %>'))",
            "notice(inline_template('<%= scope.call_function(\"a::f\", []) %>'))",
        ] {
            let (changed, doubts) = renamed("$x = a::f()", code, "a::z");
            assert_eq!((changed.as_str(), doubts.len()), (code, 1), "{code}");
        }
    }

    #[test]
    fn renames_keys_of_parameters_in_variables() {
        let cases = [
            "$n = 'a::x::p' notice(lookup($n))",
            "['a::x::p.q'].each |$n| { notice(getvar($n)) }",
            "notice(inline_epp('<%= $a::x::p %>'))",
            "notice(inline_template('<%= scope[\"a::x::p\"] %>'))",
        ];
        assert_all_renamed("$x = $a::x::p", "a::x::p", "a::x::z", &cases);
        for code in [
            "getvar(\"a::x::${facts['n']}\")",
            "lookup(\"a::x::${facts['n']}\")",
            "$n = 'a::x::p' notice($n)",
        ] {
            let (changed, doubts) = renamed("$x = $a::x::p", code, "z");
            assert_eq!((changed.as_str(), doubts.len()), (code, 1), "{code}");
        }
    }

    #[test]
    fn renames_keys_of_data_in_variables() {
        let cases = [
            "$k = 'site::dom' notice(lookup($k))",
            "['site::dom', 'b'].each |$k| { notice(lookup($k)) }",
            "notice(lookup($facts['z'] ? { 'a' => 'site::dom' }))",
        ];
        assert_all_renamed("lookup('site::dom')", "site::dom", "site::z", &cases);
        let short = ["$k = 'dom' notice(lookup($k))"];
        assert_all_renamed("lookup('dom')", "dom", "zone", &short);
        let other = renamed("lookup('dom')", "notice('dom')", "zone");
        assert_eq!(other, ("notice('dom')".to_owned(), Vec::new()));
    }
}
