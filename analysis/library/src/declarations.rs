//! Finds the declarations of built-in names in the stubs, so that editors can open them.

use syntax::ast::{
    AccessExpr, AstNode, Expr, HasName, HasParameters, HashEntry, HashExpr, Parameter, SourceFile,
};
use syntax::{Dialect, TextRange};

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
    match name {
        BuiltInName::Function(name) => find(sources::FUNCTIONS, |it| match it {
            Expr::FunctionDefinition(it) => named(it, name),
            _ => None,
        }),
        BuiltInName::ResourceType(name) => find(stub_of_type(name)?, |it| match it {
            Expr::DefineDefinition(it) => named(it, name),
            _ => None,
        }),
        BuiltInName::Attribute(type_, name) => find(stub_of_type(type_)?, |it| match it {
            Expr::DefineDefinition(it) => parameter(&it.parameters(), name),
            _ => None,
        }),
        BuiltInName::Metaparameter(name) => find(sources::METAPARAMETERS, |it| match it {
            Expr::DefineDefinition(it) => parameter(&it.parameters(), name),
            _ => None,
        }),
        BuiltInName::DataType(name) => find(sources::DATA_TYPES, |it| match it {
            Expr::TypeAlias(it) => named(it, name),
            _ => None,
        }),
        BuiltInName::Variable(name) => match name.strip_prefix("settings::") {
            Some(name) => find(sources::SETTINGS, |it| match it {
                Expr::ClassDefinition(it) => parameter(&it.parameters(), name),
                _ => None,
            }),
            None => find(sources::VARIABLES, |it| match it {
                Expr::FunctionDefinition(it) => parameter(&it.parameters(), name),
                _ => None,
            }),
        },
        BuiltInName::Fact(path) => {
            let found = find(sources::FACTS, |it| fact(it, "Facts", path));
            found.or_else(|| find(sources::LEGACY_FACTS, |it| fact(it, "LegacyFacts", path)))
        }
    }
}

/// The range of a declaration and of its name.
type Ranges = (TextRange, TextRange);

fn find(
    stubs: &'static [Source],
    select: impl Fn(&Expr) -> Option<Ranges>,
) -> Option<StubLocation> {
    stubs.iter().find_map(|source| {
        let tree: SourceFile = syntax::parse(source.text, Dialect::default()).tree();
        let (range, name_range) = tree.statements().find_map(|it| select(&it))?;
        Some(StubLocation {
            source,
            range,
            name_range,
        })
    })
}

fn stub_of_type(name: &str) -> Option<&'static [Source]> {
    let wanted = format!("types/{}.pp", name.to_ascii_lowercase());
    let mut all = sources::RESOURCE_TYPES.iter();
    let at = all.position(|it| it.name == wanted)?;
    sources::RESOURCE_TYPES.get(at..=at)
}

fn named(definition: &impl HasName, name: &str) -> Option<Ranges> {
    let found = definition.name()?;
    let is_it = stub::name(&found.text()).eq_ignore_ascii_case(name);
    is_it.then(|| {
        (
            definition.syntax().text_range(),
            found.syntax().text_range(),
        )
    })
}

fn parameter(parameters: &[Parameter], name: &str) -> Option<Ranges> {
    let is_it = |it: &&Parameter| it.name().is_some_and(|it| stub::name(&it) == name);
    let found = parameters.iter().find(is_it)?;
    Some((found.syntax().text_range(), found.variable()?.text_range()))
}

/// Finds the entry of a fact, or the deepest part of it that is declared.
fn fact(statement: &Expr, alias: &str, path: &[&str]) -> Option<Ranges> {
    let Expr::TypeAlias(found) = statement else {
        return None;
    };
    if found.name()?.text() != alias {
        return None;
    }
    let (first, rest) = path.split_first()?;
    let mut found = entry(&found.type_expr()?, first)?;
    for key in rest {
        match found.value().and_then(|it| entry(&it, key)) {
            Some(deeper) => found = deeper,
            None => break,
        }
    }
    Some((
        found.syntax().text_range(),
        found.key()?.syntax().text_range(),
    ))
}

/// Finds the entry of a key in the outermost `Struct` of a type, which may be the value of a `Hash`.
fn entry(type_: &Expr, key: &str) -> Option<HashEntry> {
    let hashes = type_.syntax().descendants().filter_map(HashExpr::cast);
    let first = hashes.into_iter().next()?;
    let is_it = |it: &HashEntry| {
        it.key()
            .is_some_and(|it| key_text(&it).as_deref() == Some(key))
    };
    first.entries().find(is_it)
}

/// The name of a key: `'a'` or `Optional['a']`.
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
