//! The settings of the client.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use syntax::validation::PuppetVersion;
use tower_lsp::ls_types::Registration;
use tracing::level_filters::LevelFilter;

use crate::config::HintConfig;
use analysis::base::suggest::similar;

/// The section of the settings.
pub(super) const SECTION: &str = "pupil";

/// Returns the registration for changes of the settings.
pub(super) fn registration() -> Registration {
    Registration {
        id: "pupil/settings".to_owned(),
        method: "workspace/didChangeConfiguration".to_owned(),
        register_options: Some(json!({"section": SECTION})),
    }
}

/// The settings that the server knows.
const KNOWN: [&str; 6] = [
    "modulepath",
    "basemodulepath",
    "puppetVersion",
    "trace",
    "inlayHints",
    "diagnosticsDelay",
];

/// Settings of the same section that only extensions of editors read.
const OF_EXTENSIONS: [&str; 1] = ["server"];

/// The settings of the client. Missing ones have no effect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ClientSettings {
    /// Additional folders of modules, relative to the first workspace folder.
    pub(super) modulepath: Vec<PathBuf>,
    /// The value of `$basemodulepath`.
    pub(super) basemodulepath: Option<Vec<PathBuf>>,
    /// The Puppet version.
    pub(super) version: Option<PuppetVersion>,
    /// The log level.
    pub(super) trace: Option<LevelFilter>,
    /// The inlay hints to show.
    pub(super) hints: HintConfig,
    /// The pause in typing after which all diagnostics are shown.
    pub(super) diagnostics_delay: Option<Duration>,
    /// Messages about misspelled and invalid settings, which are ignored.
    pub(super) problems: Vec<String>,
    /// Messages about other unknown settings, which are only logged: they may be meant for the client.
    pub(super) unknown: Vec<String>,
}

/// The fields of [`HintConfig`] in camel case, as is usual for editor settings.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Hints {
    types: Option<bool>,
    lambda_types: Option<bool>,
    values: Option<bool>,
    attribute_values: Option<bool>,
    arguments: Option<bool>,
    closing_braces: Option<bool>,
    overridden_keys: Option<bool>,
    end_lines: Option<u32>,
}

impl ClientSettings {
    /// Reads the settings from a JSON value, either directly or under [`SECTION`]. Returns `None`
    /// if it contains no settings at all.
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
        let paths = "a list of directories";
        self.modulepath = self.take(&mut all, "modulepath", paths).unwrap_or_default();
        self.basemodulepath = self.take(&mut all, "basemodulepath", paths);
        let hints = "an object with `types`, `lambdaTypes`, `values`, `attributeValues`, \
                     `arguments`, `closingBraces`, `overriddenKeys` (booleans) and `endLines` (a number)";
        let hints: Hints = self.take(&mut all, "inlayHints", hints).unwrap_or_default();
        self.hints = HintConfig {
            types: hints.types,
            lambda_types: hints.lambda_types,
            values: hints.values,
            attribute_values: hints.attribute_values,
            arguments: hints.arguments,
            closing_braces: hints.closing_braces,
            overridden_keys: hints.overridden_keys,
            end_lines: hints.end_lines,
        };
        let milliseconds = "a number of milliseconds";
        let delay: Option<u32> = self.take(&mut all, "diagnosticsDelay", milliseconds);
        self.diagnostics_delay = delay.map(|it| Duration::from_millis(it.into()));
        if let Some(value) = given(&mut all, "puppetVersion") {
            self.version = version(&value);
            if self.version.is_none() {
                self.problem("puppetVersion", "7 or 8", &value);
            }
        }
        if let Some(value) = given(&mut all, "trace") {
            self.trace = level(&value);
            // Some clients have a setting of this name for their own log, which is an object.
            if self.trace.is_none() && !value.is_object() {
                self.problem("trace", "`off`, `messages` or `verbose`", &value);
            }
        }
        for name in all.keys() {
            if OF_EXTENSIONS.contains(&&**name) {
                continue;
            }
            let unknown = format!("unknown setting `{SECTION}.{name}`");
            match similar(name, KNOWN) {
                Some(near) => self
                    .problems
                    .push(format!("{unknown}; did you mean `{SECTION}.{near}`?")),
                None => self.unknown.push(unknown),
            }
        }
    }

    /// Removes a setting and deserializes it. Records a problem if it is invalid.
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
        /// The maximum length of the shown value, in characters.
        const MAX_SHOWN: usize = 60;
        let shown = analysis::truncated(&value.to_string(), MAX_SHOWN);
        let problem =
            format!("invalid setting `{SECTION}.{name}`: expected {expected}, found `{shown}`");
        self.problems.push(problem);
    }
}

/// Removes a setting and returns its value unless it is `null`.
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

/// Parses a trace value of the protocol, or a log level.
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
    fn reads_settings() {
        let settings = ClientSettings::read(json!({"pupil": {
            "modulepath": ["a", "/b"],
            "basemodulepath": null,
            "puppetVersion": 7,
            "trace": {"server": "verbose"},
            "inlayHints": {"types": false, "endLines": 0},
            "diagnosticsDelay": 0,
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
            diagnostics_delay: Some(Duration::ZERO),
            unknown: vec!["unknown setting `pupil.other`".to_owned()],
            ..ClientSettings::default()
        };
        assert_eq!(settings, Some(expected));
        let of_extension = ClientSettings::read(json!({"pupil": {"server": {"path": "x"}}}));
        assert_eq!(of_extension, Some(ClientSettings::default()));
        assert_eq!(ClientSettings::read(json!(null)), None);
        assert_eq!(ClientSettings::read(json!({"pupil": null})), None);
    }

    #[test]
    fn reports_invalid_settings_and_applies_the_rest() {
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
                "invalid setting `pupil.modulepath`: expected a list of directories, found `1`",
                "invalid setting `pupil.inlayHints`: expected an object with `types`, \
                 `lambdaTypes`, `values`, `attributeValues`, `arguments`, `closingBraces`, \
                 `overriddenKeys` (booleans) and `endLines` (a number), found `{\"typos\":true}`",
                "invalid setting `pupil.puppetVersion`: expected 7 or 8, found `\"nine\"`",
                "invalid setting `pupil.trace`: expected `off`, `messages` or `verbose`, \
                 found `\"loud\"`",
                "unknown setting `pupil.modulpath`; did you mean `pupil.modulepath`?",
            ]
        );
    }
}
