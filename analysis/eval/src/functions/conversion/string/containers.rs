//! Formatting of arrays and hashes.

use super::{Format, Formats, Indentation, Writer, no_such_format};
use crate::control_flow::FlowResult;
use types::Type;
use types::values::{Array, HashValue, Value};

/// Checks whether a nested value uses the formats of the outer container.
fn is_container(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Array(_) | Type::Hash(_) | Type::Struct(_) | Type::Tuple(_) | Type::Object(_)
    )
}

fn is_array_or_hash(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// Removes trailing whitespace.
fn trim_end(out: &mut String) {
    let end = out
        .trim_end_matches(|it| matches!(it, '\0' | ' ' | '\t'..='\r'))
        .len();
    out.truncate(end);
}

impl Writer<'_, '_> {
    /// Formats a value in a container.
    fn nested(
        &self,
        value: &Value,
        all: &Formats,
        inner: &Formats,
        indentation: Indentation,
    ) -> FlowResult<String> {
        let ty = types::infer_detailed(value);
        let formats = if is_container(&ty) { all } else { inner };
        let budget = self.evaluator.budget;
        budget.spend(5)?;
        budget.recurse(|| self.write(&ty, value, formats, indentation))
    }

    pub(super) fn array(
        &self,
        format: &Format,
        items: &Array,
        formats: &Formats,
        indentation: Indentation,
    ) -> FlowResult<String> {
        if !matches!(format.letter, 'a' | 's' | 'p') {
            return Err(no_such_format(format, "Array"));
        }
        let alternative = format.spec.alternative;
        let separator = format.separator.as_deref().unwrap_or(", ");
        let inner = format.inner.clone().unwrap_or_else(Formats::nested);
        let (open, close) = format.brackets(("[", "]"));
        let indentation = indentation.or_active(alternative);
        let children = indentation.deeper(alternative).subsequent();
        let mut texts = Vec::with_capacity(items.len());
        for item in items.iter() {
            texts.push(self.nested(item, formats, &inner, children)?);
        }
        let width = format.spec.width.filter(|_| alternative);
        let breaks = width.is_some_and(|it| widest(items, &texts) > it);
        let mut out = String::new();
        self.begin(&mut out, indentation, open)?;
        for (index, (item, text)) in items.iter().zip(&texts).enumerate() {
            let nested = is_array_or_hash(item);
            if index == 0 {
                if breaks && !nested {
                    self.push(&mut out, " ")?;
                }
            } else {
                self.push(&mut out, separator)?;
                let after_nested = items.get(index - 1).is_some_and(is_array_or_hash);
                if !nested && (breaks || alternative && after_nested) {
                    if !out.ends_with('\n') {
                        trim_end(&mut out);
                    }
                    self.push(&mut out, "\n")?;
                    self.push(&mut out, &children.padding())?;
                }
            }
            if out.ends_with(' ') && text.starts_with('\n') {
                trim_end(&mut out);
            }
            self.push(&mut out, text)?;
        }
        self.push(&mut out, close)?;
        Ok(out)
    }

    /// Writes the line break, indentation and opening bracket of a container.
    fn begin(&self, out: &mut String, indentation: Indentation, open: &str) -> FlowResult<()> {
        if indentation.breaks() {
            self.push(out, "\n")?;
            self.push(out, &indentation.padding())?;
        }
        self.push(out, open)
    }

    pub(super) fn hash(
        &self,
        format: &Format,
        entries: &HashValue,
        formats: &Formats,
        indentation: Indentation,
    ) -> FlowResult<String> {
        match format.letter {
            'a' => {
                let list = Value::array(entries.to_pairs());
                let ty = types::infer_detailed(&list);
                return self.write(&ty, &list, formats, indentation);
            }
            'h' | 's' | 'p' => {}
            _ => return Err(no_such_format(format, "Hash")),
        }
        let alternative = format.spec.alternative;
        let mut separator = format.separator.as_deref().unwrap_or(", ").to_owned();
        if alternative {
            if !separator.ends_with('\n') {
                trim_end(&mut separator);
            }
            separator.push('\n');
        }
        let arrow = format.separator2.as_deref().unwrap_or(" => ");
        let inner = format.inner.clone().unwrap_or_else(Formats::nested);
        let (open, close) = format.brackets(("{", "}"));
        let indentation = indentation.or_active(alternative);
        let children = indentation.deeper(false);
        let mut out = String::new();
        self.begin(&mut out, indentation, open)?;
        if alternative {
            self.push(&mut out, "\n")?;
        }
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                self.push(&mut out, &separator)?;
            }
            if alternative {
                self.push(&mut out, &children.padding())?;
            }
            let key = self.nested(key, formats, &inner, children)?;
            let value = self.nested(value, formats, &inner, children)?;
            self.push(&mut out, &key)?;
            self.push(&mut out, arrow)?;
            self.push(&mut out, &value)?;
        }
        if alternative {
            self.push(&mut out, "\n")?;
            self.push(&mut out, &indentation.padding())?;
        }
        self.push(&mut out, close)?;
        Ok(out)
    }
}

/// Returns the length of the longest run of elements that are neither arrays nor hashes.
fn widest(items: &Array, texts: &[String]) -> usize {
    let (mut widest, mut run) = (0, 0);
    for (item, text) in items.iter().zip(texts) {
        run = if is_array_or_hash(item) {
            0
        } else {
            run + text.chars().count()
        };
        widest = widest.max(run);
    }
    widest
}
