//! Finds the declarations of built-in names in the stubs, so that editors can open them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use syntax::ast::{
    AccessExpr, AstNode, Expr, HasName, HasParameters, HashExpr, Parameter, SourceFile, TypeAlias,
};
use syntax::{Dialect, SyntaxNode, TextRange};

use super::bolt_types::member_entries;
use super::sources::{self, Source};
use super::stub;

/// A built-in name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltInName<'a> {
    /// A function.
    Function(&'a str),
    /// A resource type.
    ResourceType(&'a str),
    /// An attribute of a resource type.
    Attribute(&'a str, &'a str),
    /// A metaparameter.
    Metaparameter(&'a str),
    /// A data type.
    DataType(&'a str),
    /// A member of the objects of a data type of Bolt.
    BoltMember(&'a str, &'a str),
    /// A variable, including those of `settings`, without a dollar sign.
    Variable(&'a str),
    /// A fact, or a part of a structured fact, by its path.
    Fact(&'a [&'a str]),
}

/// The location of a declaration in a stub.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StubLocation {
    /// The stub.
    pub source: &'static Source,
    /// The range of the declaration, without its comment.
    pub range: TextRange,
    /// The range of the name.
    pub name_range: TextRange,
}

/// Finds the declaration of a name. Of an overloaded function, returns the first one.
pub fn declaration(name: BuiltInName<'_>) -> Option<StubLocation> {
    static ALL: LazyLock<Declarations> = LazyLock::new(Declarations::new);
    ALL.get(name)
}

/// The declarations of all stubs by name. Names of definitions are in lower case.
#[derive(Default)]
struct Declarations {
    functions: FxHashMap<String, StubLocation>,
    resource_types: FxHashMap<String, StubLocation>,
    /// The attributes by resource type and name.
    attributes: FxHashMap<(String, String), StubLocation>,
    metaparameters: FxHashMap<String, StubLocation>,
    data_types: FxHashMap<String, StubLocation>,
    /// The members of the data types of Bolt by type and name.
    bolt_members: FxHashMap<(String, String), StubLocation>,
    variables: FxHashMap<String, StubLocation>,
    settings: FxHashMap<String, StubLocation>,
    /// The facts by path.
    facts: FxHashMap<Vec<String>, StubLocation>,
}

impl Declarations {
    fn new() -> Declarations {
        let mut all = Declarations::default();
        let functions = statements(sources::FUNCTIONS);
        for (source, it) in functions.chain(statements(sources::BOLT_FUNCTIONS)) {
            if let Expr::FunctionDefinition(it) = it {
                add_definition(&mut all.functions, source, &it);
            }
        }
        for (source, it) in statements(sources::RESOURCE_TYPES) {
            if let Expr::DefineDefinition(it) = it {
                let name = add_definition(&mut all.resource_types, source, &it).unwrap_or_default();
                for (attribute, location) in parameters(source, &it.parameters()) {
                    let key = (name.clone(), attribute);
                    all.attributes.entry(key).or_insert(location);
                }
            }
        }
        for (source, it) in statements(sources::DATA_TYPES) {
            if let Expr::TypeAlias(it) = it {
                add_definition(&mut all.data_types, source, &it);
            }
        }
        for (source, it) in statements(sources::BOLT_TYPES) {
            if let Expr::TypeAlias(it) = it {
                let name = add_definition(&mut all.data_types, source, &it).unwrap_or_default();
                all.add_bolt_members(source, &name, &it);
            }
        }
        all.metaparameters = all_parameters(sources::METAPARAMETERS);
        all.variables = all_parameters(sources::VARIABLES);
        all.settings = all_parameters(sources::SETTINGS);
        for (source, it) in statements(sources::FACTS).chain(statements(sources::LEGACY_FACTS)) {
            let Expr::TypeAlias(alias) = it else { continue };
            let name = alias.name().map(|it| it.text());
            let is_table = matches!(name.as_deref(), Some("Facts" | "LegacyFacts"));
            if let Some(type_) = alias.type_expr().filter(|_| is_table) {
                all.add_facts(source, &type_, &mut Vec::new());
            }
        }
        all
    }

    fn get(&self, name: BuiltInName<'_>) -> Option<StubLocation> {
        let found = match name {
            BuiltInName::Function(name) => self.functions.get(&name.to_ascii_lowercase()),
            BuiltInName::ResourceType(name) => self.resource_types.get(&name.to_ascii_lowercase()),
            BuiltInName::Attribute(type_, name) => {
                let key = (type_.to_ascii_lowercase(), name.to_owned());
                self.attributes.get(&key)
            }
            BuiltInName::Metaparameter(name) => self.metaparameters.get(name),
            BuiltInName::DataType(name) => self.data_types.get(&name.to_ascii_lowercase()),
            BuiltInName::BoltMember(type_, name) => {
                let key = (type_.to_ascii_lowercase(), name.to_owned());
                self.bolt_members.get(&key)
            }
            BuiltInName::Variable(name) => match name.strip_prefix("settings::") {
                Some(name) => self.settings.get(name),
                None => self.variables.get(name),
            },
            BuiltInName::Fact(path) => self.fact(path),
        };
        found.copied()
    }

    /// Finds a fact, or the deepest part of it that is declared.
    fn fact(&self, path: &[&str]) -> Option<&StubLocation> {
        let mut prefix = Vec::new();
        let parts = path.iter().map_while(|key| {
            prefix.push((*key).to_owned());
            self.facts.get(&prefix)
        });
        parts.last()
    }

    fn add_bolt_members(&mut self, source: &'static Source, type_: &str, alias: &TypeAlias) {
        for entry in member_entries(alias) {
            if let Some(key) = entry.key()
                && let Some(name) = key_text(&key)
            {
                let location = location(source, entry.syntax(), key.syntax());
                self.bolt_members.insert((type_.to_owned(), name), location);
            }
        }
    }

    /// Adds the entries of the outermost `Struct` of a type, which may be the value of a `Hash`.
    fn add_facts(&mut self, source: &'static Source, type_: &Expr, path: &mut Vec<String>) {
        let mut hashes = type_.syntax().descendants().filter_map(HashExpr::cast);
        let first = hashes.next();
        for entry in first.iter().flat_map(HashExpr::entries) {
            let Some((key, name)) = entry.key().and_then(|it| Some((key_text(&it)?, it))) else {
                continue;
            };
            path.push(key);
            let location = location(source, entry.syntax(), name.syntax());
            self.facts.entry(path.clone()).or_insert(location);
            if let Some(value) = entry.value() {
                self.add_facts(source, &value, path);
            }
            path.pop();
        }
    }
}

/// Iterates over the statements of stubs.
fn statements(stubs: &'static [Source]) -> impl Iterator<Item = (&'static Source, Expr)> {
    stubs.iter().flat_map(|source| {
        let tree: SourceFile = syntax::parse(source.text, Dialect::default()).tree();
        let all: Vec<Expr> = tree.statements().collect();
        all.into_iter().map(move |it| (source, it))
    })
}

/// Adds a definition, unless its name is known. Returns the name.
fn add_definition(
    to: &mut FxHashMap<String, StubLocation>,
    source: &'static Source,
    definition: &impl HasName,
) -> Option<String> {
    let found = definition.name()?;
    let name = stub::name(&found.text()).to_ascii_lowercase();
    let location = location(source, definition.syntax(), found.syntax());
    to.entry(name.clone()).or_insert(location);
    Some(name)
}

/// Returns the parameters of all definitions in stubs.
fn all_parameters(stubs: &'static [Source]) -> FxHashMap<String, StubLocation> {
    let mut found = FxHashMap::default();
    for (source, statement) in statements(stubs) {
        let all = match statement {
            Expr::ClassDefinition(it) => it.parameters(),
            Expr::DefineDefinition(it) => it.parameters(),
            Expr::FunctionDefinition(it) => it.parameters(),
            _ => continue,
        };
        for (name, location) in parameters(source, &all) {
            found.entry(name).or_insert(location);
        }
    }
    found
}

fn parameters(
    source: &'static Source,
    all: &[Parameter],
) -> impl Iterator<Item = (String, StubLocation)> {
    all.iter().filter_map(move |it| {
        let location = StubLocation {
            source,
            range: it.syntax().text_range(),
            name_range: it.variable()?.text_range(),
        };
        Some((stub::name(&it.name()?), location))
    })
}

fn location(source: &'static Source, declaration: &SyntaxNode, name: &SyntaxNode) -> StubLocation {
    StubLocation {
        source,
        range: declaration.text_range(),
        name_range: name.text_range(),
    }
}

/// Returns the name of a key: `'a'` or `Optional['a']`.
fn key_text(key: &Expr) -> Option<String> {
    match key {
        Expr::AccessExpr(it) => stub::string(AccessExpr::keys(it).first()?),
        key => stub::string(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(wanted: BuiltInName<'_>) -> Option<(&'static str, &'static str)> {
        let found = declaration(wanted)?;
        Some((found.source.name, &found.source.text[found.name_range]))
    }

    #[test]
    fn finds_declarations_of_every_kind() {
        use BuiltInName::*;
        let expected = [
            (Function("split"), "functions/strings.pp", "split"),
            (Function("type"), "functions/conversion.pp", "type_"),
            (ResourceType("file"), "types/file.pp", "file"),
            (Attribute("file", "mode"), "types/file.pp", "$mode"),
            (Metaparameter("require"), "metaparameters.pp", "$require"),
            (DataType("Integer"), "data_types.pp", "Integer"),
            (Function("run_task"), "bolt_functions.pp", "run_task"),
            (DataType("ResultSet"), "bolt_types.pp", "ResultSet"),
            (
                BoltMember("resultset", "ok_set"),
                "bolt_types.pp",
                "'ok_set'",
            ),
            (Variable("trusted"), "variables.pp", "$trusted"),
            (Variable("settings::confdir"), "settings.pp", "$confdir"),
            (Fact(&["os"]), "facts/system.pp", "'os'"),
            (Fact(&["os", "family"]), "facts/system.pp", "'family'"),
            (Fact(&["osfamily"]), "legacy_facts.pp", "'osfamily'"),
        ];
        for (wanted, file, text) in expected {
            assert_eq!(name(wanted), Some((file, text)), "{wanted:?}");
        }
        assert_eq!(name(Function("no_such_function")), None);
        assert_eq!(name(Fact(&[])), None);
    }

    #[test]
    fn every_built_in_name_has_a_declaration() {
        let version = syntax::validation::PuppetVersion::V8;
        let functions = crate::functions(version).map(|it| BuiltInName::Function(&it.name));
        let types = crate::resource_types(version).map(|it| BuiltInName::ResourceType(&it.name));
        let variables = crate::variables().map(|it| BuiltInName::Variable(&it.name));
        let data_types = crate::data_types().map(|it| BuiltInName::DataType(&it.name));
        let missing: Vec<_> = functions
            .chain(types)
            .chain(variables)
            .chain(data_types)
            .filter(|it| declaration(*it).is_none())
            .collect();
        assert_eq!(missing, []);
        for fact in crate::facts() {
            assert!(
                declaration(BuiltInName::Fact(&[&fact.name])).is_some(),
                "{}",
                fact.name
            );
        }
    }
}
