//! Adds the keys of class parameters to the data of the environment, and moves defaults there.
//!
//! The argument of a class declaration is not moved: the class may be declared elsewhere, too.

use base::{EnvironmentInput, ModuleOrigin};
use hiera::merge::MergeStrategy;
use hir::body::{ClassUse, ReferenceName, body};
use hir::resolve::{Definition, class};
use hir::{Item, ItemKind, ParameterSignature, signature};
use infer::{KeyPresence, declared_parameters, key_presence};
use rules::data::options_of;
use rules::{moved_to_front, sample_value};
use syntax::ast::{AstNode, Parameter, ParameterList};
use syntax::{Edit, SyntaxKind, TextRange, apply_edits, parse};
use types::Type;
use types::values::Value;

use super::{AssistContext, AssistKind, Assists, replace, size};
use crate::data_files::{DataTarget, data_targets};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(environment) = cx.file.environment(cx.db) else {
        return;
    };
    match parameter_at(cx) {
        Some((class, parameter)) => {
            add_key(cx, acc, environment, class, parameter);
            move_default(cx, acc, environment, class, parameter);
        }
        None => add_missing_keys(cx, acc, environment),
    }
}

/// Returns the class parameter at the selection.
fn parameter_at<'db>(cx: &AssistContext<'db>) -> Option<(Item<'db>, &'db ParameterSignature)> {
    let item = cx.item_at(cx.range)?;
    if item.kind(cx.db) != ItemKind::Class {
        return None;
    }
    let mut parameters = signature(cx.db, item).parameters.iter();
    let found = parameters.find(|it| item.in_file(cx.db, it.range).contains_range(cx.range))?;
    Some((item, found))
}

fn key_of(cx: &AssistContext<'_>, class: Item<'_>, parameter: &ParameterSignature) -> String {
    format!("{}::{}", class.name(cx.db), parameter.name)
}

/// Offers to add the key of a parameter to a data file.
fn add_key(
    cx: &AssistContext<'_>,
    acc: &mut Assists<'_>,
    environment: EnvironmentInput,
    class: Item<'_>,
    parameter: &ParameterSignature,
) {
    let key = key_of(cx, class, parameter);
    let Some(value) = placeholder(cx, environment, class, parameter) else {
        return;
    };
    let name = class.name(cx.db);
    let added = [(key.clone(), value)];
    for target in data_targets(cx.db, environment, class, &[&key]) {
        let title = format!("Add `{key}` to `{}`", target.path);
        // The code is right without the key.
        let kind = AssistKind::Rewrite;
        add_to(acc, ("add-data", kind), title, &target, name, &added);
    }
}

/// Offers to add the missing keys of the class that is declared at the selection.
fn add_missing_keys(cx: &AssistContext<'_>, acc: &mut Assists<'_>, environment: EnvironmentInput) {
    let Some((class, given)) = declared_class_at(cx, environment) else {
        return;
    };
    let required = signature(cx.db, class).parameters.iter();
    let required = required.filter(|it| it.is_required() && !given.contains(&it.name));
    let missing = required.filter(|it| {
        let presence = key_presence(cx.db, environment, &key_of(cx, class, it));
        matches!(presence, KeyPresence::Absent | KeyPresence::AbsentHere)
    });
    let added = missing.map(|it| {
        let value = placeholder(cx, environment, class, it)?;
        Some((key_of(cx, class, it), value))
    });
    let Some(added) = added
        .collect::<Option<Vec<_>>>()
        .filter(|it| !it.is_empty())
    else {
        return;
    };
    let name = class.name(cx.db);
    let keys: Vec<&str> = added.iter().map(|it| it.0.as_str()).collect();
    for target in data_targets(cx.db, environment, class, &keys) {
        let title = format!("Add the missing keys of `{name}` to `{}`", target.path);
        let kind = AssistKind::QuickFix;
        add_to(
            acc,
            ("add-missing-data", kind),
            title,
            &target,
            name,
            &added,
        );
    }
}

