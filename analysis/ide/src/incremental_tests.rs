//! Tests which queries run again after an edit.
//!
//! Each case computes the diagnostics of all files, makes one change, computes them again, and
//! compares the queries that ran with the expected ones. The queries `parse`, `items` and
//! `file_usage_index` are listed by file; `signature`, `body`, `variables` and `item_findings` by
//! item; name lookups only by query.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use expect_test::{Expect, expect};
use salsa::plumbing::AsId;
use salsa::{Database, DatabaseKeyIndex, Id};
use syntax::{Dialect, TextRange, TextSize};

use crate::fixture::{Log, logging_database};
use base::{
    EnvironmentLayout, FileId, FileSpec, ModuleLayout, ModuleOrigin, ModulepathKind, RootDatabase,
    WorkspaceLayout,
};
use hir::{ItemKind, items};

/// A module `m` with the log of its queries.
struct IncrementalFixture {
    db: RootDatabase,
    log: Log,
    /// The files by path.
    files: BTreeMap<&'static str, FileId>,
    next: u32,
    dependencies: Vec<String>,
    disabled_rules: BTreeSet<String>,
}

const FILES: [(&str, &str); 5] = [
    (
        "manifests/init.pp",
        "# About m.\nclass m (Integer $port = 80) {\n  $x = 1\n  include m::b\n}\n\
         class m::inner {\n  $inner = 1\n  notice($inner)\n}\n",
    ),
    (
        "manifests/b.pp",
        "class m::b {\n  notice($m::port, $m::x)\n  m::d { 'one': size => 1 }\n  m_ruby(1)\n}\n",
    ),
    (
        "manifests/c.pp",
        "class m::c {\n  $y = 2\n  notice($y)\n}\n",
    ),
    (
        "manifests/d.pp",
        "define m::d (Integer $size) {\n  notice($size)\n}\n",
    ),
    (
        "lib/puppet/functions/m_ruby.rb",
        "Puppet::Functions.create_function(:m_ruby) do\n  dispatch :run do\n    param 'Integer', :a\n  end\nend\n",
    ),
];

impl IncrementalFixture {
    fn new() -> IncrementalFixture {
        let (db, log) = logging_database();
        let mut fixture = IncrementalFixture {
            db,
            log,
            files: BTreeMap::new(),
            next: 0,
            dependencies: Vec::new(),
            disabled_rules: rules::off_by_default(),
        };
        for (path, text) in FILES {
            fixture.add(path, text);
        }
        fixture.lay_out();
        fixture.ran();
        fixture
    }

    /// Adds a file, which the layout does not contain yet.
    fn add(&mut self, path: &'static str, text: &str) {
        self.files.insert(path, FileId(self.next));
        self.next += 1;
        self.edit(path, text);
    }

    fn edit(&mut self, path: &str, text: &str) {
        let spec = FileSpec {
            dialect: Dialect::default(),
            place: None,
        };
        self.db.edit_file(self.files[path], spec, text.into());
    }

    /// Replaces a part of a file's original source.
    fn replace(&mut self, path: &str, old: &str, new: &str) {
        let text = FILES
            .iter()
            .find(|it| it.0 == path)
            .expect("the file exists")
            .1;
        assert!(text.contains(old), "{path} has {old}");
        self.edit(path, &text.replacen(old, new, 1));
    }

    fn remove(&mut self, path: &str) {
        let file = self.files.remove(path).expect("the file exists");
        self.lay_out();
        self.db.remove_file(file);
    }

    fn lay_out(&mut self) {
        let files = self.files.iter().map(|it| (it.0.to_string(), *it.1));
        let module = ModuleLayout {
            name: "m".to_owned(),
            folder: "m".to_owned(),
            files: files.collect(),
            origin: ModuleOrigin::Workspace,
            dependencies: self.dependencies.clone(),
            absent: BTreeSet::new(),
            is_project: false,
        };
        let environment = EnvironmentLayout {
            name: "e".to_owned(),
            modules: vec![Arc::new(module)],
            modulepath: ModulepathKind::OfEnvironment,
            disabled_rules: self.disabled_rules.clone(),
            ..EnvironmentLayout::default()
        };
        self.db.set_workspace(Arc::new(WorkspaceLayout {
            environments: vec![environment],
        }));
    }

