//! Go to definition.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::bolt::runnable_name_at;
use super::data_files::{self, FileKind};
use super::fact_path::fact_path_at;
use super::selection_range::token_at;
use super::symbol::{
    ExternalKind, Symbol, SymbolAt, declarations, struct_key_targets, symbol_at,
    symbols_in_template,
};
use super::{NavigationTarget, NavigationTargets};
use base::FileInput;
use hir::autoload::puppet_files;
use hir::body::{Reference, Resource, ResourceForm, Title, body};
use hir::resolve::Definition;
use hir::ruby_symbols::{RubySymbol, ruby_data_types};
use hir::variables::VariableSource;
use hir::{Item, ItemKind, items, signature};
use library::{BuiltInName, StubLocation, declaration};
use syntax::ast::{AstNode, Attribute};

/// Returns the declarations of the symbol at an offset.
pub(crate) fn goto_definition(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<NavigationTargets> {
    match data_files::file_kind(db, file) {
        FileKind::Code => {}
        FileKind::Erb => return in_template(db, file, offset),
        _ => return data_files::goto_definition(db, file, offset),
    }
    if let Some(found) = runnable_name_at(db, file, offset) {
        return Some(NavigationTargets {
            range: found.range,
            targets: declarations(db, None, &found.symbol),
            built_in: None,
        });
    }
    if let Some(found) = data_key(db, file, offset) {
        return Some(found);
    }
    if let Some(found) = struct_key(db, file, offset) {
        return Some(found);
    }
    let found = symbol_at(db, file, offset);
    if let Some(found) = &found {
        let targets = declarations(db, found.item, &found.symbol);
        if !targets.is_empty() {
            return Some(NavigationTargets {
                range: found.range,
                targets,
                built_in: None,
            });
        }
    }
    let (range, location) = built_in(db, file, offset, found.as_ref())?;
    Some(NavigationTargets {
        range,
        targets: Vec::new(),
        built_in: Some(location),
    })
}

/// Returns the declarations of the variable at an offset of an ERB template, in all code that renders it.
fn in_template(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<NavigationTargets> {
    let (range, symbols) = symbols_in_template(db, file, offset)?;
    let targets = symbols.iter().flat_map(|it| declarations(db, None, it));
    let found = NavigationTargets {
        range,
        targets: targets.collect(),
        built_in: symbols.iter().find_map(declaration_of_symbol),
    };
    let is_known = !found.targets.is_empty() || found.built_in.is_some();
    is_known.then_some(found)
}

/// Returns the places in data of a key that code looks up.
fn data_key(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<NavigationTargets> {
    let token = token_at(&base::parse(db, file).syntax(), offset)?;
    let (range, key) = data_files::data_key_at(&token)?;
    let targets = data_files::key_targets(db, file.environment(db)?, &key);
    (!targets.is_empty()).then_some(NavigationTargets {
        range,
        targets,
        built_in: None,
    })
}

/// Returns the places where Structs declare the key at an offset.
fn struct_key(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<NavigationTargets> {
    let token = token_at(&base::parse(db, file).syntax(), offset)?;
    let (range, targets) = struct_key_targets(db, file, &token)?;
    Some(NavigationTargets {
        range,
        targets,
        built_in: None,
    })
}

/// Finds the declaration of a built-in name in the stubs.
fn built_in(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    symbol: Option<&SymbolAt<'_>>,
) -> Option<(TextRange, StubLocation)> {
    let token = token_at(&base::parse(db, file).syntax(), offset)?;
    if let Some((range, path)) = fact_path_at(&token) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        return Some((range, declaration(BuiltInName::Fact(&path))?));
    }
    if let Some(found) = symbol {
        return Some((found.range, declaration_of_symbol(&found.symbol)?));
    }
    let attribute = token.parent().and_then(Attribute::cast)?;
    attribute.name_token().filter(|it| *it == token)?;
    let location = declaration(BuiltInName::Metaparameter(token.text()))?;
    Some((token.text_range(), location))
}

fn declaration_of_symbol(symbol: &Symbol<'_>) -> Option<StubLocation> {
    let name = match symbol {
        Symbol::External {
            kind,
            file: None,
            name,
        } => match kind {
            ExternalKind::Function => BuiltInName::Function(name),
            ExternalKind::ResourceType => BuiltInName::ResourceType(name),
            ExternalKind::DataType => BuiltInName::DataType(name),
            ExternalKind::Fact => return declaration(BuiltInName::Fact(&[name])),
            ExternalKind::Variable => BuiltInName::Variable(name),
            ExternalKind::BoltMember => {
                let (type_, member) = name.split_once('.')?;
                BuiltInName::BoltMember(type_, member)
            }
            ExternalKind::TaskParameter => return None,
        },
        Symbol::Attribute {
            file: None,
            type_,
            name,
        } => BuiltInName::Attribute(type_, name),
        _ => return None,
    };
    declaration(name)
}

/// Returns the reference at an offset; if several overlap, the shortest.
pub(super) fn reference_at<'db>(
    db: &'db dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(Item<'db>, &'db Reference)> {
    let at = items(db, file).iter().flat_map(|item| {
        let here = offset.checked_sub(item.offset(db));
        let references = body(db, *item).references.iter();
        let here = here.into_iter().flat_map(move |here| {
            references
                .clone()
                .filter(move |it| it.range.contains_inclusive(here))
        });
        here.map(|it| (*item, it))
    });
    at.min_by_key(|(_, it)| (it.range.len(), std::cmp::Reverse(it.range.start())))
}

/// Returns the locations of a definition.
pub(super) fn definition_targets(
    db: &dyn Database,
    definition: &Definition<'_>,
) -> Vec<NavigationTarget> {
    let whole = |file: FileInput, range: TextRange| NavigationTarget {
        file: file.id(db),
        range,
        name_range: range,
    };
    match definition {
        Definition::Item(item) => vec![item_target(db, *item)],
        Definition::Variable(source) => variable_targets(db, source),
        Definition::Function(RubySymbol::Module(file, it)) => vec![whole(*file, it.name_range)],
        Definition::ResourceType(RubySymbol::Module(file, it)) => vec![whole(*file, it.name_range)],
        Definition::RubyDataType(file, name) => {
            let mut types = ruby_data_types(db, *file).iter();
            let found = types.find(|it| it.name.eq_ignore_ascii_case(name));
            vec![whole(
                *file,
                found.map_or_else(TextRange::default, |it| it.name_range),
            )]
        }
        Definition::File(file) | Definition::Unreadable(file) => {
            vec![whole(*file, TextRange::default())]
        }
        Definition::Function(RubySymbol::Shipped(_))
        | Definition::ResourceType(RubySymbol::Shipped(_))
        | Definition::DataType(_)
        | Definition::Folder => Vec::new(),
    }
}

pub(super) fn item_target(db: &dyn Database, item: Item<'_>) -> NavigationTarget {
    let tree = TextRange::up_to(item.tree(db).text_len());
    NavigationTarget {
        file: item.file(db).id(db),
        range: item.in_file(db, tree),
        name_range: item.in_file(db, signature(db, item).name_range),
    }
}

fn variable_targets(db: &dyn Database, source: &VariableSource<'_>) -> Vec<NavigationTarget> {
    match source {
        VariableSource::Bindings(item, bindings) => {
            let ranges = bindings.ranges(db, *item);
            let target = |range: &TextRange| NavigationTarget {
                file: item.file(db).id(db),
                range: item.in_file(db, *range),
                name_range: item.in_file(db, *range),
            };
            ranges.iter().map(target).collect()
        }
        VariableSource::CustomFact(file, fact) => vec![NavigationTarget {
            file: file.id(db),
            range: fact.name_range,
            name_range: fact.name_range,
        }],
        VariableSource::BuiltIn(_) | VariableSource::Fact(_) | VariableSource::Match => Vec::new(),
    }
}

/// A declaration of a resource.
pub(super) struct DeclaredTitle<'db> {
    pub(super) item: Item<'db>,
    pub(super) resource: &'db Resource,
    pub(super) title: &'db Title,
}

/// Returns the places of the declarations of a resource.
pub(super) fn title_targets(
    db: &dyn Database,
    item: Item<'_>,
    type_: &str,
    title: &str,
) -> Vec<NavigationTarget> {
    let found = declared_titles(db, item, type_, title).into_iter();
    let targets = found.map(|it| NavigationTarget {
        file: it.item.file(db).id(db),
        range: it.item.in_file(db, it.resource.range),
        name_range: it.item.in_file(db, it.title.range),
    });
    targets.collect()
}

/// Returns the declarations of a resource in the same item, or else in the same module, or else in
/// the environment.
pub(super) fn declared_titles<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    type_: &str,
    title: &str,
) -> Vec<DeclaredTitle<'db>> {
    let here = declared_in(db, item, type_, title);
    if !here.is_empty() {
        return here;
    }
    let Some(environment) = item.file(db).environment(db) else {
        return Vec::new();
    };
    let module = item.file(db).module(db);
    let (ours, others): (Vec<FileInput>, Vec<_>) = puppet_files(db, environment)
        .iter()
        .copied()
        .partition(|it| it.module(db) == module);
    for files in [ours, others] {
        let all = files.iter().flat_map(|it| items(db, *it));
        let found: Vec<_> = all
            .flat_map(|it| declared_in(db, *it, type_, title))
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn declared_in<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    type_: &str,
    title: &str,
) -> Vec<DeclaredTitle<'db>> {
    if item.kind(db) == ItemKind::TypeAlias {
        return Vec::new();
    }
    let resources = body(db, item)
        .resources
        .iter()
        .filter(|it| it.form == ResourceForm::Declaration && it.type_.as_deref() == Some(type_));
    let titles = resources.flat_map(|resource| {
        let same = resource.titles.iter().filter(|it| it.text == title);
        same.map(move |title| DeclaredTitle {
            item,
            resource,
            title,
        })
    });
    titles.collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const MODULE: &str = r"
