//! Checks the known values of arguments, such as regular expressions and format strings,
//! independently of the other arguments.

use super::calls::{Call, known_string};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{TypeProblemKind, ValueTarget};
use eval::Issue;
use library::KnownFunction;
use syntax::TextRange;
use types::is_resolved;
use types::values::{Regexp, RegexpError, Value};

impl InferenceContext<'_> {
    /// Checks the arguments of a function, and returns whether the call may succeed.
    pub(super) fn check_argument_values(&mut self, function: KnownFunction, call: &Call) -> bool {
        match function {
            KnownFunction::Sprintf => self.check_format(call),
            KnownFunction::AssertType if call.lambda.is_none() => self.check_assertion(call),
            _ if function.takes_regex() => self.check_pattern(function.name(), call),
            _ => true,
        }
    }

    fn check_pattern(&mut self, function: &str, call: &Call) -> bool {
        let (Some(pattern), Some(range)) = (call.arguments.get(1), call.ranges.get(1)) else {
            return true;
        };
        self.check_regexp(Some(function), *range, pattern)
    }

    /// Checks whether a string is a valid regular expression.
    pub(super) fn check_regexp(
        &mut self,
        function: Option<&str>,
        range: TextRange,
        pattern: &Inferred,
    ) -> bool {
        let Some(source) = known_string(pattern) else {
            return true;
        };
        match Regexp::new(&source).check() {
            Err(error @ RegexpError::Invalid(_)) => {
                let kind = TypeProblemKind::EvaluationError {
                    function: function.map(str::to_owned),
                    issue: Issue::MatchNotRegexp,
                    message: error.to_string(),
                };
                self.report(range, kind);
                false
            }
            _ => true,
        }
    }

    /// Checks whether a format string has no more directives than there are arguments.
    fn check_format(&mut self, call: &Call) -> bool {
        let (Some(format), false) = (
            call.arguments.first().and_then(known_string),
            call.has_unknown_splat,
        ) else {
            return true;
        };
        let given = call.arguments.len() - 1;
        let Some(needed) = directives(&format).filter(|it| *it > given) else {
            return true;
        };
        let range = call.ranges.first().copied().unwrap_or(call.range);
        let message = format!("the format takes {needed} values, and gets {given}");
        let kind = TypeProblemKind::EvaluationError {
            function: Some(KnownFunction::Sprintf.name().to_owned()),
            issue: Issue::RuntimeError,
            message,
        };
        self.report(range, kind);
        false
    }

    fn check_assertion(&mut self, call: &Call) -> bool {
        let ([type_, value], false) = (call.arguments.as_slice(), call.has_unknown_splat) else {
            return true;
        };
        let expected = match &type_.value {
            Some(Value::Type(it)) => Some(it.clone()),
            Some(Value::String(it)) => self.types.read_text(it),
            _ => None,
        };
        let Some(expected) = expected.filter(is_resolved) else {
            return true;
        };
        let range = call.ranges.get(1).copied().unwrap_or(call.range);
        self.check_assignable(range, value, &expected, || ValueTarget::Assertion);
        value.is_never() || value.is_a(&expected) != Some(false)
    }
}

/// Returns the number of arguments that a format string consumes; `None` if it uses numbered or
/// named arguments.
fn directives(format: &str) -> Option<usize> {
    let mut count = 0;
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '%' {
            continue;
        }
        while chars
            .peek()
            .is_some_and(|it| "0123456789 +-#.".contains(*it))
        {
            chars.next();
        }
        match chars.next()? {
            '%' => {}
            'd' | 'i' | 'u' | 's' | 'p' | 'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' | 'x' | 'X'
            | 'o' | 'b' | 'B' | 'c' => count += 1,
            _ => return None,
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::directives;

    #[test]
    fn directives_are_counted() {
        assert_eq!(directives("no"), Some(0));
        assert_eq!(directives("%s, %05.2f and 100%%"), Some(2));
        // Numbered and named arguments, and widths taken from arguments.
        assert_eq!(directives("%1$s"), None);
        assert_eq!(directives("%<a>s"), None);
        assert_eq!(directives("%*d"), None);
        assert_eq!(directives("%"), None);
    }
}