    /// Computes all diagnostics, and returns the queries that ran, sorted.
    fn ran(&mut self) -> BTreeSet<String> {
        self.log.take();
        let mut names: BTreeMap<Id, String> = BTreeMap::new();
        for (path, file) in &self.files {
            let Some(file) = self.db.file(*file) else {
                continue;
            };
            names.insert(file.as_id(), (*path).to_owned());
            if path.ends_with(".pp") {
                rules::file_findings(&self.db, file);
            }
        }
        let keys = self.log.take();
        for path in self.files.values() {
            let file = self.db.file(*path).expect("it was named");
            for item in items(&self.db, file) {
                let name = match item.kind(&self.db) {
                    ItemKind::Main => "main".to_owned(),
                    _ => item.name(&self.db).clone(),
                };
                names.insert(item.as_id(), name);
            }
        }
        let shown = keys.into_iter().map(|key| {
            let query = self.db.ingredient_debug_name(key.ingredient_index());
            match names.get(&key.key_index()) {
                Some(name) => format!("{query} {name}"),
                None => query.into_owned(),
            }
        });
        shown.collect()
    }

    #[track_caller]
    fn check(&mut self, expected: &Expect) {
        let lines: Vec<_> = self.ran().into_iter().map(|it| format!("{it}\n")).collect();
        expected.assert_eq(&lines.concat());
    }
}

#[test]
fn unchanged_inputs_run_no_queries() {
    IncrementalFixture::new().check(&expect![[""]]);
}