/// Offers to add keys to a data file.
fn add_to(
    acc: &mut Assists<'_>,
    (id, kind): (&'static str, AssistKind),
    title: String,
    target: &DataTarget<'_>,
    class: &str,
    added: &[(String, Value)],
) {
    if let Some(edit) = target.insertion(class, added) {
        acc.add_in_files(id, title, kind, || vec![(target.id, edit)]);
    }
}

/// Returns the class whose declaration is selected, with the parameters that it sets there.
fn declared_class_at<'db>(
    cx: &AssistContext<'db>,
    environment: EnvironmentInput,
) -> Option<(Item<'db>, Vec<String>)> {
    let item = cx.item_at(cx.range)?;
    let body = body(cx.db, item);
    let is_here = |it: TextRange| item.in_file(cx.db, it).contains_range(cx.range);
    let mut references = body.references.iter().filter(|it| is_here(it.range));
    let (name, range) = references.find_map(|it| match &it.name {
        ReferenceName::Class(name, ClassUse::Declared) => Some((name, it.range)),
        _ => None,
    })?;
    let Ok(Definition::Item(found)) = class(cx.db, Some(environment), name) else {
        return None;
    };
    let mut resources = body.resources.iter();
    let declaration = resources.find(|it| it.titles.iter().any(|it| it.range == range));
    let mut given = Vec::new();
    if let Some(it) = declaration {
        // The hash may contain any parameter.
        (!it.splat).then_some(())?;
        given.extend(it.attributes.iter().map(|it| it.name.clone()));
        given.extend(it.default_attributes.iter().cloned());
    }
    Some((found, given))
}

/// Returns a value for a new key: the constant default of the parameter, or else the simplest one of its type.
fn placeholder(
    cx: &AssistContext<'_>,
    environment: EnvironmentInput,
    class: Item<'_>,
    parameter: &ParameterSignature,
) -> Option<Value> {
    let key = key_of(cx, class, parameter);
    // A converted value would have another type in the data.
    let options = options_of(cx.db, environment, &key)?;
    options.convert_to.is_none().then_some(())?;
    let types = declared_parameters(cx.db, class);
    let type_ = types
        .iter()
        .find(|it| it.0 == parameter.name)
        .map(|it| &it.1);
    let default = constant_default(cx, class, parameter);
    let default = default.filter(|it| !it.is_undef());
    let default = default.and_then(|it| as_data(&it));
    default.or_else(|| sample_value(type_.unwrap_or(&Type::Any)))
}

/// Returns the constant value of the default of a parameter.
fn constant_default(
    cx: &AssistContext<'_>,
    class: Item<'_>,
    parameter: &ParameterSignature,
) -> Option<Value> {
    let node = parameter_node(cx, class, parameter)?;
    let default = node.default()?.syntax().text_range();
    let inferred = infer::infer_item(cx.db, class).at(relative(cx, class, default)?)?;
    inferred.value.clone()
}

fn relative(cx: &AssistContext<'_>, item: Item<'_>, range: TextRange) -> Option<TextRange> {
    range.checked_sub(item.offset(cx.db))
}

/// Returns the syntax node of a parameter, if its class is in the file of the selection.
fn parameter_node(
    cx: &AssistContext<'_>,
    class: Item<'_>,
    parameter: &ParameterSignature,
) -> Option<Parameter> {
    (class.file(cx.db) == cx.file).then_some(())?;
    let element = cx
        .root
        .covering_element(class.in_file(cx.db, parameter.range));
    element.ancestors().find_map(Parameter::cast)
}

/// Returns the value in data that Hiera reads as a value: `%{` would interpolate. Returns `None` for values that data
/// cannot contain.
fn as_data(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => value.clone(),
        Value::String(it) => Value::from(it.replace("%{", "%{literal('%')}{")),
        Value::Array(items) => {
            let items: Option<Vec<Value>> = items.iter().map(as_data).collect();
            Value::array(items?)
        }
        Value::Hash(map) => {
            let entries = map.iter().map(|(key, value)| {
                let is_plain = !key.as_str()?.contains("%{");
                is_plain.then_some(())?;
                Some((key.clone(), as_data(value)?))
            });
            let entries: Option<Vec<(Value, Value)>> = entries.collect();
            Value::hash(entries?)
        }
        _ => return None,
    })
}

