//! Ruby's `<=>` and `sort`.

use std::cmp::Ordering;

use types::Type;
use types::values::{Value, compare};

/// Ruby's `<=>`. Returns `None` for values without an order, unless they are the same.
pub(crate) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Array(a), Value::Array(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match order(a, b) {
                    Some(Ordering::Equal) => {}
                    other => return other,
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (Value::Type(a), Value::Type(b)) => same_type(a, b).then_some(Ordering::Equal),
        _ => match compare(a, b) {
            Ok(order) => Some(order),
            Err(_) => (a == b).then_some(Ordering::Equal),
        },
    }
}

fn same_type(a: &Type, b: &Type) -> bool {
    a == b
}

/// Sorts with a merge sort, as Ruby does on Linux. It is stable.
///
/// # Errors
///
/// The first error of the comparison.
pub(crate) fn sort<T: Clone, E>(
    items: &[T],
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<Vec<T>, E> {
    if items.len() < 2 {
        return Ok(items.to_vec());
    }
    let (left, right) = items.split_at(items.len() / 2);
    let (left, right) = (sort(left, compare)?, sort(right, compare)?);
    let mut sorted = Vec::with_capacity(items.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = if compare(a, b)? == Ordering::Greater {
            right.next()
        } else {
            left.next()
        };
        sorted.extend(next.cloned());
    }
    sorted.extend(left.cloned());
    sorted.extend(right.cloned());
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let items = [Value::from(2), Value::from(1.0), Value::from(1)];
        let sorted = sort(&items, &mut |a, b| order(a, b).ok_or(()));
        let expected = vec![Value::from(1.0), Value::from(1), Value::from(2)];
        assert_eq!(sorted, Ok(expected));
        let mixed = [Value::from(2), Value::from("a")];
        assert_eq!(sort(&mixed, &mut |a, b| order(a, b).ok_or(())), Err(()));
    }

    #[test]
    fn compares_arrays_by_elements() {
        let list = |items: &[i64]| Value::array(items.iter().copied().map(Value::from).collect());
        assert_eq!(order(&list(&[1, 2]), &list(&[1])), Some(Ordering::Greater));
        assert_eq!(
            order(&Value::from("B"), &Value::from("a")),
            Some(Ordering::Less)
        );
        assert_eq!(order(&Value::from(true), &Value::from(false)), None);
    }
}
