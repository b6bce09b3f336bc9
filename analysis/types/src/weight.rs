//! The size of a type, for limits.

use super::alias::each_child;
use super::{ObjectType, Type};
use crate::values::Value;

/// The weight at which counting stops.
pub(super) const MAX: u64 = 50_000;
/// The maximum nesting depth of types.
pub(super) const MAX_DEPTH: u32 = 1_000;

/// Returns the number of nodes of a type: the cost of a traversal. Shared parts are counted once
/// per occurrence, aliases with their bodies. Returns a huge number for a type beyond the limits.
pub fn weight(ty: &Type) -> u64 {
    let mut scale = Scale { left: MAX };
    match scale.put(ty, 0) {
        Some(()) => MAX - scale.left,
        None => u64::MAX >> 8,
    }
}

struct Scale {
    left: u64,
}

impl Scale {
    /// Returns `None` if the type is too large.
    fn put(&mut self, ty: &Type, depth: u32) -> Option<()> {
        self.take(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        match ty {
            Type::Enum(it) => self.take(it.values().len() as u64)?,
            Type::Pattern(patterns) => self.take(patterns.len() as u64)?,
            Type::SemVer(ranges) => self.take(ranges.len() as u64)?,
            Type::Init(Some(it)) => self.take(it.args.iter().map(Value::weight).sum())?,
            Type::Object(it) => self.object(it, depth)?,
            Type::ObjectExtension(it) => self.object(&it.base, depth)?,
            Type::Alias(alias) => self.put(alias.body(), depth + 1)?,
            _ => {}
        }
        let mut fits = Some(());
        each_child(ty, &mut |child| {
            if fits.is_some() {
                fits = self.put(child, depth + 1);
            }
        });
        fits
    }

    fn take(&mut self, parts: u64) -> Option<()> {
        self.left = self.left.checked_sub(parts)?;
        Some(())
    }

    fn object(&mut self, object: &ObjectType, depth: u32) -> Option<()> {
        let attributes = object.attributes.values().map(|it| &it.ty);
        let mut types = attributes.chain(&object.parent);
        types.try_for_each(|it| self.put(it, depth + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_shared_parts_per_occurrence() {
        let pair = |it: Type| Type::tuple([it.clone(), it], None);
        assert_eq!(weight(&Type::INTEGER), 1);
        assert_eq!(weight(&pair(pair(Type::INTEGER))), 7);
        let immense = (0..60).fold(Type::INTEGER, |it, _| pair(it));
        assert!(weight(&immense) > MAX);
        let deep = (0..2_000).fold(Type::INTEGER, |it, _| Type::array(it, None));
        assert!(weight(&deep) > MAX);
    }
}
