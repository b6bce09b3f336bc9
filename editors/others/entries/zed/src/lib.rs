//! Starts Pupil in Zed: the program on the PATH, or else the one of a release.

use std::fs;

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    self as zed, Architecture, Command, DownloadedFileType, LanguageServerId, Os, Result, Worktree,
};

const REPOSITORY: &str = "@SLUG@";
const RELEASE: &str = "v@VERSION@";

struct Pupil;

impl zed::Extension for Pupil {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |it| (it.path, it.arguments));
        let command = match path.or_else(|| worktree.which("pupil")) {
            Some(path) => path,
            None => downloaded_program()?,
        };
        let args = arguments.unwrap_or_else(|| vec!["server".to_owned()]);
        Ok(Command {
            command,
            args,
            env: Vec::new(),
        })
    }
}

/// Returns the path of the program of a release, downloaded if necessary.
fn downloaded_program() -> Result<String> {
    let (os, architecture) = zed::current_platform();
    let (system, extension, kind, program) = match os {
        Os::Linux => (
            "unknown-linux-musl",
            "tar.gz",
            DownloadedFileType::GzipTar,
            "pupil",
        ),
        Os::Mac => (
            "apple-darwin",
            "tar.gz",
            DownloadedFileType::GzipTar,
            "pupil",
        ),
        Os::Windows => (
            "pc-windows-msvc",
            "zip",
            DownloadedFileType::Zip,
            "pupil.exe",
        ),
    };
    let processor = match architecture {
        Architecture::X8664 => "x86_64",
        Architecture::Aarch64 => "aarch64",
        Architecture::X86 => return Err("no releases of Pupil for 32-bit processors".to_owned()),
    };
    let name = format!("pupil-{processor}-{system}");
    let path = format!("{RELEASE}/{name}/{program}");
    if fs::metadata(&path).is_ok_and(|it| it.is_file()) {
        return Ok(path);
    }
    let file = format!("{name}.{extension}");
    let release = zed::github_release_by_tag_name(REPOSITORY, RELEASE)?;
    let asset = release
        .assets
        .iter()
        .find(|it| it.name == file)
        .ok_or_else(|| format!("no {file} in {RELEASE}"))?;
    zed::download_file(&asset.download_url, RELEASE, kind)?;
    zed::make_file_executable(&path)?;
    Ok(path)
}

zed::register_extension!(Pupil);
