//! The variables that ERB templates read, and those that exist nowhere.

use base::FileInput;
use hir::autoload::{NameKey, find_item, module_puppet_files};
use hir::body::body;
use hir::other_versions::is_other_version;
use hir::possible_facts::is_likely_fact;
use hir::resolve::ResolveError;
use hir::variables::{resolve_external_variable, resolve_qualified};
use hir::{Item, items};
use library::products;
use library::ruby::{ErbNames, ErbNotation, ErbRead, erb_names};
use salsa::Database;
use syntax::Severity;

use crate::assets::AssetChecker;
use crate::data::{similar_in_class, unknown_in_class};
use crate::suggest::{hint, similar};
use crate::usage_index::{CodeOwner, ruby_template_owners};

/// Returns the names in an ERB template.
#[salsa::tracked]
pub fn erb_template(db: &dyn Database, file: FileInput) -> ErbNames {
    erb_names(file.text(db).as_deref().unwrap_or_default())
}

/// A variable that a template reads, and that is unknown.
pub(crate) struct UnknownRead<'a> {
    pub(crate) read: &'a ErbRead,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    /// The name to replace it with.
    pub(crate) near: Option<String>,
}

/// Returns the variables that a template reads, but that exist nowhere.
pub(crate) fn unknown_reads<'db>(checker: &AssetChecker<'db>) -> Vec<UnknownRead<'db>> {
    let names = erb_template(checker.db, checker.file);
    if names.is_open || names.reads.is_empty() {
        return Vec::new();
    }
    let callers = callers(checker);
    let reads = names.reads.iter();
    let reads = reads
        .filter(|it| it.notation != ErbNotation::FactKey && !names.is_optional(it.plain_name()));
    let unknown = reads.filter_map(|it| match it.plain_name().contains("::") {
        true => unknown_of_class(checker, it),
        false => unknown_in_scope(checker, callers.as_deref()?, it),
    });
    unknown.collect()
}

/// Returns the classes and defined types that render a template; `None` if it has other users, or none is found.
fn callers<'db>(checker: &AssetChecker<'db>) -> Option<Vec<Item<'db>>> {
    let (db, environment) = (checker.db, checker.environment);
    let owners = ruby_template_owners(db, environment, checker.file).iter();
    let callers = owners.map(|it| match it {
        CodeOwner::Definition((kind, name)) => {
            find_item(db, environment, *kind, NameKey::new(db, name.clone()))
        }
        CodeOwner::Other => None,
    });
    let callers: Vec<_> = callers.collect::<Option<_>>()?;
    (!callers.is_empty()).then_some(callers)
}

/// Checks a variable with a qualified name.
fn unknown_of_class<'db>(
    checker: &AssetChecker<'db>,
    read: &'db ErbRead,
) -> Option<UnknownRead<'db>> {
    let (db, environment) = (checker.db, checker.environment);
    match resolve_qualified(db, Some(environment), &read.name)? {
        Err(ResolveError::NotDefined) => {}
        _ => return None,
    }
    let (class, variable) = read.name.rsplit_once("::")?;
    let shown = class.trim_start_matches("::");
    let module = shown.split("::").next().unwrap_or_default();
    let is_uncertain = is_other_version(db, Some(environment), Some(checker.module), module);
    let near = similar_in_class(db, environment, shown, variable);
    Some(UnknownRead {
        read,
        severity: if is_uncertain {
            Severity::Hint
        } else {
            Severity::Error
        },
        message: unknown_in_class(db, environment, shown, variable, near.as_deref()),
        near: near.map(|it| format!("{class}::{it}")),
    })
}

/// Checks a variable of the code that renders the template.
fn unknown_in_scope<'db>(
    checker: &AssetChecker<'db>,
    callers: &[Item<'db>],
    read: &'db ErbRead,
) -> Option<UnknownRead<'db>> {
    let (db, environment) = (checker.db, checker.environment);
    let name = read.plain_name();
    let is_known = |it: &Item<'db>| {
        let found = resolve_external_variable(db, Some(environment), *it, name);
        let is_unknown = matches!(
            found,
            Err(ResolveError::NotDefined | ResolveError::MaybeExternal)
        );
        binds(db, *it, name) || !is_unknown
    };
    if callers.iter().any(is_known)
        || products::is_of_server(name)
        || is_likely_fact(db, environment, name)
        || is_bound_in_module(checker, name)
    {
        return None;
    }
    let scopes = callers.iter().flat_map(|it| &body(db, *it).scopes);
    let own = scopes.flat_map(|it| &it.bindings);
    let own = own.map(|it| it.name.as_str());
    let facts = library::facts().map(|it| it.name.as_str());
    let near = similar(name, own.chain(facts));
    let severity = match (read.notation, near) {
        // Ruby has a value for it, `nil`.
        (ErbNotation::Instance, Some(_)) => Severity::Warning,
        (_, Some(_)) => Severity::Error,
        // A node classifier may define it.
        (_, None) => Severity::Hint,
    };
    let shown = match read.notation {
        ErbNotation::Instance => "@",
        _ => "",
    };
    let suggested = near.map(|it| format!("{shown}{it}"));
    Some(UnknownRead {
        read,
        severity,
        message: format!(
            "unknown variable `{shown}{name}`{}",
            hint(suggested.as_deref())
        ),
        near: near.map(|it| read.name.replacen(name, it, 1)),
    })
}

