//! Find references across the workspace.

use salsa::Database;
use syntax::TextSize;

use super::ReferenceLocation;
use super::data_files::data_uses;
use super::erb_uses::erb_uses;
use super::search::{SymbolUse, symbol_uses};
use super::symbol::{AccessKind, declarations, symbol_at};
use base::FileInput;

/// Returns all uses of the symbol at an offset, grouped by file and optionally with its declarations.
/// Returns `None` if there is no symbol.
pub(crate) fn references(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    with_declarations: bool,
) -> Option<Vec<ReferenceLocation>> {
    let found = symbol_at(db, file, offset)?;
    let uses = symbol_uses(db, file, &found.symbol);
    let mut locations: Vec<_> = uses.iter().map(|it| reference_location(db, it)).collect();
    // A declaration in Ruby is not among the uses.
    for target in declarations(db, found.item, &found.symbol) {
        let is_known =
            |it: &ReferenceLocation| it.file == target.file && it.range == target.name_range;
        if !locations.iter().any(is_known) {
            locations.push(ReferenceLocation {
                file: target.file,
                range: target.name_range,
                access: AccessKind::Declaration,
            });
        }
    }
    if let Some(environment) = file.environment(db) {
        let uses = data_uses(db, environment, &found.symbol);
        locations.extend(uses.iter().map(|it| it.location(db)));
    }
    locations.extend(erb_uses(db, file, &found.symbol));
    locations.retain(|it| with_declarations || it.access != AccessKind::Declaration);
    Some(locations)
}

/// Converts a use to its public form.
pub(super) fn reference_location(db: &dyn Database, found: &SymbolUse<'_>) -> ReferenceLocation {
    ReferenceLocation {
        file: found.file(db).id(db),
        range: found.range(db),
        access: found.access(),
    }
}

#[cfg(test)]
mod tests {
    use crate::AccessKind;
    use crate::fixture::{Fixture, visible_text};

    const MODULE: &str = "
//- modules/web/manifests/init.pp
class web ($port = 80) inherits web::params {
  notice(\"${port} $root ${web::port}\")
  web::site { 'main': port => $port, * => { 'owner' => 1 } }
  [1].each |$port| { notice($port) }
}
//- modules/web/manifests/params.pp
class web::params {
  $root = '/srv'
}
//- modules/web/manifests/site.pp
define web::site ($port, $owner = 'x') {
  file { '/srv': content => epp('web/site.epp', { 'port' => $port }) }
  notice($facts['color'], $color, getvar('web::port'))
}
//- modules/web/templates/site.epp
<%- | $port | -%>
<%= $port %>
//- modules/web/lib/facter/color.rb
Facter.add(:color) { setcode { 'red' } }
//- modules/web/lib/puppet/type/thing.rb
Puppet::Type.newtype(:thing) { newparam(:name) { isnamevar } }
";

    /// Returns the uses as lines of `path text access`.
    fn uses(code: &str) -> Vec<String> {
        let fixture = Fixture::new(&format!("{MODULE}//- manifests/site.pp\n{code}"));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().references(file, offset, true);
        let found = found.unwrap_or_default().into_iter().map(|it| {
            let path = fixture.path(it.file);
            let path = path.rsplit('/').next().unwrap_or_default();
            let text = visible_text(fixture.text(it.file), it.range);
            let access = match it.access {
                AccessKind::Declaration => "d",
                AccessKind::Write => "w",
                AccessKind::Read => "r",
            };
            format!("{path} {text} {access}")
        });
        found.collect()
    }

    #[test]
    fn finds_class_parameters() {
        let found = uses("class { 'web': po<^>rt => 1 } notice($::web::port)");
        assert_eq!(
            found,
            [
                "init.pp $port d",
                "init.pp port r",
                "init.pp web::port r",
                "init.pp $port r",
                "site.pp 'web::port' r",
                "site.pp port w",
                "site.pp $::web::port r"
            ]
        );
    }