/// Offers to move the selected default of a parameter to the data that all nodes read.
fn move_default(
    cx: &AssistContext<'_>,
    acc: &mut Assists<'_>,
    environment: EnvironmentInput,
    class: Item<'_>,
    parameter: &ParameterSignature,
) {
    let Some((range, value)) = movable_default(cx, environment, class, parameter) else {
        return;
    };
    let key = key_of(cx, class, parameter);
    let targets = data_targets(cx.db, environment, class, &[&key]);
    let Some(target) = targets.into_iter().find(|it| it.is_unconditional) else {
        return;
    };
    let added = [(key, value)];
    let Some(edit) = target.insertion(class.name(cx.db), &added) else {
        return;
    };
    let title = format!(
        "Move the default of `${}` to `{}`",
        parameter.name, target.path
    );
    let own = acc.file;
    if let Some(removal) = removed_default(cx, range) {
        acc.add_in_files("move-to-data", title, AssistKind::Rewrite, || {
            vec![(own, removal), (target.id, edit)]
        });
    }
}

/// Returns the edit that removes the default of a parameter, and moves the parameter before the optional ones, where the
/// style guide requires it to be. Returns `None` if it cannot be moved.
fn removed_default(cx: &AssistContext<'_>, default: TextRange) -> Option<Edit> {
    let token = cx.root.token_at_offset(default.start()).left_biased()?;
    let parameter = token.parent_ancestors().find_map(Parameter::cast)?;
    let list = parameter.syntax().parent().and_then(ParameterList::cast)?;
    let range = list.syntax().text_range();
    let mut earlier = list.parameters().take_while(|it| *it != parameter);
    let removal = replace(default, "");
    let Some(first) = earlier.position(|it| it.default().is_some()) else {
        return Some(removal);
    };
    let changed = apply_edits(cx.text, [&removal])?;
    let parsed = parse(&changed, cx.file.spec(cx.db).dialect).syntax();
    let token = parsed.token_at_offset(range.start()).right_biased()?;
    let list = token.parent_ancestors().find_map(ParameterList::cast)?;
    let all: Vec<Parameter> = list.parameters().collect();
    let last = all
        .iter()
        .position(|it| it.syntax().text_range().contains(default.start() - size(1)))?;
    let moved: Vec<_> = all.get(first..=last)?.iter().map(AstNode::syntax).collect();
    let changed = apply_edits(&changed, &moved_to_front(&moved)?)?;
    // The text after the list is the same.
    let end = changed.len() - (cx.text.len() - usize::from(range.end()));
    Some(replace(range, changed.get(range.start().into()..end)?))
}

/// Returns the range of a literal default with its `=`, and the value, if Hiera certainly has no value for the
/// parameter today, and would return this one unchanged.
fn movable_default(
    cx: &AssistContext<'_>,
    environment: EnvironmentInput,
    class: Item<'_>,
    parameter: &ParameterSignature,
) -> Option<(TextRange, Value)> {
    let module = cx.file.module(cx.db)?;
    (module.origin(cx.db) == ModuleOrigin::Workspace).then_some(())?;
    let node = parameter_node(cx, class, parameter)?;
    let default = node.default()?;
    let range = default.syntax().text_range();
    range.contains_range(cx.range).then_some(())?;
    let mut tokens = default.syntax().descendants_with_tokens();
    let is_literal = !tokens.any(|it| it.kind() == SyntaxKind::VARIABLE);
    let key = key_of(cx, class, parameter);
    let is_absent = key_presence(cx.db, environment, &key) == KeyPresence::Absent;
    let options = options_of(cx.db, environment, &key)?;
    let is_plain = options.merge == MergeStrategy::First && options.convert_to.is_none();
    (is_literal && is_absent && is_plain).then_some(())?;
    let value = constant_default(cx, class, parameter)?;
    (!value.is_undef()).then_some(())?;
    let start = node.variable()?.text_range().end();
    Some((TextRange::new(start, range.end()), as_data(&value)?))
}

#[cfg(test)]
mod tests {
    use syntax::apply_edits;

    use crate::fixture::Fixture;

