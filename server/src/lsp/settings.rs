//! What the user of a client wants, as the client says it.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use syntax::validation::PuppetVersion;
use tower_lsp::ls_types::Registration;
use tracing::level_filters::LevelFilter;

use crate::config::{HintConfig, nearest};

/// The name of the settings among those of a client.
pub(super) const SECTION: &str = "pupil";

/// Asks a client to tell of changed settings.
pub(super) fn registration() -> Registration {
    Registration {
        id: "pupil/settings".to_owned(),
        method: "workspace/didChangeConfiguration".to_owned(),
        register_options: Some(json!({"section": SECTION})),
    }
}

/// All settings that there are. Clients may have others of their own beside them.
const KNOWN: [&str; 5] = [
    "modulepath",
    "basemodulepath",
    "puppetVersion",
    "trace",
    "inlayHints",
];

/// The settings; what a client does not say is none of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ClientSettings {
    /// Folders that hold modules; relative ones lie in the first workspace folder.
    pub(super) modulepath: Vec<PathBuf>,
    /// What `$basemodulepath` stands for.
    pub(super) basemodulepath: Option<Vec<PathBuf>>,
    /// The release whose rules apply.
    pub(super) version: Option<PuppetVersion>,
    /// How much is logged.
    pub(super) trace: Option<LevelFilter>,
    /// Which hints are shown in the text.
    pub(super) hints: HintConfig,
    /// What of it makes no sense and is not heeded, each in a sentence.
    pub(super) problems: Vec<String>,
}

/// The names of [`HintConfig`] as they are usual in settings of editors.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Hints {
    types: Option<bool>,
    values: Option<bool>,
    arguments: Option<bool>,
    end_lines: Option<u32>,
}

impl ClientSettings {
    /// Reads them from a JSON value, in which they may lie below their name. `None` if nothing is
    /// said at all.
    pub(super) fn read(value: Value) -> Option<ClientSettings> {
        let all = match value {
            Value::Object(mut all) => match all.remove(SECTION) {
                Some(Value::Object(ours)) => ours,
                Some(_) => return None,
                None => all,
            },
            _ => return None,
        };
        let mut settings = ClientSettings::default();
        settings.fill(all);
        Some(settings)
    }

    fn fill(&mut self, mut all: Map<String, Value>) {
        let paths = "a list of folders";
        self.modulepath = self.take(&mut all, "modulepath", paths).unwrap_or_default();
        self.basemodulepath = self.take(&mut all, "basemodulepath", paths);
        let hints =
            "an object with types, values, arguments (true or false) and endLines (a number)";
        let hints: Hints = self.take(&mut all, "inlayHints", hints).unwrap_or_default();
        self.hints = HintConfig {
            types: hints.types,
            values: hints.values,
            arguments: hints.arguments,
            end_lines: hints.end_lines,
        };
        if let Some(value) = given(&mut all, "puppetVersion") {
            self.version = version(&value);
            if self.version.is_none() {
                self.problem("puppetVersion", "7 or 8", &value);
            }
        }
        if let Some(value) = given(&mut all, "trace") {
            self.trace = level(&value);
            // Clients have a setting of that name for their own log, which is an object.
            if self.trace.is_none() && !value.is_object() {
                self.problem("trace", "off, messages or verbose", &value);
            }
        }
        for name in all.keys() {
            let known = KNOWN.map(str::to_owned);
            if let Some(near) = nearest(name, known.iter()) {
                let problem = format!("{SECTION}.{name} is no setting, did you mean {near}?");
                self.problems.push(problem);
            }
        }
    }

    /// A setting of the kind that is expected.
    fn take<T: DeserializeOwned>(
        &mut self,
        all: &mut Map<String, Value>,
        name: &str,
        expected: &str,
    ) -> Option<T> {
        let value = given(all, name)?;
        let read = serde_json::from_value(value.clone()).ok();
        if read.is_none() {
            self.problem(name, expected, &value);
        }
        read
    }

    fn problem(&mut self, name: &str, expected: &str, value: &Value) {
        /// How much of the value is shown, in characters.
        const MAX_SHOWN: usize = 60;
        let shown = analysis::shortened(&value.to_string(), MAX_SHOWN);
        let problem = format!("{SECTION}.{name} is not used: it must be {expected}, not {shown}");
        self.problems.push(problem);
    }
}

/// What is said of a setting, if anything is.
fn given(all: &mut Map<String, Value>, name: &str) -> Option<Value> {
    all.remove(name).filter(|it| !it.is_null())
}

fn version(value: &Value) -> Option<PuppetVersion> {
    let text = match value {
        Value::String(it) => it.clone(),
        Value::Number(it) => it.to_string(),
        _ => return None,
    };
    match text.split('.').next() {
        Some("7") => Some(PuppetVersion::V7),
        Some("8") => Some(PuppetVersion::V8),
        _ => None,
    }
}

/// The words of the protocol, or those of logs.
fn level(value: &Value) -> Option<LevelFilter> {
    let word = value.as_str().or_else(|| value.get("server")?.as_str())?;
    match word {
        "off" => Some(LevelFilter::WARN),
        "messages" => Some(LevelFilter::INFO),
        "verbose" => Some(LevelFilter::DEBUG),
        other => other.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let settings = ClientSettings::read(json!({"pupil": {
            "modulepath": ["a", "/b"],
            "basemodulepath": null,
            "puppetVersion": 7,
            "trace": {"server": "verbose"},
            "inlayHints": {"types": false, "endLines": 0},
            "other": 1,
        }}));
        let expected = ClientSettings {
            modulepath: vec!["a".into(), "/b".into()],
            version: Some(PuppetVersion::V7),
            trace: Some(LevelFilter::DEBUG),
            hints: HintConfig {
                types: Some(false),
                end_lines: Some(0),
                ..HintConfig::default()
            },
            ..ClientSettings::default()
        };
        assert_eq!(settings, Some(expected));
        assert_eq!(ClientSettings::read(json!(null)), None);
        assert_eq!(ClientSettings::read(json!({"pupil": null})), None);
    }

    #[test]
    fn what_makes_no_sense_is_told_and_the_rest_is_heeded() {
        let settings = ClientSettings::read(json!({
            "modulepath": 1,
            "basemodulepath": ["b"],
            "puppetVersion": "nine",
            "trace": "loud",
            "inlayHints": {"typos": true},
            "modulpath": [],
        }));
        let settings = settings.expect("an object is read");
        assert_eq!(settings.basemodulepath, Some(vec!["b".into()]));
        assert_eq!(
            settings.problems,
            [
                "pupil.modulepath is not used: it must be a list of folders, not 1",
                "pupil.inlayHints is not used: it must be an object with types, values, arguments \
                 (true or false) and endLines (a number), not {\"typos\":true}",
                "pupil.puppetVersion is not used: it must be 7 or 8, not \"nine\"",
                "pupil.trace is not used: it must be off, messages or verbose, not \"loud\"",
                "pupil.modulpath is no setting, did you mean modulepath?",
            ]
        );
    }
}
