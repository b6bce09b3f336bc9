//! The command-line interface: commands, options and their help texts.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use syntax::validation::PuppetVersion;

use crate::check::{Format, config_of};
use crate::config::Config;
use crate::terminal::{self, Failure};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// A language server, type checker and formatter for Puppet and OpenVox.
#[derive(Parser, Debug)]
#[command(name = "pupil", version, styles = STYLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check manifests, templates and Hiera data
    Check(CheckArgs),
    /// Format manifests and templates according to the Puppet style guide
    Format(FormatArgs),
    /// Evaluate Puppet code and print its value and type
    Eval(EvalArgs),
    /// Run the language server over standard input and output
    Server(ServerArgs),
    /// Look up keys in Hiera data, as `puppet lookup` does
    Lookup(LookupArgs),
    /// Compile the catalogs of nodes, or compare them with those of a Git revision
    Catalog(CatalogArgs),
    /// Print the type, value and documentation at a position in a file
    Hover(HoverArgs),
    /// Explain a rule, or list all rules
    Explain(ExplainArgs),
    /// List all rules with their groups, levels and fixes
    Rules(RulesArgs),
    /// Write pupil.toml from the configuration of puppet-lint
    Migrate(MigrateArgs),
    /// Print a sample manifest annotated with inferred types and values
    Demo {
        /// Control when colored output is used
        #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
        color: ColorChoice,
    },
    /// List the environments, modules and files of a workspace, and explain why they were chosen
    Workspace(WorkspaceArgs),
    /// Print internal data in machine-readable form, for tests and bug reports
    Debug(DebugArgs),
}

/// Options that select the Puppet version and the modules.
#[derive(Args, Debug, Clone)]
pub(crate) struct PuppetArgs {
    /// Target Puppet version [default: the version in pupil.toml, or 8]
    #[arg(long = "puppet", value_name = "RELEASE")]
    pub(crate) release: Option<Release>,
    /// Add a directory to the modulepath (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub(crate) modulepath: Vec<PathBuf>,
}

impl PuppetArgs {
    /// Returns the version given by `--puppet`, else that of the project of the first path, else the default.
    pub(crate) fn version(&self, paths: &[PathBuf]) -> Result<PuppetVersion, Failure> {
        let config = config_of(paths)?;
        Ok(self.version_for(&config))
    }

