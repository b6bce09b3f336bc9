//! Conversion of signature help.

use analysis::ide::{self, CallParameter, CallSignature};
use syntax::TextSize;
use tower_lsp::ls_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation,
};

use super::super::client_capabilities::ResolvedClientCapabilities;

pub(in crate::lsp) fn signature_help(
    found: ide::SignatureHelp,
    client: &ResolvedClientCapabilities,
) -> SignatureHelp {
    let active = found.signatures.get(found.active).and_then(|it| it.active);
    let signatures = found.signatures.into_iter();
    SignatureHelp {
        signatures: signatures.map(|it| signature(it, client)).collect(),
        active_signature: u32::try_from(found.active).ok(),
        active_parameter: number(active),
    }
}

fn number(index: Option<usize>) -> Option<u32> {
    index.and_then(|it| u32::try_from(it).ok())
}

fn signature(found: CallSignature, client: &ResolvedClientCapabilities) -> SignatureInformation {
    let parameters = found.parameters.into_iter();
    let parameters = parameters.map(|it| parameter(it, &found.label, client));
    SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: found.documentation.map(|it| markup(it, client)),
        active_parameter: number(found.active),
        label: found.label,
    }
}

fn parameter(
    found: CallParameter,
    label: &str,
    client: &ResolvedClientCapabilities,
) -> ParameterInformation {
    let (start, end) = (found.range.start(), found.range.end());
    ParameterInformation {
        label: match client.parameter_label_offsets {
            true => ParameterLabel::LabelOffsets([units(label, start), units(label, end)]),
            false => ParameterLabel::Simple(label[found.range].to_owned()),
        },
        documentation: found.documentation.map(|it| markup(it, client)),
    }
}

/// Returns the number of UTF-16 code units before an offset. Label offsets are always in UTF-16,
/// regardless of the position encoding.
fn units(label: &str, offset: TextSize) -> u32 {
    let units = label[..usize::from(offset)].encode_utf16().count();
    u32::try_from(units).unwrap_or(u32::MAX)
}

fn markup(markdown: String, client: &ResolvedClientCapabilities) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: match client.markdown_signatures {
            true => MarkupKind::Markdown,
            false => MarkupKind::PlainText,
        },
        value: markdown,
    })
}
