//! Combinations of the possible values of several expressions.

use types::values::Value;

/// Returns all lists with one value of each choice, those of the last choice varying fastest, or
/// `None` if there are more than `limit`.
pub(super) fn combinations(choices: &[Vec<Value>], limit: usize) -> Option<Vec<Vec<Value>>> {
    let mut count = 1;
    for choice in choices {
        count *= choice.len();
        if count > limit {
            return None;
        }
    }
    Some((0..count).map(|it| combination(choices, it)).collect())
}

/// Returns the combination of a number, whose digits are the indices of the values.
fn combination(choices: &[Vec<Value>], mut number: usize) -> Vec<Value> {
    let mut list = Vec::with_capacity(choices.len());
    for choice in choices.iter().rev() {
        list.push(choice[number % choice.len()].clone());
        number /= choice.len();
    }
    list.reverse();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(all: &[i64]) -> Vec<Value> {
        all.iter().copied().map(Value::Integer).collect()
    }

    #[test]
    fn last_choice_varies_fastest() {
        let choices = [numbers(&[1, 2]), numbers(&[3]), numbers(&[4, 5])];
        let expected = [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]];
        let expected = expected.map(|it| numbers(&it)).to_vec();
        assert_eq!(combinations(&choices, 4), Some(expected));
        assert_eq!(combinations(&choices, 3), None);
    }

    #[test]
    fn no_value_means_no_combination() {
        assert_eq!(
            combinations(&[numbers(&[1]), Vec::new()], 4),
            Some(Vec::new())
        );
        assert_eq!(combinations(&[], 4), Some(vec![Vec::new()]));
    }
}