    #[test]
    fn finds_parameters_of_defined_types() {
        let found = uses(
            "web::site { 'a': po<^>rt => 1 } Web::Site { port => 2 } \
             Web::Site <| port == 1 |> { port => 3 } notice(Web::Site['a']['port'])
             create_resources('web::site', { 'b' => { 'port' => 1 } })",
        );
        let own = ["init.pp port w", "site.pp $port d", "site.pp $port r"];
        let here = ["site.pp port w", "site.pp port w", "site.pp port r"];
        let rest = ["site.pp port w", "site.pp 'port' r", "site.pp 'port' w"];
        let expected: Vec<_> = own.into_iter().chain(here).chain(rest).collect();
        assert_eq!(found, expected);
        let owner = uses("web::site { 'a': ow<^>ner => 1 }");
        assert_eq!(
            owner,
            ["init.pp 'owner' w", "site.pp $owner d", "site.pp owner w"]
        );
    }

    #[test]
    fn finds_template_parameters_and_inherited_variables() {
        let found = uses("notice(epp('web/site.epp', { po<^>rt => 1 }))");
        assert_eq!(
            found,
            [
                "site.pp 'port' w",
                "site.epp $port d",
                "site.epp $port r",
                "site.pp port w"
            ]
        );
        let root = uses("notice($web::ro<^>ot)");
        assert_eq!(
            root,
            [
                "init.pp $root r",
                "params.pp $root w",
                "site.pp $web::root r"
            ]
        );
    }

    #[test]
    fn finds_facts_types_classes_and_titles() {
        let color = uses("notice($col<^>or)");
        assert_eq!(
            color,
            [
                "site.pp 'color' r",
                "site.pp $color r",
                "site.pp $color r",
                "color.rb color d"
            ]
        );
        let thing = uses("thi<^>ng { 'x': } Thing['x'] -> Thing['y']");
        assert_eq!(
            thing,
            [
                "site.pp thing r",
                "site.pp Thing r",
                "site.pp Thing r",
                "thing.rb thing d"
            ]
        );
        let class = uses("include '::we<^>b' contain web::params");
        assert_eq!(class, ["init.pp web d", "site.pp '::web' r"]);
        let title = uses("thing { 'x': } Thing['<^>x'] -> Thing['y']");
        assert_eq!(title, ["site.pp 'x' d", "site.pp 'x' r"]);
        assert!(uses("notice('a<^>')").is_empty());
    }

    #[test]
    fn finds_variables_in_erb_templates() {
        let found = uses(
            "notice($app::po<^>rt)\n\
             //- modules/app/manifests/init.pp\nclass app ($port) { template('app/a.erb') }\n\
             //- modules/app/templates/a.erb\n<%= @port %> <%= scope['app::port'] %> <%= @other %>\n\
             //- modules/app/templates/b.erb\n<%= @port %> <%= scope['::app::port'] %>\n",
        );
        assert_eq!(
            found,
            [
                "site.pp $app::port r",
                "init.pp $port d",
                "a.erb port r",
                "a.erb app::port r",
                "b.erb app::port r"
            ]
        );
    }

    #[test]
    fn finds_variables_of_templates_without_a_list() {
        let found = uses(
            "notice(1)\n\
             //- modules/app/manifests/init.pp\nclass app ($p) { epp('app/a', { 'port' => $p }) }\n\
             //- modules/app/templates/a.epp\n<%= $po<^>rt %> <%= $port %> <%= $other %>\n\
             //- modules/app/templates/b.epp\n<%= $port %>\n",
        );
        assert_eq!(
            found,
            ["init.pp 'port' w", "a.epp $port r", "a.epp $port r"]
        );
    }

    #[test]
    fn finds_the_literal_roots_of_interpolated_keys() {
        let found = uses("lookup('a::<^>b') lookup(\"a::b.${x}\") lookup(\"a::${x}.b\")");
        assert_eq!(found, ["site.pp 'a::b' r", "site.pp a::b r"]);
    }

    #[test]
    fn respects_lambda_scopes() {
        let found = uses("$x = 1 [1].each |$x| { notice($<^>x) } notice($x)");
        assert_eq!(found, ["site.pp $x d", "site.pp $x r"]);
        let found = uses("$<^>x = 1 [1].each |$x| { notice($x) } notice($x)");
        assert_eq!(found, ["site.pp $x w", "site.pp $x r"]);
    }
}
