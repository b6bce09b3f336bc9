//! The dependencies that resources add by themselves, such as that of a file on its directory. See the calls of
//! `autorequire` in Puppet's `lib/puppet/type`.

use library::signatures::{AutomaticRelation, AutomaticRelationKind, RelatedTitle};
use types::capitalize_segments;
use types::values::Value;

use crate::data::{Resource, ResourceKey};
use crate::values::flattened;

/// A dependency on resources that the catalog may have.
pub(crate) struct Relation {
    pub(crate) kind: AutomaticRelationKind,
    /// The type of the other resources, capitalized.
    pub(crate) type_name: String,
    pub(crate) titles: Vec<String>,
    /// Whether only the first one that the catalog has counts.
    pub(crate) is_first_only: bool,
}

/// Returns the dependencies that a resource adds by itself. `declared` are those in the code of its type.
pub(crate) fn relations_of(
    key: &ResourceKey,
    resource: &Resource,
    declared: &[AutomaticRelation],
) -> Vec<Relation> {
    let mut relations = built_in_relations(key, resource);
    if relations.is_empty() {
        let own = provider(resource);
        let applying = declared
            .iter()
            .filter(|it| it.providers.is_empty() || own.is_some_and(|own| has_provider(it, own)));
        relations.extend(applying.filter_map(|it| {
            Some(Relation {
                kind: it.kind,
                type_name: capitalize_segments(&it.type_name),
                titles: titles(key, resource, it.titles.as_ref()?),
                is_first_only: false,
            })
        }));
    }
    relations
}

/// Checks whether a relation depends on the provider of a resource, and that is unknown.
pub(crate) fn lacks_provider(relation: &AutomaticRelation, resource: &Resource) -> bool {
    !relation.providers.is_empty() && provider(resource).is_none()
}

fn provider(resource: &Resource) -> Option<&str> {
    resource.known("provider")?.as_str()
}

fn has_provider(relation: &AutomaticRelation, provider: &str) -> bool {
    relation.providers.iter().any(|it| it == provider)
}

/// Returns the titles that the code of a type names.
fn titles(key: &ResourceKey, resource: &Resource, titles: &[RelatedTitle]) -> Vec<String> {
    let titles = titles.iter().flat_map(|it| match it {
        RelatedTitle::Literal(title) => vec![title.clone()],
        RelatedTitle::Attribute(name) => match resource.known(name) {
            Some(value) => texts(value),
            None if matches!(name.as_str(), "name" | "title") => vec![key.title.clone()],
            None => Vec::new(),
        },
    });
    titles.collect()
}

/// Returns the strings in a value.
fn texts(value: &Value) -> Vec<String> {
    let values = flattened([value]);
    let texts = values.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// Returns the dependencies of a resource of a type that computes them; empty for other types.
fn built_in_relations(key: &ResourceKey, resource: &Resource) -> Vec<Relation> {
    let texts = |name: &str| resource.known(name).map_or_else(Vec::new, texts);
    match key.type_name.as_str() {
        "File" => {
            let path = texts("path").pop().unwrap_or_else(|| key.title.clone());
            let directory = Relation {
                is_first_only: true,
                ..require("File", ancestors(&path))
            };
            vec![
                directory,
                require("File", link_target(resource)),
                require("User", names(texts("owner"))),
                require("Group", names(texts("group"))),
            ]
        }
        "Exec" => {
            let mut files = texts("cwd");
            let command = match resource.known("command") {
                Some(_) => texts("command").into_iter().next(),
                None => Some(key.title.clone()),
            };
            if let Some(command) = command {
                files.extend(absolute_paths(&command));
                files.extend(quoted_path(&command));
            }
            for name in ["onlyif", "unless"] {
                let lines = texts(name);
                files.extend(lines.iter().flat_map(|it| absolute_paths(it)));
            }
            vec![
                require("File", files),
                require("User", names(texts("user"))),
            ]
        }
        "Package" => {
            let mut files = texts("responsefile");
            files.extend(texts("adminfile"));
            let sources = texts("source").into_iter();
            files.extend(sources.filter(|it| it.starts_with('/')));
            vec![require("File", files)]
        }
        "User" => {
            let mut groups = names(texts("gid"));
            groups.extend(texts("groups"));
            vec![require("Group", groups), require("User", texts("roles"))]
        }
        "Mount" => vec![require("Mount", ancestors(&key.title))],
        "Ssh_authorized_key" => vec![require("User", texts("user"))],
        _ => Vec::new(),
    }
}

/// The limit of directories above a file.
const MAX_ANCESTORS: usize = 256;

fn require(type_name: &str, titles: Vec<String>) -> Relation {
    Relation {
        kind: AutomaticRelationKind::Require,
        type_name: type_name.to_owned(),
        titles,
        is_first_only: false,
    }
}

/// Returns the directories above a path, the nearest one first.
fn ancestors(path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = path.trim_end_matches('/');
    while found.len() < MAX_ANCESTORS
        && let Some((above, _)) = at.rsplit_once('/')
    {
        at = above.trim_end_matches('/');
        found.push(match at {
            "" => "/".to_owned(),
            at => at.to_owned(),
        });
    }
    found
}

/// Returns the target of a symbolic link.
fn link_target(resource: &Resource) -> Vec<String> {
    let target = resource.known("target").or_else(|| {
        let ensure = resource.known("ensure")?;
        ensure.as_str()?.starts_with('/').then_some(ensure)
    });
    let target = target.and_then(Value::as_str);
    target.into_iter().map(str::to_owned).collect()
}

/// Returns the names, without numeric IDs.
fn names(values: Vec<String>) -> Vec<String> {
    let is_name = |it: &String| !it.bytes().all(|it| it.is_ascii_digit());
    values.into_iter().filter(is_name).collect()
}

/// Returns the paths at the starts of the lines of a command.
fn absolute_paths(command: &str) -> impl Iterator<Item = String> {
    let lines = command.lines().filter(|it| it.starts_with('/'));
    let words = lines.filter_map(|it| it.split_whitespace().next());
    words.map(str::to_owned)
}

/// Returns the quoted path at the start of a command line.
fn quoted_path(line: &str) -> Option<String> {
    let (path, _) = line.strip_prefix('"')?.split_once('"')?;
    Some(path.to_owned())
}
