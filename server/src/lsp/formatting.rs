//! The registration of the formatters, for manifests only.
//!
//! Clients attach the server to data of Hiera too. If it announced its formatters for all documents,
//! VS Code would ask users to choose between them and those of the server for YAML.

use serde_json::{Value, json};
use tower_lsp::ls_types::{DocumentOnTypeFormattingOptions, Registration};

/// Returns when to format while the user types.
pub(super) fn on_type_options() -> DocumentOnTypeFormattingOptions {
    DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_owned(),
        more_trigger_character: Some(vec!["\n".to_owned(), ";".to_owned()]),
    }
}

/// Returns the registrations for documents with Puppet code.
pub(super) fn registrations() -> Vec<Registration> {
    let on_type = on_type_options();
    let on_type = json!({
        "documentSelector": selector(),
        "firstTriggerCharacter": on_type.first_trigger_character,
        "moreTriggerCharacter": on_type.more_trigger_character,
    });
    let whole = json!({"documentSelector": selector()});
    let methods = [
        ("formatting", whole.clone()),
        ("rangeFormatting", whole),
        ("onTypeFormatting", on_type),
    ];
    methods
        .map(|(name, options)| Registration {
            id: format!("pupil/{name}"),
            method: format!("textDocument/{name}"),
            register_options: Some(options),
        })
        .into()
}

/// Selects Puppet code by the language IDs of editors. "epuppet" is that of Vim for templates.
fn selector() -> Value {
    json!([{"language": "puppet"}, {"language": "epp"}, {"language": "epuppet"}])
}
