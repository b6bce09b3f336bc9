//! Modules without metadata, recognized by the names that their manifests define.

use std::path::Path;

use super::limits::read_config;
use super::main_manifest;
use super::module_files::LinkBounds;
use crate::paths::is_module_name;

/// Returns the name of the module in `root` if every manifest defines the class or defined type that
/// Puppet's autoloader expects there: `a::b` in `manifests/b.pp` for the module `a`.
pub(super) fn module_name(root: &Path) -> Option<String> {
    let manifests = root.join("manifests");
    if !manifests.is_dir() {
        return None;
    }
    let bounds = LinkBounds::new([root]);
    let files = main_manifest::files(&manifests, &bounds, &mut Vec::new());
    let mut names = files.iter().map(|it| name_in(it, &manifests));
    let first = names.next()??;
    names.all(|it| it.as_ref() == Some(&first)).then_some(first)
}

/// Returns the name of the module that a manifest belongs to according to its path and definitions.
fn name_in(file: &Path, manifests: &Path) -> Option<String> {
    let path = file.strip_prefix(manifests).ok()?.with_extension("");
    let parts: Vec<&str> = path.iter().map(|it| it.to_str()).collect::<Option<_>>()?;
    let rest = match parts[..] {
        ["init"] => String::new(),
        _ => format!("::{}", parts.join("::")),
    };
    let text = read_config(file, &mut Vec::new())?;
    let mut modules = defined_names(&text).filter_map(|it| it.strip_suffix(rest.as_str()));
    let module = modules.find(|it| is_module_name(it))?;
    Some(module.to_owned())
}

/// Returns the names of the classes and defined types in a manifest, without leading colons, as far as
/// their definitions begin a line.
pub(super) fn defined_names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|it| {
        let mut words = it.split(|it: char| it.is_whitespace() || matches!(it, '(' | '{'));
        let is_definition = matches!(words.next()?, "class" | "define");
        let name = words.find(|it| !it.is_empty())?;
        is_definition.then(|| name.trim_start_matches("::"))
    })
}

#[cfg(test)]
mod tests {
    use super::module_name;
    use crate::workspace::tests::{names, request, tree};
    use crate::workspace::{EnvironmentKind, discover};

    const DATA: [(&str, &str); 2] = [("hiera.yaml", "version: 5\n"), ("data/common.yaml", "")];

    #[test]
    fn modules_with_data_are_recognized_by_their_definitions() {
        let mut entries = vec![
            ("manifests/server.pp", "# Doc.\nclass a::server (\n) {}\n"),
            ("manifests/x/y.pp", "define ::a::x::y() {}\n"),
        ];
        entries.extend(DATA);
        let root = tree(&entries);
        assert_eq!(module_name(root.path()).as_deref(), Some("a"));
        let found = discover(&request(root.path()));
        let [module] = &found.environments[..] else {
            panic!("one: {found:#?}")
        };
        assert_eq!(module.kind, EnvironmentKind::Module);
        assert!(module.modules[0].names.contains(&"a".to_owned()));
    }

    #[test]
    fn a_folder_with_a_valid_name_names_the_module() {
        let root = tree(&[
            ("me-a/hiera.yaml", "version: 5\n"),
            ("me-a/manifests/b.pp", "class a::b {}\n"),
        ]);
        let found = discover(&request(&root.path().join("me-a")));
        assert_eq!(names(&found.environments[0]), ["a"]);
    }

    #[test]
    fn modules_on_the_modulepath_have_the_name_of_their_directory() {
        let root = tree(&[
            ("environment.conf", "modulepath = modules\n"),
            ("modules/c/manifests/init.pp", "class a {}\n"),
            ("modules/c/metadata.json", r#"{"name": "me-b"}"#),
        ]);
        let found = discover(&request(root.path()));
        assert_eq!(found.environments[0].modules[0].names, ["c"]);
    }

    #[test]
    fn environments_with_data_define_other_names() {
        for manifest in [
            ("manifests/nodes.pp", "node default {}\n"),
            ("manifests/web.pp", "class web {}\n"),
            ("manifests/roles/web.pp", "class roles::web {}\n"),
            ("manifests/b.pp", "class b::c {}\nclass c::d {}\n"),
        ] {
            let mut entries = vec![manifest, ("manifests/server.pp", "class a::server {}\n")];
            entries.extend(DATA);
            let root = tree(&entries);
            let found = discover(&request(root.path()));
            let kinds: Vec<_> = found.environments.iter().map(|it| it.kind).collect();
            assert_eq!(kinds, [EnvironmentKind::Environment], "{manifest:?}");
        }
    }
}