/// Checks whether an item assigns a variable, also in a lambda.
fn binds(db: &dyn Database, item: Item<'_>, name: &str) -> bool {
    let mut scopes = body(db, item).scopes.iter();
    scopes.any(|it| it.binds(name))
}

/// Checks whether any code of the module assigns a variable: it may render the template with a computed path.
fn is_bound_in_module(checker: &AssetChecker<'_>, name: &str) -> bool {
    let files = module_puppet_files(checker.db, checker.module).iter();
    let mut items = files.flat_map(|it| items(checker.db, *it));
    items.any(|it| binds(checker.db, *it, name))
}

#[cfg(test)]
mod tests {
    use fixture::Sources;
    use syntax::Severity;

    use crate::assets::{check_asset, is_asset};

    /// Returns the messages about a template `m/a.erb`, with marks of their severities.
    fn messages(code: &str, template: &str) -> Vec<String> {
        let text = format!(
            "//- modules/m/manifests/init.pp\n{code}\n//- modules/m/templates/a.erb\n{template}\n"
        );
        let sources = Sources::parse(&text);
        let db = sources.database();
        let files = sources.iter().filter_map(|it| db.file(it.0));
        let assets = files.filter(|it| is_asset(&db, *it));
        let found = assets.flat_map(|it| check_asset(&db, it));
        let found = found.filter(|it| it.code == "unknown-variable");
        found
            .map(|it| match it.severity {
                Severity::Error => format!("E {}", it.message),
                Severity::Warning => format!("W {}", it.message),
                _ => format!("H {}", it.message),
            })
            .collect()
    }

    const CODE: &str = "class m ($indexes) { template('m/a.erb') }";

    #[test]
    fn reports_variables_that_exist_nowhere() {
        for (template, expected) in [
            (
                "<%= @indxees.join %>",
                "W unknown variable `@indxees`; did you mean `@indexes`?",
            ),
            (
                "<%= scope['indxees'] %>",
                "E unknown variable `indxees`; did you mean `indexes`?",
            ),
            (
                "<%= scope.lookupvar('::m::indxees') %>",
                "E unknown variable `indxees` in class `m`; did you mean `indexes`?",
            ),
            (
                "<%= @proxy_of_site %>",
                "H unknown variable `@proxy_of_site`",
            ),
        ] {
            assert_eq!(messages(CODE, template), [expected], "{template}");
        }
    }

    #[test]
    fn accepts_variables_that_may_exist() {
        for template in [
            "<%= @indexes %> <%= @hostname %> <%= @facts['kernal'] %> <%= scope['m::indexes'] %>",
            "<% @indxees = [] %><%= @indxees %>",
            "<% unless @indxees.nil? %><%= @indxees %><% end %>",
            "<% if scope.exist?('indxees') %><%= scope['indxees'] %><% end %>",
            "<%# pupil: ignore[unknown-variable] %>\n<%= @indxees %>",
            "<%= @indxees %> <%# pupil: ignore %>",
            "<%# @indxees %> @indxees <%= '@indxees' %>",
            "<%= scope['other::indxees'] %>",
        ] {
            assert_eq!(messages(CODE, template), [""; 0], "{template}");
        }
        for code in [
            "class m ($indexes) { }",
            "class m ($indexes, $t = 'm/a.erb') { template($t) }",
            "class m ($indexes) { template('m/a.erb') [1].each |$indxees| { } }",
            "class m ($indexes) inherits other { template('m/a.erb') }",
            "function m ($indexes) { template('m/a.erb') }",
        ] {
            assert_eq!(messages(code, "<%= @indxees %>"), [""; 0], "{code}");
        }
    }
}
