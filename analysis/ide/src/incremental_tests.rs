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

use crate::fixture::{Log, watched};
use base::db::RootDatabase;
use base::{Environment, FileId, FileSpec, Module, ModuleOrigin, WorkspaceLayout};
use hir::{ItemKind, items};

/// A module `m` with the log of its queries.
struct World {
    db: RootDatabase,
    log: Log,
    /// The files by path.
    files: BTreeMap<&'static str, FileId>,
    next: u32,
    dependencies: Vec<String>,
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

impl World {
    fn new() -> World {
        let (db, log) = watched();
        let mut world = World {
            db,
            log,
            files: BTreeMap::new(),
            next: 0,
            dependencies: Vec::new(),
        };
        for (path, text) in FILES {
            world.add(path, text);
        }
        world.lay_out();
        world.ran();
        world
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
        let module = Module {
            name: "m".to_owned(),
            folder: "m".to_owned(),
            files: files.collect(),
            origin: ModuleOrigin::Workspace,
            dependencies: self.dependencies.clone(),
        };
        let environment = Environment {
            name: "e".to_owned(),
            modules: vec![Arc::new(module)],
            complete: true,
            ..Environment::default()
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
    World::new().check(&expect![[""]]);
}

#[test]
fn an_edit_in_a_body() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "$inner = 1", "$inner = 12345");
    world.check(&expect![[r#"
        body m::inner
        file_usage_index manifests/init.pp
        infer m::inner
        item_findings m::inner
        items manifests/init.pp
        parse manifests/init.pp
        variables m::inner
    "#]]);
}

#[test]
fn an_edit_in_a_body_whose_variables_others_read() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "  $x = 1", "  notice(5)\n  $x = 12345");
    world.check(&expect![[r#"
        body m
        file_usage_index manifests/init.pp
        infer m
        infer m::b
        item_findings m
        item_findings m::b
        items manifests/init.pp
        parse manifests/init.pp
        variable_type
        variables m
    "#]]);
}

/// The readers of a variable are not inferred again if its type stays the same.
#[test]
fn an_edit_in_a_body_whose_variables_stay_the_same() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "  $x = 1", "  notice(5)\n  $x = 3 - 2");
    world.check(&expect![[r#"
        body m
        file_usage_index manifests/init.pp
        infer m
        item_findings m
        items manifests/init.pp
        parse manifests/init.pp
        variable_type
        variables m
    "#]]);
}

/// The callers of a function are not inferred again if its result type stays the same.
#[test]
fn an_edit_in_a_function_whose_result_stays_the_same() {
    let mut world = World::new();
    let function = |body: &str| format!("function m::f(Integer $i) {{\n{body}\n}}\n");
    world.add("functions/f.pp", &function("  $i + 1"));
    world.add("manifests/e.pp", "class m::e {\n  notice(m::f(2))\n}\n");
    world.lay_out();
    world.ran();
    world.edit("functions/f.pp", &function("  notice($i)\n  1 + $i"));
    world.check(&expect![[r#"
        body m::f
        file_usage_index functions/f.pp
        infer m::f
        item_findings m::f
        items functions/f.pp
        parse functions/f.pp
        result_type m::f
        variables m::f
    "#]]);
    world.edit("functions/f.pp", &function("  \"${i}\""));
    world.check(&expect![[r#"
        body m::f
        file_usage_index functions/f.pp
        infer m::e
        infer m::f
        item_findings m::e
        item_findings m::f
        items functions/f.pp
        parse functions/f.pp
        result_type m::f
        variables m::f
    "#]]);
}

#[test]
fn removing_a_variable_that_others_read() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "$x = 1", "$other = 1");
    world.check(&expect![[r#"
        body m
        file_usage_index manifests/init.pp
        infer m
        infer m::b
        is_inherited
        is_read_by_full_name
        is_word_of_templates
        item_findings m
        item_findings m::b
        items manifests/init.pp
        parse manifests/init.pp
        variable_type
        variables m
    "#]]);
}

#[test]
fn a_new_parameter() {
    let mut world = World::new();
    world.replace("manifests/d.pp", "$size)", "$size, Integer $more)");
    world.check(&expect![[r#"
        attributes_set_elsewhere
        body m::d
        declared_parameters m::d
        file_usage_index manifests/d.pp
        infer m::b
        infer m::d
        item_findings m::b
        item_findings m::d
        items manifests/d.pp
        parse manifests/d.pp
        signature m::d
        variables m::d
    "#]]);
}

#[test]
fn a_comment_above() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "# About m.", "# All about m.");
    world.check(&expect![[r#"
        items manifests/init.pp
        parse manifests/init.pp
    "#]]);
}

#[test]
fn text_before_items() {
    let mut world = World::new();
    world.replace("manifests/init.pp", "# About m.", "\n\n\n# About m.");
    world.check(&expect![[r#"
        items manifests/init.pp
        parse manifests/init.pp
    "#]]);
}

#[test]
fn an_item_before_others() {
    let mut world = World::new();
    world.replace(
        "manifests/init.pp",
        "# About m.",
        "class m::new { }\n# About m.",
    );
    world.check(&expect![[r#"
        all_definitions
        body m::new
        definitions_of
        file_usage_index manifests/init.pp
        find_item
        infer m::new
        item_findings m::new
        items manifests/init.pp
        module_definitions
        parse manifests/init.pp
        signature m::new
        variables m::new
    "#]]);
}

#[test]
fn a_new_file() {
    let mut world = World::new();
    world.add("manifests/e.pp", "class m::e { }\n");
    world.lay_out();
    world.check(&expect![[r#"
        all_definitions
        body m::e
        definitions_of
        file_usage_index manifests/e.pp
        infer m::e
        item_findings m::e
        items manifests/e.pp
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        parse manifests/e.pp
        ruby_files
        signature m::e
        variables m::e
    "#]]);
}

#[test]
fn a_file_is_deleted() {
    let mut world = World::new();
    world.remove("manifests/c.pp");
    world.check(&expect![[r#"
        all_definitions
        definitions_of
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        ruby_files
    "#]]);
}

#[test]
fn a_file_is_renamed() {
    let mut world = World::new();
    world.remove("manifests/d.pp");
    world.add("manifests/renamed.pp", FILES[3].1);
    world.lay_out();
    world.check(&expect![[r#"
        all_definitions
        body m::d
        definitions_of
        file_usage_index manifests/renamed.pp
        find_item
        infer m::b
        infer m::d
        item_findings m::b
        item_findings m::d
        items manifests/renamed.pp
        module_definitions
        module_file
        module_puppet_files
        module_usage_index
        parse manifests/renamed.pp
        ruby_files
        signature m::d
        variables m::d
    "#]]);
}

#[test]
fn a_function_in_ruby() {
    let mut world = World::new();
    world.replace("lib/puppet/functions/m_ruby.rb", "'Integer'", "'String'");
    world.check(&expect![[r#"
        infer m::b
        item_findings m::b
        ruby
        ruby_functions lib/puppet/functions/m_ruby.rb
    "#]]);
}

#[test]
fn a_comment_in_ruby() {
    let mut world = World::new();
    world.replace(
        "lib/puppet/functions/m_ruby.rb",
        "\nend\n",
        "\nend\n# the end\n",
    );
    world.check(&expect![[r#"
        ruby_functions lib/puppet/functions/m_ruby.rb
    "#]]);
}

#[test]
fn an_edit_of_the_metadata() {
    let mut world = World::new();
    world.dependencies = vec!["stdlib".to_owned()];
    world.lay_out();
    world.check(&expect![[""]]);
}

/// Checking whether a type is applicable to a parameter infers the item with that type.
#[test]
fn an_offered_type_is_tried_once() {
    let mut world = World::new();
    let code = |inner: &str| {
        format!("class m::t ($port = 80) {{\n  notice($port)\n}}\nclass m::u {{\n  {inner}\n}}\n")
    };
    world.add("manifests/t.pp", &code("notice(1)"));
    world.lay_out();
    let tried = |world: &World| {
        world.log.take();
        let file = world.files["manifests/t.pp"];
        let file = world.db.file(file).expect("it was named");
        let cursor = TextRange::empty(TextSize::new(15));
        let offered = crate::assists(&world.db, file, cursor);
        assert!(offered.iter().any(|it| it.id == "add-type"), "{offered:?}");
        let name = |it: DatabaseKeyIndex| world.db.ingredient_debug_name(it.ingredient_index());
        let ran = world.log.take().into_iter();
        ran.filter(|it| name(*it) == "fits_typed").count()
    };
    assert_eq!(tried(&world), 1);
    assert_eq!(tried(&world), 0);
    world.edit("manifests/t.pp", &code("notice(2, 3)"));
    assert_eq!(tried(&world), 0);
    world.edit("manifests/t.pp", &code("notice(2)").replace("80", "81"));
    assert_eq!(tried(&world), 1);
}