//- modules/web/manifests/init.pp
class web ($port = 80) inherits web::params {
  include web::service
  web::site { 'main': port => $port }
}
//- modules/web/manifests/params.pp
class web::params {
  $root = '/srv'
}
//- modules/web/manifests/service.pp
class web::service { }
//- modules/web/manifests/site.pp
define web::site ($port) { file { '/srv': } }
//- modules/web/functions/one.pp
function web::one() { 1 }
//- modules/web/types/port.pp
type Web::Port = Integer
//- modules/web/templates/site.epp
<%= 1 %>
//- modules/web/lib/puppet/functions/web/two.rb
Puppet::Functions.create_function(:'web::two') { dispatch(:two) { param 'Any', :x } }
//- modules/web/lib/puppet/type/thing.rb
Puppet::Type.newtype(:thing) { newparam(:name) { isnamevar } }
//- modules/web/lib/facter/color.rb
Facter.add(:color) { setcode { 'red' } }
";

    fn leads_to(code: &str) -> String {
        let fixture = Fixture::new(&format!("{MODULE}//- manifests/site.pp\n{code}"));
        let (file, offset) = fixture.cursor();
        fixture.targets(fixture.analysis().goto_definition(file, offset))
    }

    #[test]
    fn resolves_every_kind_of_name() {
        let cases = [
            ("include we<^>b", "modules/web/manifests/init.pp `web`"),
            (
                "include '::web::ser<^>vice'",
                "modules/web/manifests/service.pp `web::service`",
            ),
            ("class { 'w<^>eb': }", "modules/web/manifests/init.pp `web`"),
            (
                "notice(Class['w<^>eb'])",
                "modules/web/manifests/init.pp `web`",
            ),
            (
                "web::si<^>te { 'x': }",
                "modules/web/manifests/site.pp `web::site`",
            ),
            (
                "Web::Si<^>te <| |>",
                "modules/web/manifests/site.pp `web::site`",
            ),
            (
                "thi<^>ng { 'x': }",
                "modules/web/lib/puppet/type/thing.rb `thing`",
            ),
            (
                "notice(web::o<^>ne())",
                "modules/web/functions/one.pp `web::one`",
            ),
            (
                "notice(1.web::tw<^>o)",
                "modules/web/lib/puppet/functions/web/two.rb `web::two`",
            ),
            (
                "notice(1 =~ Web::Po<^>rt)",
                "modules/web/types/port.pp `Web::Port`",
            ),
            (
                "notice(epp('web/si<^>te.epp'))",
                "modules/web/templates/site.epp ``",
            ),
            (
                "notice($web::po<^>rt)",
                "modules/web/manifests/init.pp `$port`",
            ),
            (
                "notice($::web::ro<^>ot)",
                "modules/web/manifests/params.pp `$root`",
            ),
            (
                "notice($col<^>or)",
                "modules/web/lib/facter/color.rb `color`",
            ),
            ("$x = 1 notice(\"${<^>x}\")", "manifests/site.pp `$x`"),
            (
                "File['/sr<^>v'] -> Class['web']",
                "modules/web/manifests/site.pp `'/srv'`",
            ),
            ("notice($nothing<^>)", ""),
        ];
        for (code, expected) in cases {
            assert_eq!(leads_to(code), expected, "{code}");
        }
    }

    #[test]
    fn variables_of_templates_without_a_list() {
        let fixture = Fixture::new(
            "//- modules/a/manifests/init.pp\n\
             class a ($p) { $b = [epp('a/t', { 'x' => $p }), epp('a/t.epp', { x => 1 })] }\n\
             //- modules/a/templates/t.epp\n<%= $<^>x %>\n",
        );
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().goto_definition(file, offset);
        let init = "modules/a/manifests/init.pp";
        assert_eq!(fixture.targets(found), format!("{init} `'x'`, {init} `x`"));
    }

    #[test]
    fn built_in_names_lead_to_their_stubs() {
        let built_in = |code: &str| {
            let fixture = Fixture::new(&format!("//- manifests/site.pp\n{code}"));
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().goto_definition(file, offset);
            found
                .and_then(|it| it.built_in)
                .map_or_else(String::new, |it| {
                    format!("{} {}", it.source.name, &it.source.text[it.name_range])
                })
        };
        let cases = [
            ("notice('a'.spl<^>it(','))", "functions/strings.pp split"),
            ("fi<^>le { '/a': }", "types/file.pp file"),
            ("File<^>['/a'] -> Exec['b']", "types/file.pp file"),
            ("file { '/a': mo<^>de => '1' }", "types/file.pp $mode"),
            (
                "file { '/a': requ<^>ire => 1 }",
                "metaparameters.pp $require",
            ),
            ("class a(Inte<^>ger $x) { }", "data_types.pp Integer"),
            ("notice($tru<^>sted)", "variables.pp $trusted"),
            ("notice($settings::conf<^>dir)", "settings.pp $confdir"),
            ("notice($facts['o<^>s']['family'])", "facts/system.pp 'os'"),
            (
                "notice($facts['os']['fam<^>ily'])",
                "facts/system.pp 'family'",
            ),
            ("notice($osfam<^>ily)", "legacy_facts.pp 'osfamily'"),
            ("notice($nothing<^>)", ""),
            ("file { '/a': nothing<^> => 1 }", ""),
        ];
        for (code, expected) in cases {
            assert_eq!(built_in(code), expected, "{code}");
        }
    }
}
