//! What the user of a client wants, as the client says it.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use syntax::validation::PuppetVersion;
use tracing::level_filters::LevelFilter;
use tracing::warn;

/// The name of the settings among those of a client.
pub(super) const SECTION: &str = "pupil";

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
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Raw {
    modulepath: Option<Vec<PathBuf>>,
    basemodulepath: Option<Vec<PathBuf>>,
    puppet_version: Option<Value>,
    trace: Option<Value>,
}

impl ClientSettings {
    /// Reads them from a JSON value, in which they may lie below their name. `None` if nothing is
    /// said at all; what makes no sense is logged and left out.
    pub(super) fn read(value: Value) -> Option<ClientSettings> {
        let value = match value {
            Value::Object(mut all) => all.remove(SECTION).unwrap_or(Value::Object(all)),
            _ => return None,
        };
        let raw: Raw = serde_json::from_value(value)
            .inspect_err(|error| warn!("the settings make no sense and are ignored: {error}"))
            .ok()?;
        Some(ClientSettings {
            modulepath: raw.modulepath.unwrap_or_default(),
            basemodulepath: raw.basemodulepath,
            version: raw.puppet_version.as_ref().and_then(version),
            trace: raw.trace.as_ref().and_then(level),
        })
    }
}

fn version(value: &Value) -> Option<PuppetVersion> {
    let text = match value {
        Value::String(it) => it.clone(),
        other => other.to_string(),
    };
    match text.split('.').next() {
        Some("7") => Some(PuppetVersion::V7),
        Some("8") => Some(PuppetVersion::V8),
        _ => {
            warn!("{text} is no release of Puppet that is known");
            None
        }
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
    use serde_json::json;

    #[test]
    fn settings_are_read() {
        let settings = ClientSettings::read(json!({"pupil": {
            "modulepath": ["a", "/b"],
            "puppetVersion": 7,
            "trace": {"server": "verbose"},
            "other": 1,
        }}));
        let expected = ClientSettings {
            modulepath: vec!["a".into(), "/b".into()],
            basemodulepath: None,
            version: Some(PuppetVersion::V7),
            trace: Some(LevelFilter::DEBUG),
        };
        assert_eq!(settings, Some(expected));
        assert_eq!(ClientSettings::read(json!(null)), None);
        assert_eq!(ClientSettings::read(json!({"modulepath": 1})), None);
        let none = ClientSettings::read(json!({"puppetVersion": "nine"}));
        assert_eq!(none, Some(ClientSettings::default()));
    }
}
