//! Parses any text as types, one per line, and relates pairs of them.

#![no_main]

use analysis::types::reader::{BuiltInTypes, read};
use analysis::types::{
    Type, assignable, is_assignable, common_type, display, display_exact, display_hover, equivalent, generalize,
    iterable_type, mismatch, normalize,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let types: Vec<Type> = text
        .lines()
        .take(3)
        .filter_map(|line| read(line, &BuiltInTypes).ok())
        .collect();
    for ty in &types {
        let _ = (display(ty), display_exact(ty), display_hover(ty));
        let _ = (normalize(ty), generalize(ty), iterable_type(ty));
        let text = display(ty);
        // As in Puppet, an `Error` whose parameter is a pattern accepts the strings that match it, but
        // not itself, and an `Optional` of an empty `Variant` accepts no empty `Variant`.
        if !text.contains("Error[") && !text.contains("Optional[Variant]") {
            assert!(is_assignable(ty, ty) != Some(false), "{text} is not assignable to itself");
        }
    }
    for (a, b) in types.iter().zip(types.iter().skip(1)) {
        let _ = (equivalent(a, b), assignable(a, b), common_type(a, b));
        let _ = mismatch::describe("it", a, b);
    }
});
