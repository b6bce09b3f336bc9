//! `pupil workspace`: prints the environments, modules and files, with reasons.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use analysis::base::ModuleOrigin;
use anstyle::AnsiColor;
use serde::Serialize;

use super::discovery::FoundEnvironment;
use super::environment_plan::ModuleFolder;
use super::{FoundModule, Loader, Note, WorkspaceRequest};
use crate::args::{WorkspaceArgs, WorkspaceFormat};
use crate::display_path::{one_line, relative_path};
use crate::paths::absolute;
use crate::phrases::plural;
use crate::read_text::reason;
use crate::rule_selection::Selection;
use crate::terminal::{self, Failure, paint};
use crate::vfs::Vfs;

/// Runs `pupil workspace`.
pub(crate) fn run(arguments: &WorkspaceArgs) -> Result<ExitCode, Failure> {
    for path in &arguments.paths {
        let readable = std::fs::metadata(path);
        readable.map_err(|it| {
            Failure::Message(format!("cannot read {}: {}", path.display(), reason(it)))
        })?;
    }
    let request = WorkspaceRequest::of_paths(&arguments.paths, &arguments.modulepath);
    let mut vfs = Vfs::default();
    let update = Loader::default().load(&request, &[], &|_, _| {});
    let notes = update.notes.clone();
    vfs.apply(update);
    let found = Description::new(&vfs, &notes);
    let mut out = terminal::stdout();
    match arguments.format {
        WorkspaceFormat::Text => {
            let colors = terminal::stdout_has_colors(arguments.color);
            write_text(&mut out, &found, colors)?;
        }
        WorkspaceFormat::Json => {
            serde_json::to_writer(&mut out, &found).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl WorkspaceRequest {
    /// Creates a request from paths on the command line: directories become workspace folders.
    pub(crate) fn of_paths(
        paths: &[std::path::PathBuf],
        modulepath: &[std::path::PathBuf],
    ) -> WorkspaceRequest {
        let (folders, files) = paths
            .iter()
            .map(|it| absolute(it))
            .partition(|it| it.is_dir());
        WorkspaceRequest {
            folders,
            files,
            modulepath: modulepath.iter().map(|it| absolute(it)).collect(),
            basemodulepath: None,
            selection: Selection::default(),
        }
    }
}

/// A serializable description of the workspace.
#[derive(Serialize, Debug)]
pub(crate) struct Description {
    environments: Vec<EnvironmentView>,
    notes: Vec<NoteView>,
    texts: TextStatistics,
}

/// Statistics of the files that were read.
#[derive(Serialize, Debug)]
struct TextStatistics {
    files: usize,
    bytes: usize,
    /// A hash of all paths and texts. Comparable only between processes of the same build.
    digest: String,
}

#[derive(Serialize, Debug)]
struct EnvironmentView {
    root: String,
    kind: &'static str,
    why: String,
    complete: bool,
    /// The reasons why names are not checked.
    unchecked: Vec<String>,
    modulepath: Vec<FolderView>,
    manifest: Option<ManifestView>,
    modules: Vec<ModuleView>,
    others: Vec<String>,
}

#[derive(Serialize, Debug)]
struct FolderView {
    path: String,
    why: String,
    exists: bool,
}

#[derive(Serialize, Debug)]
struct ManifestView {
    path: String,
    why: String,
    files: Vec<String>,
}

#[derive(Serialize, Debug)]
struct ModuleView {
    name: String,
    folder: String,
    version: Option<String>,
    origin: &'static str,
    why: String,
    dependencies: Vec<String>,
    /// The number of files by kind.
    files: BTreeMap<&'static str, usize>,
}

#[derive(Serialize, Debug)]
struct NoteView {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: String,
}

impl Description {
    /// Describes the current workspace with the given notes.
    pub(crate) fn new(vfs: &Vfs, notes: &[Note]) -> Description {
        let environments = vfs.discovery().environments.iter().map(environment);
        let notes = notes.iter().map(|it| NoteView {
            path: relative_path(&it.path),
            line: it.position.map(|it| it.0),
            column: it.position.map(|it| it.1),
            message: it.message.clone(),
        });
        Description {
            environments: environments.collect(),
            notes: notes.collect(),
            texts: texts(vfs),
        }
    }
}

fn texts(vfs: &Vfs) -> TextStatistics {
    let mut files: Vec<_> = vfs.texts().collect();
    files.sort_unstable_by_key(|it| it.0);
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    TextStatistics {
        files: files.len(),
        bytes: files.iter().map(|it| it.1.len()).sum(),
        digest: format!("{:016x}", hasher.finish()),
    }
}

fn environment(found: &FoundEnvironment) -> EnvironmentView {
    let all = |paths: &[std::path::PathBuf]| paths.iter().map(|it| relative_path(it)).collect();
    let unchecked = found.unchecked();
    EnvironmentView {
        root: found.root.display().to_string(),
        kind: found.kind.name(),
        why: found.why.clone(),
        complete: unchecked.is_empty(),
        unchecked,
        modulepath: found.modulepath.iter().map(folder).collect(),
        manifest: found.manifest.as_ref().map(|it| ManifestView {
            path: relative_path(&it.path),
            why: it.why.clone(),
            files: all(&found.manifests),
        }),
        modules: found.modules.iter().map(|it| module(it)).collect(),
        others: all(&found.others),
    }
}

fn folder(found: &ModuleFolder) -> FolderView {
    FolderView {
        path: relative_path(&found.path),
        why: found.why.clone(),
        exists: found.exists,
    }
}

fn module(found: &FoundModule) -> ModuleView {
    let mut files = BTreeMap::new();
    for path in &found.files {
        *files.entry(kind_of_file(path)).or_default() += 1;
    }
    ModuleView {
        name: found.name.clone(),
        folder: relative_path(&found.root),
        version: found.version.clone(),
        origin: match found.origin {
            ModuleOrigin::Workspace => "workspace",
            ModuleOrigin::Installed => "installed",
            ModuleOrigin::Library => "library",
        },
        why: found.why.clone(),
        dependencies: found.dependencies.clone(),
        files,
    }
}

/// Returns the kind of a file in a module, by its path.
fn kind_of_file(path: &str) -> &'static str {
    const RUBY: [(&str, &str); 6] = [
        ("lib/puppet/functions/", "ruby functions"),
        ("lib/puppet/parser/functions/", "ruby functions"),
        ("lib/puppet/type/", "resource types"),
        ("lib/puppet/provider/", "providers"),
        ("lib/puppet/datatypes/", "data types"),
        ("lib/facter/", "facts"),
    ];
    let is_manifest = Path::new(path).extension().is_some_and(|it| it == "pp");
    match path.split_once('/').map(|it| it.0) {
        Some("manifests") if is_manifest => "manifests",
        Some("functions") if is_manifest => "functions",
        Some("types") if is_manifest => "type aliases",
        Some("plans") if is_manifest => "plans",
        Some("tasks") => "tasks",
        Some("templates") => "templates",
        Some("files") => "files",
        Some("facts.d") => "facts",
        Some("lib") => {
            let ruby = RUBY.iter().find(|(prefix, _)| path.starts_with(prefix));
            ruby.map_or("other", |(_, name)| name)
        }
        _ => "other",
    }
}

fn write_text(out: &mut impl Write, found: &Description, colors: bool) -> io::Result<()> {
    let strong = AnsiColor::Green.on_default().bold();
    let weak = AnsiColor::BrightBlack.on_default();
    for environment in &found.environments {
        let root = paint(strong, one_line(&environment.root), colors);
        writeln!(
            out,
            "{root}: {} ({})",
            environment.kind,
            one_line(&environment.why)
        )?;
        for folder in &environment.modulepath {
            let missing = if folder.exists {
                ""
            } else {
                ", does not exist"
            };
            let why = paint(weak, one_line(&folder.why), colors);
            writeln!(
                out,
                "  module directory {}{missing} ({why})",
                one_line(&folder.path)
            )?;
        }
        if let Some(manifest) = &environment.manifest {
            let why = paint(weak, one_line(&manifest.why), colors);
            let files = plural(manifest.files.len(), "file");
            writeln!(
                out,
                "  main manifest {}, {files} ({why})",
                one_line(&manifest.path)
            )?;
        }
        let width = environment.modules.iter().map(|it| it.name.len()).max();
        let mut why = None;
        for module in &environment.modules {
            if why != Some(&module.why) {
                why = Some(&module.why);
                writeln!(
                    out,
                    "  modules ({}):",
                    paint(weak, one_line(&module.why), colors)
                )?;
            }
            write_module(out, module, width.unwrap_or(0), colors)?;
        }
        if !environment.others.is_empty() {
            writeln!(
                out,
                "  {} outside modules",
                plural(environment.others.len(), "file")
            )?;
        }
    }
    let files = plural(found.texts.files, "file");
    writeln!(out, "{files} read, {} KB", found.texts.bytes.div_ceil(1024))?;
    for note in &found.notes {
        let label = paint(AnsiColor::Yellow.on_default(), "note", colors);
        write!(out, "{label}: {}", one_line(&note.path))?;
        if let (Some(line), Some(column)) = (note.line, note.column) {
            write!(out, ":{line}:{column}")?;
        }
        writeln!(out, ": {}", one_line(&note.message))?;
    }
    Ok(())
}

fn write_module(
    out: &mut impl Write,
    module: &ModuleView,
    width: usize,
    colors: bool,
) -> io::Result<()> {
    let name = paint(AnsiColor::Cyan.on_default(), one_line(&module.name), colors);
    let padding = " ".repeat(width - module.name.len());
    let version = one_line(module.version.as_deref().unwrap_or("-"));
    let counts = module
        .files
        .iter()
        .map(|(kind, count)| count_of(*count, kind));
    let counts = counts.collect::<Vec<_>>().join(", ");
    writeln!(
        out,
        "    {name}{padding} {version:8} {:9} {}: {counts}",
        module.origin,
        one_line(&module.folder)
    )
}

/// Returns the number of files of a kind.
fn count_of(count: usize, kind: &str) -> String {
    match kind {
        "other" => plural(count, "other file"),
        "ruby functions" => plural(count, "Ruby function"),
        "type aliases" if count == 1 => "1 type alias".to_owned(),
        "type aliases" => format!("{count} {kind}"),
        kind => plural(count, kind.strip_suffix('s').unwrap_or(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::count_of;

    #[test]
    fn kinds_of_files_have_a_singular() {
        let found = |count| {
            ["facts", "other", "ruby functions", "type aliases"].map(|it| count_of(count, it))
        };
        assert_eq!(
            found(1),
            ["1 fact", "1 other file", "1 Ruby function", "1 type alias"]
        );
        assert_eq!(
            found(2),
            [
                "2 facts",
                "2 other files",
                "2 Ruby functions",
                "2 type aliases"
            ]
        );
    }
}