#[test]
fn an_edit_in_a_body() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "$inner = 1", "$inner = 12345");
    fixture.check(&expect![[r#"
        body m::inner
        class_problems
        file_usage_index manifests/init.pp
        infer_item m::inner
        item_findings m::inner
        items manifests/init.pp
        may_conflict
        own_variables m::inner
        parse manifests/init.pp
        uses_in_file manifests/init.pp
    "#]]);
}

#[test]
fn an_edit_in_a_body_whose_variables_others_read() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "  $x = 1", "  notice(5)\n  $x = 12345");
    fixture.check(&expect![[r#"
        body m
        class_problems
        file_usage_index manifests/init.pp
        forgotten_variables m
        infer_item m
        infer_item m::b
        item_findings m
        item_findings m::b
        items manifests/init.pp
        may_conflict
        own_variables m
        parse manifests/init.pp
        uses_in_file manifests/init.pp
        variable_type
    "#]]);
}

/// The readers of a variable are not inferred again if its type stays the same.
#[test]
fn an_edit_in_a_body_whose_variables_stay_the_same() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "  $x = 1", "  notice(5)\n  $x = 3 - 2");
    fixture.check(&expect![[r#"
        body m
        class_problems
        file_usage_index manifests/init.pp
        forgotten_variables m
        infer_item m
        item_findings m
        items manifests/init.pp
        may_conflict
        own_variables m
        parse manifests/init.pp
        uses_in_file manifests/init.pp
        variable_type
    "#]]);
}

/// The callers of a function are not inferred again if its result type stays the same.
#[test]
fn an_edit_in_a_function_whose_result_stays_the_same() {
    let mut fixture = IncrementalFixture::new();
    let function = |body: &str| format!("function m::f(Integer $i) {{\n{body}\n}}\n");
    fixture.add("functions/f.pp", &function("  $i + 1"));
    fixture.add("manifests/e.pp", "class m::e {\n  notice(m::f(2))\n}\n");
    fixture.lay_out();
    fixture.ran();
    fixture.edit("functions/f.pp", &function("  notice($i)\n  1 + $i"));
    fixture.check(&expect![[r#"
        body m::f
        class_problems
        environment_usage_index
        file_usage_index functions/f.pp
        infer_item m::f
        is_read_by_full_name
        item_findings m::f
        items functions/f.pp
        may_conflict
        module_usage_index
        own_variables m::f
        parse functions/f.pp
        result_type m::f
        unconditional_uses m::f
    "#]]);
    fixture.edit("functions/f.pp", &function("  \"${i}\""));
    fixture.check(&expect![[r#"
        body m::f
        class_problems
        environment_usage_index
        file_usage_index functions/f.pp
        infer_item m::e
        infer_item m::f
        is_read_by_full_name
        item_findings m::e
        item_findings m::f
        items functions/f.pp
        may_conflict
        module_usage_index
        own_variables m::f
        parse functions/f.pp
        result_type m::f
        unconditional_uses m::f
    "#]]);
}

#[test]
fn removing_a_variable_that_others_read() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "$x = 1", "$other = 1");
    fixture.check(&expect![[r#"
        body m
        class_problems
        file_usage_index manifests/init.pp
        forgotten_variables m
        infer_item m
        infer_item m::b
        is_inherited
        is_read_by_full_name
        is_word_of_templates
        item_findings m
        item_findings m::b
        items manifests/init.pp
        may_conflict
        own_variables m
        parse manifests/init.pp
        uses_in_file manifests/init.pp
        variable_type
    "#]]);
}

#[test]
fn a_new_parameter() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/d.pp", "$size)", "$size, Integer $more)");
    fixture.check(&expect![[r#"
        body m::d
        class_problems
        declared_parameters m::d
        default_owners
        default_reach
        defined_type_problems
        file_usage_index manifests/d.pp
        infer_item m::b
        infer_item m::d
        item_findings m
        item_findings m::b
        item_findings m::d
        items manifests/d.pp
        may_conflict
        overriders
        own_variables m::d
        parse manifests/d.pp
        problems_with_any_parameters
        signature m::d
        unconditional_uses m::d
        uses_in_file manifests/d.pp
    "#]]);
}

#[test]
fn a_comment_above() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "# About m.", "# All about m.");
    fixture.check(&expect![[r#"
        class_problems
        items manifests/init.pp
        parse manifests/init.pp
    "#]]);
}

#[test]
fn text_before_items() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/init.pp", "# About m.", "\n\n\n# About m.");
    fixture.check(&expect![[r#"
        class_problems
        items manifests/init.pp
        parse manifests/init.pp
    "#]]);
}

#[test]
fn an_item_before_others() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace(
        "manifests/init.pp",
        "# About m.",
        "class m::new { }\n# About m.",
    );
    fixture.check(&expect![[r#"
        all_definitions
        body m::new
        class_problems
        definitions_of
        file_usage_index manifests/init.pp
        find_item
        infer_item m::new
        item_findings m::new
        items manifests/init.pp
        may_conflict
        module_definitions
        module_file
        node_findings m::new
        own_variables m::new
        parse manifests/init.pp
        signature m::new
        unconditional_uses m::new
        uses_in_file manifests/init.pp
    "#]]);
}

#[test]
fn a_new_file() {
    let mut fixture = IncrementalFixture::new();
    fixture.add("manifests/e.pp", "class m::e { }\n");
    fixture.lay_out();
    fixture.check(&expect![[r#"
        all_definitions
        body m::e
        class_problems
        definitions_of
        file_usage_index manifests/e.pp
        find_item
        hiera_config
        infer_item m::e
        item_findings m
        item_findings m::b
        item_findings m::c
        item_findings m::d
        item_findings m::e
        item_findings m::inner
        items manifests/e.pp
        may_conflict
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        node_findings m::e
        own_variables m::e
        parse manifests/e.pp
        ruby_files
        signature m::e
        unconditional_uses m::e
        uses_in_file manifests/e.pp
        uses_in_module
    "#]]);
}

#[test]
fn a_file_is_deleted() {
    let mut fixture = IncrementalFixture::new();
    fixture.remove("manifests/c.pp");
    fixture.check(&expect![[r#"
        all_definitions
        definitions_of
        hiera_config
        item_findings m
        item_findings m::b
        item_findings m::d
        item_findings m::inner
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        ruby_files
        uses_in_module
    "#]]);
}

#[test]
fn a_file_is_renamed() {
    let mut fixture = IncrementalFixture::new();
    fixture.remove("manifests/d.pp");
    fixture.add("manifests/renamed.pp", FILES[3].1);
    fixture.lay_out();
    fixture.check(&expect![[r#"
        all_definitions
        body m::d
        class_problems
        defined_type_problems
        definitions_of
        file_usage_index manifests/renamed.pp
        find_item
        hiera_config
        infer_item m::b
        infer_item m::d
        item_findings m
        item_findings m::b
        item_findings m::c
        item_findings m::d
        item_findings m::inner
        items manifests/renamed.pp
        may_conflict
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        node_findings m::d
        own_variables m::d
        parse manifests/renamed.pp
        ruby_files
        signature m::d
        unconditional_uses m::d
        uses_in_file manifests/renamed.pp
        uses_in_module
    "#]]);
}

#[test]
fn a_function_in_ruby() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace("lib/puppet/functions/m_ruby.rb", "'Integer'", "'String'");
    fixture.check(&expect![[r#"
        class_problems
        infer_item m::b
        item_findings m
        item_findings m::b
        ruby_functions lib/puppet/functions/m_ruby.rb
        ruby_signatures
    "#]]);
}

#[test]
fn a_comment_in_ruby() {
    let mut fixture = IncrementalFixture::new();
    fixture.replace(
        "lib/puppet/functions/m_ruby.rb",
        "\nend\n",
        "\nend\n# the end\n",
    );
    fixture.check(&expect![[r#"
        ruby_function lib/puppet/functions/m_ruby.rb
        ruby_functions lib/puppet/functions/m_ruby.rb
    "#]]);
}

#[test]
fn an_edit_of_the_metadata() {
    let mut fixture = IncrementalFixture::new();
    fixture.dependencies = vec!["stdlib".to_owned()];
    fixture.lay_out();
    fixture.check(&expect![[r#"
        dependencies_of
        infer_item m::b
        item_findings m
        item_findings m::b
        item_findings m::c
        item_findings m::d
        item_findings m::inner
    "#]]);
}

/// Checking whether a type is applicable to a parameter infers the item with that type.
#[test]
fn an_offered_type_is_tried_once() {
    let mut fixture = IncrementalFixture::new();
    let code = |inner: &str| {
        format!("class m::t ($port = 80) {{\n  notice($port)\n}}\nclass m::u {{\n  {inner}\n}}\n")
    };
    fixture.add("manifests/t.pp", &code("notice(1)"));
    fixture.lay_out();
    let tried = |fixture: &IncrementalFixture| {
        fixture.log.take();
        let file = fixture.files["manifests/t.pp"];
        let file = fixture.db.file(file).expect("it was named");
        let cursor = TextRange::empty(TextSize::new(15));
        let offered = crate::assists(&fixture.db, file, cursor);
        assert!(offered.iter().any(|it| it.id == "add-type"), "{offered:?}");
        let name = |it: DatabaseKeyIndex| fixture.db.ingredient_debug_name(it.ingredient_index());
        let ran = fixture.log.take().into_iter();
        ran.filter(|it| name(*it) == "infers_without_new_problems")
            .count()
    };
    assert_eq!(tried(&fixture), 1);
    assert_eq!(tried(&fixture), 0);
    fixture.edit("manifests/t.pp", &code("notice(2, 3)"));
    assert_eq!(tried(&fixture), 0);
    fixture.edit("manifests/t.pp", &code("notice(2)").replace("80", "81"));
    assert_eq!(tried(&fixture), 1);
}

/// The rules about unused code read all files, but an edit only rescans its file.
#[test]
fn an_edit_with_all_rules_on() {
    let indexes = |fixture: &mut IncrementalFixture| {
        let ran = fixture.ran().into_iter();
        let is_index = |it: &String| {
            it.contains("_uses") || it.contains("containment") || it.contains("unused")
        };
        ran.filter(is_index).collect::<Vec<_>>()
    };
    let mut fixture = IncrementalFixture::new();
    fixture.replace("manifests/c.pp", "$y = 2", "$y = 3");
    assert_eq!(indexes(&mut fixture), [""; 0]);
    fixture.disabled_rules.clear();
    fixture.lay_out();
    fixture.ran();
    fixture.replace("manifests/c.pp", "$y = 2", "$y = 4");
    assert_eq!(
        indexes(&mut fixture),
        ["code_uses", "file_containment manifests/c.pp"]
    );
}

#[test]
fn primed_data_is_not_indexed_again() {
    let mut fixture = IncrementalFixture::new();
    fixture.add("hiera.yaml", "version: 5\n");
    fixture.add("data/common.yaml", "m::port: 81\n");
    fixture.lay_out();
    let indexes = |fixture: &IncrementalFixture| {
        let name = |it: DatabaseKeyIndex| fixture.db.ingredient_debug_name(it.ingredient_index());
        let ran = fixture.log.take().into_iter().map(name);
        let is_index = |it: &str| matches!(it, "files_by_word" | "layer_keys" | "mentions");
        ran.filter(|it| is_index(it)).count()
    };
    fixture.log.take();
    crate::data_files::prime_data(&fixture.db, fixture.db.environments());
    assert_eq!(indexes(&fixture), 3);
    let data = fixture.db.file(fixture.files["data/common.yaml"]);
    let data = data.expect("it was added");
    assert!(crate::hover(&fixture.db, data, TextSize::new(3)).is_some());
    assert_eq!(indexes(&fixture), 0);
}

#[test]
fn primed_completions_count_no_other_files() {
    let fixture = IncrementalFixture::new();
    let counts = || {
        let name = |it: DatabaseKeyIndex| fixture.db.ingredient_debug_name(it.ingredient_index());
        let ran = fixture.log.take().into_iter().map(name);
        let is_sum = |it: &str| it.starts_with("words_in_") || it.starts_with("usage_in_");
        ran.filter(|it| is_sum(it)).count()
    };
    let file = fixture.db.file(fixture.files["manifests/c.pp"]);
    let file = file.expect("the file exists");
    counts();
    crate::prime_completions(&fixture.db, file);
    assert_eq!(counts(), 4);
    assert!(
        !crate::completions(&fixture.db, file, TextSize::new(13))
            .items
            .is_empty()
    );
    assert_eq!(counts(), 0);
}
