//! The text that a template renders.

/// The text that a template has rendered so far.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) text: String,
    /// Whether a rendered value is sensitive, and so the whole text.
    pub(super) is_sensitive: bool,
}
