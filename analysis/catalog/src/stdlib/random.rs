//! Random numbers that only depend on a seed, as `Random` of Ruby computes them.

use md5::{Digest, Md5};
use types::values::Value;

/// The size of the state of the Mersenne Twister.
const SIZE: usize = 624;

/// The distance of the words that the Mersenne Twister combines.
const MIDDLE: usize = 397;

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
    let mut generator = MersenneTwister::new(&words);
    Some(i64::from(generator.up_to(last)))
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

/// The generator MT19937.
struct MersenneTwister {
    state: [u32; SIZE],
    /// The index of the next word; the state is renewed at its end.
    index: usize,
}

impl MersenneTwister {
    /// Creates a generator from the words of a seed, the lowest first.
    fn new(seed: &[u32]) -> MersenneTwister {
        let mut state = [0; SIZE];
        let mut last: u32 = 19_650_218;
        for (index, word) in (0_u32..).zip(&mut state) {
            if index > 0 {
                last = (last ^ (last >> 30))
                    .wrapping_mul(1_812_433_253)
                    .wrapping_add(index);
            }
            *word = last;
        }
        let mut generator = MersenneTwister { state, index: SIZE };
        let mut at = 1;
        let words = (0_u32..).zip(seed).cycle();
        for (index, word) in words.take(SIZE.max(seed.len())) {
            let added = word.wrapping_add(index);
            at = generator.mix(at, 1_664_525, |it| it.wrapping_add(added));
        }
        for _ in 1..SIZE {
            let removed = u32::try_from(at).unwrap_or_default();
            at = generator.mix(at, 1_566_083_941, |it| it.wrapping_sub(removed));
        }
        generator.set(0, 1 << 31);
        generator
    }

    /// Mixes a word with the previous one. Returns the index of the next word.
    fn mix(&mut self, at: usize, factor: u32, change: impl Fn(u32) -> u32) -> usize {
        let previous = self.word(at - 1);
        let mixed = (previous ^ (previous >> 30)).wrapping_mul(factor);
        self.set(at, change(self.word(at) ^ mixed));
        if at + 1 < SIZE {
            return at + 1;
        }
        self.set(0, self.word(SIZE - 1));
        1
    }

    fn word(&self, index: usize) -> u32 {
        self.state.get(index % SIZE).copied().unwrap_or_default()
    }

    fn set(&mut self, index: usize, word: u32) {
        if let Some(at) = self.state.get_mut(index) {
            *at = word;
        }
    }

    /// Returns the next 32 bits.
    fn next(&mut self) -> u32 {
        if self.index >= SIZE {
            self.renew();
        }
        let mut word = self.word(self.index);
        self.index += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn renew(&mut self) {
        for index in 0..SIZE {
            let both = self.word(index) & (1 << 31) | self.word(index + 1) & !(1 << 31);
            let twisted = match both & 1 {
                0 => both >> 1,
                _ => (both >> 1) ^ 0x9908_b0df,
            };
            self.set(index, self.word(index + MIDDLE) ^ twisted);
        }
        self.index = 0;
    }

    /// Returns a number of at most `last`. Ruby retries as long as the bits that `last` has are a greater one.
    fn up_to(&mut self, last: u32) -> u32 {
        let mask = u32::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
        loop {
            let number = match mask {
                0 => 0,
                mask => self.next() & mask,
            };
            if number <= last {
                return number;
            }
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
