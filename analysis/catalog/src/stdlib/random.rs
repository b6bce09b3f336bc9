//! Random numbers that only depend on a seed, as `Random` of Ruby computes them.

use md5::{Digest, Md5};
use rand_mt::Mt;
use types::values::Value;

/// Returns a number below a limit for a seed; `None` for limits that need two words, or none.
pub(crate) fn number(text: &str, limit: i64) -> Option<i64> {
    let last = u32::try_from(limit.checked_sub(1)?).ok()?;
    let digest = Md5::digest(text.as_bytes());
    let mut words: Vec<u32> = digest
        .chunks_exact(4)
        .filter_map(|it| Some(u32::from_be_bytes(it.try_into().ok()?)))
        .collect();
    words.reverse();
    // Ruby leaves out such a word.
    if matches!(words.last(), Some(0 | 1)) {
        return None;
    }
    let mut generator = Mt::new_with_key(words);
    Some(i64::from(up_to(&mut generator, last)))
}

/// Rotates an array or the characters of a string.
pub(crate) fn rotated(value: &Value, seed: &str) -> Option<Value> {
    match value {
        Value::Array(items) if items.len() > 1 => {
            let mut items = items.to_vec();
            let offset = offset(seed, items.len())?;
            items.rotate_left(offset);
            Some(Value::array(items))
        }
        Value::String(text) => {
            let mut characters: Vec<char> = text.chars().collect();
            if characters.len() > 1 {
                let offset = offset(seed, characters.len())?;
                characters.rotate_left(offset);
            }
            Some(Value::from(String::from_iter(characters)))
        }
        Value::Array(_) => Some(value.clone()),
        _ => None,
    }
}

fn offset(seed: &str, length: usize) -> Option<usize> {
    let limit = i64::try_from(length).ok()?;
    usize::try_from(number(seed, limit)?).ok()
}

/// Returns a number of at most `last`. Ruby retries as long as the bits that `last` has are a greater one.
fn up_to(generator: &mut Mt, last: u32) -> u32 {
    let mask = u32::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
    loop {
        let number = match mask {
            0 => 0,
            mask => generator.next_u32() & mask,
        };
        if number <= last {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_numbers_of_ruby() {
        for (seed, limit, wanted) in [
            ("node1.example.com:30:x", 30, Some(3)),
            ("a", 1_000, Some(159)),
            ("n:", 5, Some(3)),
            ("a", 1, Some(0)),
            ("a", 0, None),
            ("a", 1 << 33, None),
        ] {
            assert_eq!(number(seed, limit), wanted, "{seed} {limit}");
        }
    }

    #[test]
    fn rotates() {
        let text = Value::from("abcde");
        assert_eq!(rotated(&text, "n:"), Some("deabc".into()));
        let items = Value::array(vec!["a".into()]);
        assert_eq!(rotated(&items, "n:"), Some(items));
    }
}
