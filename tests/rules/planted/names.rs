//! The names in Debian's modules, found by paths and words, independently of the code under test.

use std::collections::{BTreeMap, BTreeSet};

use analysis::library;
use pupil_tests::workspace::TestModule;
use syntax::Dialect;
use syntax::ast::{AstNode, Definition, HasParameters};
use syntax::validation::PuppetVersion;

/// The known names.
pub(super) struct Names {
    texts: BTreeMap<String, String>,
    words: BTreeSet<String>,
    modules: BTreeSet<String>,
    /// Pairs of module and path.
    files: BTreeSet<(String, String)>,
    /// The required parameters of classes and defined types.
    required: BTreeMap<String, Vec<String>>,
    /// The files of defined types.
    defined_in: BTreeMap<String, String>,
    ruby_types: BTreeSet<String>,
    pub(super) functions_4x: BTreeSet<String>,
    pub(super) functions_3x: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(modules: &[TestModule]) -> Names {
        let mut names = Names {
            texts: BTreeMap::new(),
            words: BTreeSet::new(),
            modules: BTreeSet::new(),
            files: BTreeSet::new(),
            required: BTreeMap::new(),
            defined_in: BTreeMap::new(),
            ruby_types: BTreeSet::new(),
            functions_4x: BTreeSet::new(),
            functions_3x: BTreeSet::new(),
        };
        let version = PuppetVersion::default();
        let shipped = library::functions(version).map(|it| it.name.clone());
        names.words.extend(shipped);
        for type_ in library::resource_types(version) {
            names.words.insert(type_.name.clone());
            let attributes = type_.attributes.iter().map(|it| it.name.clone());
            names.words.extend(attributes);
        }
        let facts = library::facts().chain(library::legacy_facts());
        names.words.extend(facts.map(|it| it.name.clone()));
        for module in modules {
            names.modules.insert(module.name.clone());
            for (path, text) in &module.files {
                names.file(module, path, text.as_deref());
            }
        }
        names
    }

    fn file(&mut self, module: &TestModule, path: &str, text: Option<&str>) {
        self.files.insert((module.name.clone(), path.to_owned()));
        let stem = |folder: &str| {
            let name = path.strip_prefix(folder)?.strip_suffix(".rb")?;
            (!name.contains('/')).then(|| name.to_owned())
        };
        self.ruby_types.extend(stem("lib/puppet/type/"));
        self.functions_4x.extend(stem("lib/puppet/functions/"));
        self.functions_3x
            .extend(stem("lib/puppet/parser/functions/"));
        let Some(text) = text else { return };
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        self.words.extend(words.map(str::to_ascii_lowercase));
        if path.starts_with("manifests/") {
            let tree = syntax::parse(text, Dialect::default()).syntax();
            for definition in tree.children().filter_map(Definition::cast) {
                self.definition(&definition);
            }
        }
        let full = format!("{}/{path}", module.folder);
        let name = path
            .strip_prefix("manifests/")
            .and_then(|it| it.strip_suffix(".pp"));
        if let Some(name) = name {
            let name = format!("{}::{}", module.name, name.replace('/', "::"));
            self.defined_in.insert(name, full.clone());
        }
        self.texts.insert(full, text.to_owned());
    }

    fn definition(&mut self, definition: &Definition) {
        let parameters: Vec<_> = match definition {
            Definition::DefineDefinition(it) => it.parameters(),
            _ => return,
        };
        let name = definition.name().map(|it| it.text()).unwrap_or_default();
        let required = parameters.iter().filter(|it| it.default().is_none());
        let required = required.filter_map(syntax::ast::Parameter::name).collect();
        let name = name.trim_start_matches("::").to_owned();
        self.required.insert(name, required);
    }

    /// Returns the source of a file by its folder and path.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Returns the source of the file that contains a defined type.
    pub(super) fn definition_of(&self, name: &str) -> Option<&str> {
        let path = self.defined_in.get(name.trim_start_matches("::"))?;
        self.text(path)
    }

    /// Checks whether a word occurs nowhere.
    pub(super) fn is_unused(&self, word: &str) -> bool {
        let mut parts = word.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let last = parts.next_back().unwrap_or_default();
        !self.words.contains(&last.to_ascii_lowercase())
    }

    /// Checks whether a class or defined type has a file of its own.
    pub(super) fn has_manifest(&self, name: &str) -> bool {
        let name = name.trim_start_matches("::").to_ascii_lowercase();
        self.has(&name, "manifests", "::", ".pp")
    }

    /// Checks whether a type alias has a file of its own.
    pub(super) fn has_alias(&self, name: &str) -> bool {
        self.has(&name.to_ascii_lowercase(), "types", "::", ".pp")
    }

    /// Checks whether a function in the Puppet language has a file of its own.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.has(name, "functions", "::", ".pp")
    }

    /// Checks whether a path such as `module/file` exists.
    pub(super) fn has_path(&self, path: &str, folder: &str) -> bool {
        self.has(path, folder, "/", "")
    }

    fn has(&self, name: &str, folder: &str, separator: &str, end: &str) -> bool {
        let Some((module, rest)) = name.split_once(separator) else {
            return false;
        };
        let path = format!("{folder}/{}{end}", rest.replace("::", "/"));
        self.files.contains(&(module.to_owned(), path))
    }

    pub(super) fn has_ruby_type(&self, name: &str) -> bool {
        self.ruby_types.contains(name)
    }

    pub(super) fn is_required(&self, define: &str, parameter: &str) -> bool {
        let define = define.trim_start_matches("::");
        let required = self.required.get(define);
        required.is_some_and(|it| it.iter().any(|it| it == parameter))
    }

    /// Returns another module.
    pub(super) fn other_module(&self, than: &str, number: usize) -> Option<&str> {
        let others = self.modules.iter().filter(|it| *it != than);
        let others: Vec<_> = others.collect();
        others
            .get(number % others.len().max(1))
            .map(|it| it.as_str())
    }
}