    const CONFIG: &str = "//- modules/environment/hiera.yaml
version: 5
hierarchy:
- {name: n, path: \"nodes/%{trusted.certname}.yaml\"}
- {name: o, path: \"os/%{facts.os.name}.yaml\"}
- {name: c, path: common.yaml}
";

    /// Applies the assists with an ID one by one. Returns the titles with the changed files.
    fn applied(id: &str, code: &str, data: &[(&str, &str)]) -> String {
        let files: String = data
            .iter()
            .map(|(path, text)| format!("//- modules/environment/data/{path}\n{text}"))
            .collect();
        let fixture = Fixture::new(&format!(
            "//- modules/a/manifests/init.pp\n{code}{CONFIG}{files}"
        ));
        let (file, offset) = fixture.cursor();
        let range = super::TextRange::empty(offset);
        let analysis = fixture.analysis();
        let offered = analysis.assists(file, range).into_iter();
        let mut out = String::new();
        for assist in offered.filter(|it| it.id == id) {
            out.push_str(&format!("# {}\n", assist.title));
            let edit = analysis.assist_edit(file, range, id, &assist.title);
            for (file, edit) in edit.expect("offered assist has edits").edits {
                let changed = apply_edits(fixture.text(file), &[edit]);
                out.push_str(&changed.expect("the edit applies"));
            }
        }
        out
    }

    #[test]
    fn adds_a_key_next_to_those_of_the_class() {
        let class = "class a (Integer[1] $po<^>rt, String $name) { notice($port, $name) }\n";
        assert_eq!(
            applied(
                "add-data",
                class,
                &[
                    (
                        "common.yaml",
                        "---\na::name: x # the name\n\n# others\nb: 1\n"
                    ),
                    ("os/Debian.yaml", "a::name: |\n  x\nb: 1"),
                    ("nodes/n.yaml", "b: 1\n"),
                ]
            ),
            "# Add `a::port` to `data/common.yaml`\n\
             ---\na::name: x # the name\na::port: 1\n\n# others\nb: 1\n\
             # Add `a::port` to `data/os/Debian.yaml`\n\
             a::name: |\n  x\na::port: 1\nb: 1"
        );
    }

    #[test]
    fn adds_a_key_after_commented_lines_of_a_value() {
        let class = "class a ($por<^>t = 1, $x = {}) { notice($port, $x) }\n";
        for (before, after) in [
            ("a::x:\n  b: 1\n#  c: 2\n", "a::port: 1\nd: 1\n"),
            ("a::x:\n  b: 1\n  # c: 2\n#  d: 2\n", "a::port: 1\nd: 1\n"),
            ("a::x: {b: 1}\n", "a::port: 1\n# about d\nd: 1\n"),
            ("a::x: {b: 1}\n", "a::port: 1\n\n#  e: 1\nd: 1\n"),
        ] {
            let rest = after
                .strip_prefix("a::port: 1\n")
                .expect("it is the new key");
            assert_eq!(
                applied(
                    "add-data",
                    class,
                    &[("common.yaml", &format!("{before}{rest}"))]
                ),
                format!("# Add `a::port` to `data/common.yaml`\n{before}{after}")
            );
        }
    }

    #[test]
    fn adds_a_key_at_the_end() {
        let class = "class a (Array[String] $all<^> = ['x', 'yes']) { notice($all) }\n";
        for (before, after) in [
            ("", "a::all:\n- x\n- 'yes'\n"),
            ("---\n", "---\na::all:\n- x\n- 'yes'\n"),
            ("b: 1", "b: 1\na::all:\n- x\n- 'yes'\n"),
            ("# b\n", "# b\n\na::all:\n- x\n- 'yes'\n"),
            ("b: 1\n# c", "b: 1\n# c\n\na::all:\n- x\n- 'yes'\n"),
        ] {
            assert_eq!(
                applied("add-data", class, &[("common.yaml", before)]),
                format!("# Add `a::all` to `data/common.yaml`\n{after}")
            );
        }
    }

    #[test]
    fn offers_no_file_that_would_not_matter() {
        let class = "class a (Integer $port<^>) { notice($port) }\n";
        let of = |common: &str| applied("add-data", class, &[("common.yaml", common)]);
        for data in [
            "a::port: 1\n",
            "{b: 1}\n",
            "- 1\n",
            "b: 1\n...\n",
            "b: \"\n",
        ] {
            assert_eq!(of(data), "", "{data}");
        }
        let sensitive = "class a (Sensitive[String] $key<^>) { notice($key) }\n";
        assert_eq!(applied("add-data", sensitive, &[("common.yaml", "")]), "");
        let converted = "lookup_options: {a::port: {convert_to: Integer}}\n";
        assert_eq!(of(converted), "");
        let define = "define a (Integer $port<^>) { notice($port) }\n";
        assert_eq!(applied("add-data", define, &[("common.yaml", "")]), "");
    }

    #[test]
    fn adds_the_missing_keys_of_a_declared_class() {
        let of = |declaration: &str| {
            let code = format!(
                "class a {{ {declaration} }}\n//- modules/a/manifests/b.pp\n\
                 class a::b (Integer $x, Enum[p, q] $y, $z = 1) {{ notice($x, $y, $z) }}\n"
            );
            let data = [("common.yaml", "a::b::z: 2\nb: 1\n"), ("nodes/n.yaml", "")];
            applied("add-missing-data", &code, &data)
        };
        let added = |lines: &str| {
            format!(
                "# Add the missing keys of `a::b` to `data/common.yaml`\n\
                 a::b::z: 2\n{lines}b: 1\n"
            )
        };
        assert_eq!(of("include a::<^>b"), added("a::b::x: 0\na::b::y: p\n"));
        assert_eq!(of("class { 'a::<^>b': x => 1 }"), added("a::b::y: p\n"));
        for other in [
            "incl<^>ude a::b",
            "class { 'a::<^>b': * => $facts['x'] }",
            "include a::<^>c",
        ] {
            assert_eq!(of(other), "", "{other}");
        }
    }

    #[test]
    fn parameter_without_default_precedes_optional_ones() {
        let class = "class a (\n  Integer $x,\n  Integer $y = 1, # why\n  # @param z\n  Integer $z = 2<^>,\n) { notice($x, $y, $z) }\n";
        let data = [
            ("common.yaml", "b: 1\n"),
            ("nodes/n.yaml", ""),
            ("os/o.yaml", ""),
        ];
        assert_eq!(
            applied("move-to-data", class, &data),
            "# Move the default of `$z` to `data/common.yaml`\n\
             class a (\n  Integer $x,\n  # @param z\n  Integer $z,\n  Integer $y = 1, # why\n) { notice($x, $y, $z) }\n\
             b: 1\na::z: 2\n"
        );
    }

    #[test]
    fn moves_a_literal_default() {
        let of = |default: &str, data: &[(&str, &str)]| {
            let class = format!("class a (\n  $x = {default},\n) {{ notice($x) }}\n");
            applied("move-to-data", &class, data)
        };
        let common = [
            ("common.yaml", "b: 1\n"),
            ("nodes/n.yaml", "b: 2\n"),
            ("os/o.yaml", ""),
        ];
        let moved = |value: &str| {
            format!(
                "# Move the default of `$x` to `data/common.yaml`\n\
                 class a (\n  $x,\n) {{ notice($x) }}\nb: 1\na::x: {value}\n"
            )
        };
        assert_eq!(of("8<^>0", &common), moved("80"));
        assert_eq!(of("'y<^>es'", &common), moved("'yes'"));
        assert_eq!(
            of("{ a => <^>1 }", &common),
            moved("\n  a: 1").replace("x: \n", "x:\n")
        );
        assert_eq!(
            of("'%{<^>x} %'", &common),
            moved("\"%{literal('%')}{x} %\"")
        );
        for other in ["$fac<^>ts['x']", "un<^>def", "Inte<^>ger"] {
            assert_eq!(of(other, &common), "", "{other}");
        }
        for present in [
            ("nodes/m.yaml", "a::x: 1\n"),
            ("nodes/m.yaml", "lookup_options: {a::x: {merge: hash}}\n"),
            ("common.yaml", "{}\n"),
        ] {
            let data = [present, ("os/o.yaml", "b: 1\n"), ("common.yaml", "b: 1\n")];
            let data = &data[..if present.0 == "common.yaml" { 2 } else { 3 }];
            assert_eq!(of("8<^>0", data), "", "{present:?}");
        }
    }
}