    /// Returns the version given by `--puppet`, else that of a project, else the default. Warns about directories of
    /// the modulepath that do not exist.
    pub(crate) fn version_for(&self, config: &Config) -> PuppetVersion {
        for folder in self.modulepath.iter().filter(|it| !it.is_dir()) {
            let folder = folder.display();
            terminal::print_warning(&format_args!("`{folder}` in `--modulepath` does not exist"));
        }
        let selected = self.release.map(PuppetVersion::from);
        let version = selected.or(config.puppet.version.map(Into::into));
        version.unwrap_or_default()
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Release {
    /// Puppet 7
    #[value(name = "7")]
    Seven,
    /// Puppet 8 and OpenVox 8
    #[value(name = "8")]
    Eight,
}

impl From<Release> for PuppetVersion {
    fn from(release: Release) -> Self {
        match release {
            Release::Seven => PuppetVersion::V7,
            Release::Eight => PuppetVersion::V8,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorChoice {
    /// Use color if the output is a terminal
    Auto,
    /// Always use color
    Always,
    /// Never use color
    Never,
}

#[derive(Args, Debug)]
pub(crate) struct FormatArgs {
    /// Files and directories to format; directories are searched for *.pp and *.epp files, except
    /// hidden files, files excluded by .gitignore or pupil.toml, and installed modules; `-` reads
    /// standard input and writes standard output
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print the files that would be reformatted instead of writing them; exit with 1 if there are
    /// any
    #[arg(long)]
    pub(crate) check: bool,
    /// Print a diff instead of writing files; exit with 1 if there are changes
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Files and directories to check; directories are searched for manifests, templates, Hiera data
    /// and files such as metadata.json, except hidden files, files excluded by .gitignore or
    /// pupil.toml, and installed modules; `-` reads standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Path of the file passed on standard input; determines its module and settings, and need not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Report only these rules, by code, group or puppet-lint check, or `all` rules (separated by commas,
    /// or repeated); groups and `all` do not turn on rules that the project turns off by name
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) select: Vec<String>,
    /// Do not report these rules, by code, group or puppet-lint check (separated by commas, or
    /// repeated)
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// Print the number of diagnostics of each rule instead of the diagnostics
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Report hints too, which are meant for editors; JSON always contains them
    #[arg(long)]
    pub(crate) all: bool,
    /// Apply safe fixes and report the remaining diagnostics
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) fix: bool,
    /// Print the changes of --fix as a diff instead of writing files; exit with 1 if there are any
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) diff: bool,
    /// Also apply fixes that may change behavior, unless a diagnostic has several; requires --fix or
    /// --diff
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,
    /// Suppress the diagnostics listed in this file [default: the baseline in pupil.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all diagnostics to this file as a new baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Check each file in isolation, as `puppet parser validate` does, without resolving names
    #[arg(long = "static", conflicts_with_all = ["select", "ignore"])]
    pub(crate) is_static: bool,
    /// Control when colored text output is used
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

impl CheckArgs {
    /// Checks whether fixes are applied, if only to show the changes.
    pub(crate) fn applies_fixes(&self) -> bool {
        self.fix || self.diff
    }
}

#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// Puppet code to evaluate [default: read from standard input, interactively at a terminal]
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// The facts: a JSON or YAML file, or the name of a fact set of the project or of Pupil
    #[arg(long, value_name = "FACTS")]
    pub(crate) facts: Option<String>,
    /// Control when colored output is used
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ServerArgs {
    /// Communicate over standard input and output (always the case; accepted for editors that pass
    /// it)
    #[arg(long)]
    pub(crate) stdio: bool,
    /// Write the log to this file instead of standard error
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(Args, Debug)]
pub(crate) struct WorkspaceArgs {
    /// Workspace folders or files
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Add a directory to the modulepath (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub(crate) modulepath: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: WorkspaceFormat,
    /// Control when colored text output is used
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WorkspaceFormat {
    /// Human-readable
    Text,
    /// A single JSON object
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct HoverArgs {
    /// Position in a file; lines and columns start at 1, columns count characters
    #[arg(value_name = "FILE:LINE:COLUMN")]
    pub(crate) place: String,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// Rule, group or issue code to explain [default: list all rules]
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct RulesArgs {
    /// List only the rules of this group
    #[arg(long, value_name = "GROUP")]
    pub(crate) group: Option<RuleGroup>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: RulesFormat,
}

#[derive(Args, Debug)]
pub(crate) struct MigrateArgs {
    /// The directory of the project, with .puppet-lint.rc, Rakefile or .sync.yml
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Print the settings instead of writing pupil.toml
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RuleGroup {
    /// Code that Puppet rejects, or that does something other than what it says
    Correctness,
    /// The Puppet style guide
    Style,
    /// Documentation comments
    Docs,
    /// Settings that make a system easier to attack
    Security,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RulesFormat {
    /// A line for each rule
    Text,
    /// A JSON array
    Json,
}

/// The output format of a value.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RenderAs {
    /// YAML
    Yaml,
    /// JSON
    Json,
    /// Puppet code
    Puppet,
}

#[derive(Args, Debug)]
pub(crate) struct LookupArgs {
    /// Keys to look up; prints the value of the first one found
    #[arg(value_name = "KEY", required = true)]
    pub(crate) keys: Vec<String>,
    /// Name of the node
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    /// The facts of the node: a JSON or YAML file, or the name of a fact set of the project or of Pupil
    #[arg(long, value_name = "FACTS")]
    pub(crate) facts: Option<String>,
    /// Look up the keys for each fact set of the project, or for Pupil's own sets if the project has none
    #[arg(long, conflicts_with_all = ["facts", "explain"])]
    pub(crate) all_facts: bool,
    /// Compile the catalog of the node first, for data that depends on variables of the main manifest or of classes
    #[arg(long)]
    pub(crate) compile: bool,
    /// Print each step of the lookup
    #[arg(long)]
    pub(crate) explain: bool,
    /// Merge the values of all levels with a strategy: first, unique, hash or deep
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) merge: Option<String>,
    /// The format of the value
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "yaml")]
    pub(crate) render_as: RenderAs,
    /// The directory of the environment
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) environment: PathBuf,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CatalogCommand>,
    #[command(flatten)]
    pub(crate) selection: CatalogSelection,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: CatalogFormat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum CatalogCommand {
    /// Compare the catalogs with those of a Git revision or of another directory; exit with 1 if they
    /// differ, and with 2 if they cannot be compared
    Diff(CatalogDiffArgs),
}

#[derive(Args, Debug)]
pub(crate) struct CatalogDiffArgs {
    /// A Git revision, or a directory with the same environment
    #[arg(value_name = "REVISION|DIR")]
    pub(crate) other: String,
    #[command(flatten)]
    pub(crate) selection: CatalogSelection,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: CatalogDiffFormat,
}

/// Options that select the catalogs to compile.
#[derive(Args, Debug)]
pub(crate) struct CatalogSelection {
    /// Name of the node (may be repeated) [default: each node that the main manifests name]
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Vec<String>,
    /// Compile a class instead of the main manifests (may be repeated)
    #[arg(long, value_name = "CLASS", conflicts_with = "code")]
    pub(crate) class: Vec<String>,
    /// Compile this code instead of the main manifests
    #[arg(long, value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// The facts of the node: a JSON or YAML file, or the name of a fact set of the project or of Pupil
    /// (may be repeated)
    #[arg(long, value_name = "FACTS")]
    pub(crate) facts: Vec<String>,
    /// The directory of the environment
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) environment: PathBuf,
    /// Control when colored text output is used
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

/// An output format of catalogs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CatalogFormat {
    /// A tree of resources
    Text,
    /// A single JSON object
    Json,
    /// A graph for Graphviz
    Dot,
    /// A drawing of the graph
    Svg,
    /// A graph for Mermaid, which GitHub and GitLab draw in Markdown
    Mermaid,
}

/// An output format of differences between catalogs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CatalogDiffFormat {
    /// Human-readable
    Text,
    /// Markdown, for a merge request
    Markdown,
    /// A single JSON object
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct DebugCatalogArgs {
    /// The environment, unless a request names one
    #[arg(long, value_name = "DIR")]
    pub(crate) environment: Option<PathBuf>,
    /// Add a directory to the modulepath (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub(crate) modulepath: Vec<PathBuf>,
    /// Default facts: the name of a fact set, or a JSON file
    #[arg(long, value_name = "FACTS", default_value = "debian12")]
    pub(crate) facts: String,
    /// Target Puppet version
    #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
    pub(crate) release: Release,
}

#[derive(Args, Debug)]
pub(crate) struct DebugArgs {
    #[command(subcommand)]
    pub(crate) command: DebugCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum DebugCommand {
    /// Parse and validate the files named on standard input; print errors as JSON lines
    Parse(DebugParseArgs),
    /// Evaluate the sources in the objects {"id", "source"} on standard input; print values and
    /// types as JSON lines
    Eval {
        /// Target Puppet version
        #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
        release: Release,
    },
    /// Compile the catalogs, or look up the keys, requested by the objects on standard input; print the
    /// answers as JSON lines
    Catalog(DebugCatalogArgs),
    /// Answer the type queries {"id", "op", …} on standard input as JSON lines
    Types,
    /// Print the syntax tree of a file, one node or token per line
    Tree {
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Print the inferred type of every expression, parameter and assigned variable as JSON lines
    Infer {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
    /// Print every reference in the files and how it resolves as JSON lines
    References {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
    /// Print the findings of rules that replace checks of puppet-lint as JSON lines
    Lint {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
    /// Print the JSON Schema of pupil.toml
    Schema,
    /// Print sizes, timings and memory usage of a check as a JSON object
    Stats {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
}

#[derive(Args, Debug)]
pub(crate) struct DebugParseArgs {
    /// Include the syntax tree
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) ast: Option<AstForm>,
    /// Read objects {"id", "source", "path"?} instead of paths
    #[arg(long)]
    pub(crate) json: bool,
    /// Target Puppet version
    #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
    pub(crate) release: Release,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AstForm {
    /// Puppet's PN notation
    Pn,
}
