//! The attributes that the resources of an item set, as plain data.

use indexmap::IndexMap;
use syntax::TextRange;

use super::inferred::Inferred;
use types::Type;

/// The attributes that a resource body, a hash or resource defaults set.
#[derive(Clone, Default)]
pub(super) struct AttributeSet {
    pub(super) attributes: Vec<SetAttribute>,
    /// Whether it may set further attributes.
    pub(super) is_open: bool,
}

/// An attribute that is set.
#[derive(Clone)]
pub(super) struct SetAttribute {
    pub(super) name: String,
    pub(super) value: Inferred,
    /// The range to report; `None` if it is shared with other resources.
    pub(super) range: Option<TextRange>,
}

/// The resources and defaults of an item.
#[derive(Default)]
pub(super) struct DeclaredSets {
    /// The resources by the range of the title.
    pub(super) resources: IndexMap<TextRange, DeclaredSet>,
    pub(super) defaults: Vec<(String, AttributeSet)>,
}

/// A resource of the item.
pub(super) struct DeclaredSet {
    pub(super) type_name: String,
    /// The range of the title.
    pub(super) title: TextRange,
    pub(super) set: AttributeSet,
}

/// The state of an attribute of a resource.
pub(super) enum Setting<'a> {
    Set(&'a SetAttribute),
    Unset,
    Unknown,
}

impl AttributeSet {
    /// Returns the state of an attribute.
    pub(super) fn get(&self, name: &str) -> Setting<'_> {
        match self.attributes.iter().find(|it| it.name == name) {
            Some(it) if it.value.is_a(&Type::Undef) == Some(true) => Setting::Unset,
            Some(it) if it.value.is_a(&Type::Undef) == Some(false) && !it.value.is_never() => {
                Setting::Set(it)
            }
            None if !self.is_open => Setting::Unset,
            _ => Setting::Unknown,
        }
    }

    /// Checks whether an attribute is certainly not set.
    pub(super) fn is_unset(&self, name: &str) -> bool {
        matches!(self.get(name), Setting::Unset)
    }

    /// Adds the attributes of defaults, which are set unless the resource sets them itself.
    pub(super) fn add_defaults(&mut self, defaults: &AttributeSet) {
        self.is_open |= defaults.is_open;
        for it in &defaults.attributes {
            match self.attributes.iter().position(|own| own.name == it.name) {
                // Attributes that are set to undef may get the default.
                Some(at) => {
                    let may_be_undef =
                        |own: &SetAttribute| own.value.is_a(&Type::Undef) != Some(false);
                    if let Some(own) = self.attributes.get_mut(at).filter(|own| may_be_undef(own)) {
                        own.value = Inferred::UNKNOWN;
                    }
                }
                None => self.attributes.push(SetAttribute {
                    range: None,
                    ..it.clone()
                }),
            }
        }
    }
}
