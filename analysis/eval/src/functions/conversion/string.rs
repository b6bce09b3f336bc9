//! `String(…)`: converts any value to a string, with formats by type.
//!
//! `format` parses formats and selects the one for a value. `scalars` and `containers` apply them.

mod containers;
mod format;
mod scalars;

use format::{Format, Formats};

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::Type;
use types::values::Value;

pub(super) fn string(evaluator: &Evaluator<'_>, args: &[Value]) -> FlowResult {
    let (value, given) = match args {
        [value] => (value, &Value::Default),
        [value, given] => (value, given),
        _ => return Err(conversion_error("expected one value")),
    };
    let ty = types::infer_detailed(value);
    let formats = match given {
        Value::String(text) => Formats::of_value(&ty, text)?,
        Value::Hash(map) => Formats::of_map(map)?,
        _ => Formats::default(),
    };
    let writer = Writer { evaluator };
    writer
        .write(&ty, value, &formats, Indentation::TOP)
        .map(Value::from)
}

/// The indentation of nested containers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Indentation {
    level: usize,
    /// Whether nothing precedes the value on its level.
    first: bool,
    /// Whether line breaks are inserted.
    active: bool,
}

impl Indentation {
    const TOP: Indentation = Indentation {
        level: 0,
        first: true,
        active: false,
    };

    fn deeper(self, active: bool) -> Indentation {
        Indentation {
            level: self.level + 1,
            first: true,
            active,
        }
    }

    fn subsequent(self) -> Indentation {
        Indentation {
            first: false,
            ..self
        }
    }

    fn or_active(self, active: bool) -> Indentation {
        Indentation {
            active: self.active || active,
            ..self
        }
    }

    fn breaks(self) -> bool {
        self.active && self.level > 0 && !self.first
    }

    fn padding(self) -> String {
        " ".repeat(2 * self.level)
    }
}

/// Converts values to strings, within the limits of the evaluation.
struct Writer<'a, 'b> {
    evaluator: &'a Evaluator<'b>,
}

impl Writer<'_, '_> {
    /// Charges the budget for a string before it is created.
    fn reserve(&self, bytes: usize) -> FlowResult<()> {
        let bytes = bytes as u64;
        if bytes > self.evaluator.context.limits.weight {
            return Err(ControlFlow::unknown("value is too large"));
        }
        Ok(self.evaluator.budget.spend(1 + bytes / 4)?)
    }

    /// Appends to a string, within the limits.
    fn push(&self, out: &mut String, text: &str) -> FlowResult<()> {
        if (out.len() + text.len()) as u64 > self.evaluator.context.limits.weight {
            return Err(ControlFlow::unknown("value is too large"));
        }
        self.evaluator.budget.spend(1 + text.len() as u64 / 4)?;
        out.push_str(text);
        Ok(())
    }

    fn write(
        &self,
        ty: &Type,
        value: &Value,
        formats: &Formats,
        indentation: Indentation,
    ) -> FlowResult<String> {
        match value {
            Value::Array(items) => {
                let format = formats.find(ty);
                self.array(&format, items, formats, indentation)
            }
            Value::Hash(entries) => {
                let format = formats.find(ty);
                self.hash(&format, entries, formats, indentation)
            }
            Value::Iterator(_) => {
                let items = super::array::iterated(self.evaluator, value)?;
                let list = Value::array(items);
                let ty = types::infer_detailed(&list);
                self.write(&ty, &list, formats, indentation)
            }
            Value::Object(object) => {
                let base = Type::Object(std::sync::Arc::clone(object.object_type()));
                let format = formats.find(&base);
                self.object(&format, value, indentation)
            }
            value => self.scalar(&formats.find(ty), value, indentation),
        }
    }
}

/// Creates the error for a format whose letter is not supported for a type.
fn no_such_format(format: &Format, of: &str) -> ControlFlow {
    conversion_error(format!(
        "format `%{}` does not apply to `{of}`",
        format.letter
    ))
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn formats_scalars() {
        assert_eq!(
            run("String([undef, 'a', 1.5, default])"),
            "\"[undef, 'a', 1.5, default]\""
                .replace('"', "'")
                .replace("'a'", r"\'a\'")
        );
        assert_eq!(run("String(undef)"), "''");
        assert_eq!(run("String(10, '%#x')"), "'0xa'");
        assert_eq!(run("String(10, '%5.3d')"), "'  010'");
        assert_eq!(run("String(65, '%#c')"), "'\"A\"'");
        assert_eq!(run("String(true, '%Y')"), "'Yes'");
        assert_eq!(run("String('a::b c', '%C')"), "'A::B c'");
        assert_eq!(run("String(1.0, '%.2f')"), "'1.00'");
        assert_eq!(run("String(1, '%q')"), "error");
        assert_eq!(run("String(1, '%dd')"), "error");
        assert_eq!(run("String(1, '%0[d')"), "error");
        assert_eq!(run("String(1, '%2000000000d')"), "?");
        assert_eq!(run("String(1.0, '%.2000000000f')"), "?");
    }

    #[test]
    fn selects_formats_by_type() {
        let formats = "{ Any => '%p', Numeric => '%x', Integer[0, 5] => '%b' }";
        assert_eq!(run(&format!("String(4, {formats})")), "'100'");
        assert_eq!(run(&format!("String(10, {formats})")), "'a'");
        let nested = "{ Array => { format => '%(a', separator => ';', string_formats => { Integer => '%03d' } } }";
        assert_eq!(
            run(&format!("String([1, [2], {{ a => 3 }}], {nested})")),
            r"'(001;(002);{\'a\' => 3})'"
        );
    }

    #[test]
    fn indents_containers() {
        assert_eq!(
            run("String({ a => [1, 2], b => { c => 3 } }, { Hash => '%#h' })"),
            "\"{\\n  'a' => [1, 2],\\n  'b' => {\\n    'c' => 3\\n  }\\n}\""
        );
        assert_eq!(
            run("String([1, [2, 3], 4], '%#a')"),
            "\"[1,\\n  [2, 3],\\n  4]\""
        );
        assert_eq!(
            run("String([10, 200, 3], '%#3a')"),
            "\"[ 10,\\n  200,\\n  3]\""
        );
    }
}
