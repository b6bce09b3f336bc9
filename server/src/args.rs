//! What can be said on the command line.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use syntax::validation::PuppetVersion;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// A language server for Puppet and OpenVox, and its checks on the command line.
#[derive(Parser, Debug)]
#[command(name = "pupil", version, styles = STYLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Report what is wrong with manifests and templates
    Check(CheckArgs),
    /// Give manifests the layout of the style guide
    Format(FormatArgs),
    /// Print the value and the type of Puppet code
    Eval(EvalArgs),
    /// Serve an editor over standard input and output
    Server(ServerArgs),
    /// Print what an editor shows at a place: type, value, documentation
    Hover(HoverArgs),
    /// Print what a rule reports and why, with examples
    Explain(ExplainArgs),
    /// Print a sample manifest with the types and values of its expressions
    Demo {
        /// When output has colours
        #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
        color: ColorChoice,
    },
    /// Print which environments, modules and files there are, and why
    Workspace(WorkspaceArgs),
    /// Machine-readable views of what Pupil knows, for tests and bug reports
    Debug(DebugArgs),
}

/// Options about the Puppet whose rules apply.
#[derive(Args, Debug, Clone)]
pub(crate) struct PuppetArgs {
    /// The release of Puppet whose rules apply [default: what pupil.toml says, else 8]
    #[arg(long = "puppet", value_name = "RELEASE")]
    pub(crate) release: Option<Release>,
    /// A directory that holds modules (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub(crate) modulepath: Vec<PathBuf>,
}

impl PuppetArgs {
    /// The release that is named, else the newest one.
    pub(crate) fn version(&self) -> PuppetVersion {
        self.release.map(Into::into).unwrap_or_default()
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
    /// On a terminal
    Auto,
    Always,
    Never,
}

#[derive(Args, Debug)]
pub(crate) struct FormatArgs {
    /// Files and directories; directories are searched for *.pp, without what .gitignore names and
    /// without hidden files; `-` is standard input, whose layout goes to standard output
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Write nothing, name the files that have another layout, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing, show what would be changed, and exit with 1 if there is anything
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Files and directories; directories are searched for *.pp and *.epp, without what
    /// .gitignore names and without hidden files
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// How findings are written
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Apply the fixes that are certain, and report what is left
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) fix: bool,
    /// With --fix: show what would be changed and write nothing
    #[arg(long, requires = "fix")]
    pub(crate) diff: bool,
    /// A file with findings that are known and not told again [default: what pupil.toml says]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings to this file as known
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Look at each file by itself, as `puppet parser validate` does: names are not followed
    #[arg(long = "static")]
    pub(crate) alone: bool,
    /// When text output has colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Messages with excerpts, for people
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, as code scanners exchange it
    Sarif,
    /// Workflow commands that GitHub shows beside the code
    Github,
    /// A Code Quality report, which GitLab shows in merge requests
    Gitlab,
}

#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// Puppet code; without it, what standard input has, or what is entered at a terminal
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// A JSON file with an object of facts
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,
    /// The release of Puppet whose rules apply
    #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
    pub(crate) release: Release,
    /// When output has colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(Args, Debug)]
pub(crate) struct ServerArgs {
    /// Accepted because editors say it; there is no other way
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
    /// Workspace folders, or files
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// A directory that holds modules (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub(crate) modulepath: Vec<PathBuf>,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: WorkspaceFormat,
    /// When text output has colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WorkspaceFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct HoverArgs {
    /// The place; lines and columns count from 1, columns in characters
    #[arg(value_name = "FILE:LINE:COLUMN")]
    pub(crate) place: String,
    #[command(flatten)]
    pub(crate) puppet: PuppetArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The name of a rule, as findings show it; without it, all rules are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct DebugArgs {
    #[command(subcommand)]
    pub(crate) command: DebugCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum DebugCommand {
    /// Verdict and errors of each file named on standard input, as JSON lines
    Parse(DebugParseArgs),
    /// Value and types of each source in the objects {"id", "source"} on standard input, as JSON
    /// lines
    Eval {
        /// The release of Puppet whose rules apply
        #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
        release: Release,
    },
    /// Answers to questions about types, which are objects {"id", "op", …} on standard input, as
    /// JSON lines
    Types,
    /// The lossless tree of a file, a node or token a line
    Tree {
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// What is inferred of every expression, parameter and assigned variable, as JSON lines
    Infer {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
    /// The names that files use and what became of each, as JSON lines
    References {
        /// Files and directories
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        puppet: PuppetArgs,
    },
    /// The JSON Schema of pupil.toml
    Schema,
    /// Sizes, times and memory of checking files, as one JSON object
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
    /// Add the tree
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) ast: Option<AstForm>,
    /// Standard input has objects {"id", "source", "path"?} instead of paths
    #[arg(long)]
    pub(crate) json: bool,
    /// The release of Puppet whose rules apply
    #[arg(long = "puppet", value_name = "RELEASE", default_value = "8")]
    pub(crate) release: Release,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AstForm {
    /// Puppet's PN notation
    Pn,
}
