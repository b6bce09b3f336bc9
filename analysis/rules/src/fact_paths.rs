//! The facts that expressions read, in any notation: `$facts['os']['name']`, `$os['name']`,
//! `$facts.dig('os', 'name')`, `fact('os.name')`.

use base::suggest::{hint, is_slip, similar};
use std::rc::Rc;

use hir::body::ReferenceName;
use hir::resolve::{Definition, resolve};
use hir::ruby_symbols::custom_facts;
use hir::variables::{Bindings, VariableSource};
use library::KnownFunction as F;
use syntax::ast::{AccessExpr, AstNode, Expr, HasParameters, Lambda, Segment, VariableExpr};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};
use types::precise::{difference, intersection, within};
use types::values::Value;
use types::{Type, reader};

use crate::checker::Checker;
use crate::fact_read::{FactRead, Notation};
use crate::fixes::{assigned_value, text_like, token_at};
use crate::templates::may_be_passed;

/// The variable that contains all facts.
const FACTS: &str = "facts";

/// The maximum number of accesses and assignments that a path is followed through.
const MAX_STEPS: usize = 16;

impl FactRead {
    /// Returns the index of the first key that this expression itself spells.
    pub(crate) fn first(&self) -> usize {
        match self.notation {
            Notation::Access | Notation::Dig => self.path.len().saturating_sub(self.keys.len()),
            Notation::Get => {
                let own = self.keys.first().and_then(dotted).map_or(0, |it| it.len());
                self.path.len().saturating_sub(own)
            }
            Notation::Getvar | Notation::Fact => 0,
        }
    }

    /// Returns the literal that spells the key at an index of the path.
    pub(crate) fn key(&self, index: usize) -> Option<&Expr> {
        match self.notation {
            Notation::Access | Notation::Dig => self.keys.get(index.checked_sub(self.first())?),
            _ => self.keys.first(),
        }
    }

    /// Returns the range to report for the key at an index of the path.
    pub(crate) fn range(&self, index: usize) -> TextRange {
        let key = self
            .key(index)
            .filter(|_| self.notation != Notation::Access);
        key.unwrap_or(&self.expr).syntax().text_range()
    }

    /// Renders the literal that spells the key at an index of the path, with other keys in its place.
    pub(crate) fn replaced(&self, index: usize, keys: &[&str]) -> Option<String> {
        let key = self.key(index)?;
        if matches!(self.notation, Notation::Access | Notation::Dig) {
            let [only] = keys else {
                return None;
            };
            let is_spelled = key.plain_text().as_ref() == self.path.get(index);
            return is_spelled.then(|| text_like(key, only));
        }
        let mut names = dotted(key)?;
        // The name of the variable precedes the path.
        let at = (index + names.len()).checked_sub(self.path.len())?;
        names.splice(at..=at, keys.iter().map(|it| (*it).to_owned()));
        Some(text_like(key, &names.join(".")))
    }

    /// Checks whether the result is indexed, which fails if it is undef.
    pub(crate) fn is_indexed(&self) -> bool {
        let outer = self.expr.syntax().parent().and_then(AccessExpr::cast);
        let base = outer.and_then(|it| it.base());
        self.notation == Notation::Access && base.as_ref() == Some(&self.expr)
    }
}

impl Checker<'_> {
    /// Returns the reads of facts in the item, in source order.
    pub(crate) fn fact_reads(&self) -> Rc<[FactRead]> {
        let found = self.fact_reads.get_or_init(|| {
            if !self.may_read_facts() {
                return Rc::default();
            }
            let reads = |it: &SyntaxNode| {
                let kind = it.kind();
                kind == SyntaxKind::ACCESS_EXPR
                    || kind == SyntaxKind::METHOD_CALL
                    || kind == SyntaxKind::CALL_EXPR
            };
            let nodes = self.root().descendants().filter(reads);
            let nodes = nodes.filter_map(Expr::cast);
            nodes.filter_map(|it| self.fact_read(&it, 0)).collect()
        });
        Rc::clone(found)
    }

    /// Checks whether the item names a fact or a function that reads facts.
    fn may_read_facts(&self) -> bool {
        self.body.references.iter().any(|it| match &it.name {
            ReferenceName::Variable(name) => {
                let name = name.strip_prefix("::").unwrap_or(name);
                name == FACTS || library::fact(name).is_some()
            }
            ReferenceName::Function(name) => {
                matches!(F::from_name(name), Some(F::Fact | F::Getvar))
            }
            _ => false,
        })
    }

    /// Checks whether a module defines the fact, so that its parts are unknown.
    pub(crate) fn is_custom_fact(&self, name: &str) -> bool {
        custom_facts(self.db, self.environment).contains_key(name)
    }

    /// Returns the path of the fact that an expression reads; variables are followed to their only
    /// assignment.
    pub(crate) fn fact_path(&self, expr: &Expr) -> Option<Vec<String>> {
        self.path_within(expr, 0)
    }

    /// Checks whether the values of an expression are definitely not of the same kind as `other`, although they
    /// come from facts: no release or host changes whether a core fact is a string.
    pub(crate) fn is_of_another_kind(&self, expr: &Expr, other: &Type) -> bool {
        let kind = self.certain_kind(expr);
        let is_other = |kind| intersection(&Type::optional(kind), other).is_none();
        kind.is_some_and(is_other)
    }

    /// Returns the kind of a core fact or a part of it, or of the result of `versioncmp`.
    fn certain_kind(&self, expr: &Expr) -> Option<Type> {
        if is_versioncmp(expr) {
            return Some(Type::Numeric);
        }
        let path = self.fact_path(expr)?;
        let is_custom = path.first().is_none_or(|it| self.is_custom_fact(it));
        let part = library::fact_part(&borrowed(&path)).filter(|_| !is_custom)?;
        let kinds = [
            Type::STRING,
            Type::BOOLEAN,
            Type::Numeric,
            Type::any_hash(),
            Type::any_array(),
        ];
        let type_ = reader::read(&part.type_, &reader::BuiltInTypes).ok()?;
        let type_ = difference(&type_, &Type::Undef)?;
        kinds.into_iter().find(|it| within(&type_, it))
    }

    fn path_within(&self, expr: &Expr, steps: usize) -> Option<Vec<String>> {
        if steps > MAX_STEPS {
            return None;
        }
        match expr {
            Expr::ParenExpr(it) => self.path_within(&it.expr()?, steps + 1),
            Expr::VariableExpr(it) => self.path_of_variable(it, steps),
            Expr::InterpolatedString(it) => match it.segments().as_slice() {
                [Segment::Interpolation(only)] => self.path_within(&only.expr()?, steps + 1),
                _ => None,
            },
            _ => self.fact_read(expr, steps).map(|it| it.path),
        }
    }

    fn path_of_variable(&self, variable: &VariableExpr, steps: usize) -> Option<Vec<String>> {
        let range = variable.syntax().text_range();
        let references = &self.body.references;
        let at = references.partition_point(|it| it.range.start() < range.start());
        let mut near = references[at..].iter();
        let reference = near
            .by_ref()
            .take_while(|it| it.range.start() == range.start())
            .find(|it| it.range == range && matches!(it.name, ReferenceName::Variable(_)))?;
        // Plans have no facts, which is reported.
        if self.is_in_plan(range) {
            return None;
        }
        let Ok(Definition::Variable(source)) = resolve(self.db, self.item, reference) else {
            return None;
        };
        match source {
            VariableSource::BuiltIn(it) if it.name == FACTS => Some(Vec::new()),
            VariableSource::Fact(it) if may_be_passed(self, &it.name) => None,
            VariableSource::Fact(it) => Some(vec![it.name.clone()]),
            VariableSource::Bindings(item, Bindings::InScope(ranges)) if item == self.item => {
                let [only] = ranges[..] else {
                    return None;
                };
                let root = self.root();
                if let Some(value) = assigned_value(&root, only) {
                    return self.path_within(&value, steps + 1);
                }
                let parameter = BlockParameter::at(&root, only)?;
                match parameter.passed() {
                    Some(value) => self.path_within(value, steps + 1),
                    None => self.path_of_element(&parameter, steps + 1),
                }
            }
            _ => None,
        }
    }

    /// Returns the path of the elements of a list, or of the values of a hash whose keys differ between nodes.
    fn path_of_element(&self, parameter: &BlockParameter, steps: usize) -> Option<Vec<String>> {
        let mut path = self.path_within(parameter.iterated()?, steps)?;
        let keys = borrowed(&path);
        let part = library::fact_part(&keys)?;
        let type_ = part.type_.strip_prefix("Optional[").unwrap_or(&part.type_);
        let is_array = type_.starts_with("Array[");
        let has_any_keys =
            type_.starts_with("Hash[") && library::fact_parts(&keys).next().is_none();
        let is_value = is_array || has_any_keys && parameter.has_pairs();
        path.push(ELEMENT.to_owned());
        is_value.then_some(path)
    }

    /// Returns the fact that an access or a call reads.
    fn fact_read(&self, expr: &Expr, steps: usize) -> Option<FactRead> {
        let (base, keys, notation) = match expr {
            Expr::AccessExpr(it) => {
                let keys = it.keys();
                (Some(it.base()?), keys, Notation::Access)
            }
            Expr::MethodCall(it) if it.lambda().is_none() => {
                let function = F::from_name(it.name_token()?.text())?;
                self.call_parts(function, it.receiver()?, it.arguments())?
            }
            Expr::CallExpr(it) if it.lambda().is_none() => {
                let function = F::from_name(it.name_token()?.text())?;
                let mut arguments = it.arguments().into_iter();
                self.call_parts(function, arguments.next()?, arguments.collect())?
            }
            _ => return None,
        };
        if notation == Notation::Access && keys.len() != 1 {
            return None;
        }
        let mut path = match &base {
            Some(base) => self.path_within(base, steps + 1)?,
            None => Vec::new(),
        };
        match notation {
            Notation::Access | Notation::Dig => {
                for key in &keys {
                    path.push(self.constant_key(key)?);
                }
            }
            Notation::Get | Notation::Fact => path.extend(dotted(keys.first()?)?),
            Notation::Getvar => {
                let names = dotted(keys.first()?)?;
                let variable = names.first()?;
                let variable = variable.strip_prefix("::").unwrap_or(variable);
                let is_local = self.body.scopes.iter().flat_map(|it| &it.bindings);
                if is_local.into_iter().any(|it| it.name == *variable) {
                    return None;
                }
                let first = (variable != FACTS).then(|| variable.to_owned());
                path.extend(first.into_iter().chain(names.iter().skip(1).cloned()));
            }
        }
        Some(FactRead {
            expr: expr.clone(),
            path,
            keys,
            notation,
        })
    }

    /// Returns the base, the keys and the notation of a call, given its first argument and the others.
    fn call_parts(
        &self,
        function: F,
        first: Expr,
        others: Vec<Expr>,
    ) -> Option<(Option<Expr>, Vec<Expr>, Notation)> {
        match function {
            F::Dig if !others.is_empty() => Some((Some(first), others, Notation::Dig)),
            F::Get => Some((Some(first), others, Notation::Get)),
            F::Getvar => Some((None, vec![first], Notation::Getvar)),
            F::Fact => Some((None, vec![first], Notation::Fact)),
            _ => None,
        }
    }

    fn constant_key(&self, key: &Expr) -> Option<String> {
        match &self.type_of(key)?.value {
            Some(Value::String(it)) => Some(it.to_string()),
            Some(Value::Integer(it)) => Some(it.to_string()),
            _ => None,
        }
    }
}

/// The key of the elements over which a block iterates.
const ELEMENT: &str = "*";

/// A parameter of the block of a call.
struct BlockParameter {
    function: F,
    /// The arguments of the call.
    arguments: Vec<Expr>,
    index: usize,
    /// The number of parameters.
    count: usize,
    has_default: bool,
}

impl BlockParameter {
    fn at(root: &SyntaxNode, variable: TextRange) -> Option<BlockParameter> {
        let parameter = token_at(root, variable)?.parent()?;
        let lambda = parameter.ancestors().find_map(Lambda::cast)?;
        let parameters = lambda.parameters();
        let index = parameters.iter().position(|it| *it.syntax() == parameter)?;
        let call = lambda.syntax().parent().and_then(Expr::cast)?;
        let (function, arguments) = call.named_call()?;
        Some(BlockParameter {
            function: F::from_name(function.text())?,
            arguments,
            index,
            count: parameters.len(),
            has_default: parameters.get(index)?.default().is_some(),
        })
    }

    /// Returns the argument that `with` or `then` passes.
    fn passed(&self) -> Option<&Expr> {
        match self.function {
            _ if self.has_default => None,
            F::With => self.arguments.get(self.index),
            F::Then if self.index == 0 => self.arguments.first(),
            _ => None,
        }
    }

    /// Returns the list whose elements or values an iteration passes.
    fn iterated(&self) -> Option<&Expr> {
        let is_last = self.index + 1 == self.count;
        match self.function {
            F::All | F::Any | F::Each | F::Filter | F::Map if is_last => self.arguments.first(),
            _ => None,
        }
    }

    /// Checks whether another parameter gets the keys or indexes.
    fn has_pairs(&self) -> bool {
        self.count == 2
    }
}

/// Checks whether an expression is a call to `versioncmp`, perhaps negated.
pub(crate) fn is_versioncmp(expr: &Expr) -> bool {
    let name = match expr {
        Expr::ParenExpr(it) => return it.expr().is_some_and(|it| is_versioncmp(&it)),
        Expr::UnaryExpr(it) => return it.expr().is_some_and(|it| is_versioncmp(&it)),
        Expr::CallExpr(it) => it.name_token(),
        Expr::MethodCall(it) => it.name_token(),
        _ => None,
    };
    name.is_some_and(|it| F::from_name(it.text()) == Some(F::Versioncmp))
}

/// Splits a path such as `os.release`; `None` if a part is quoted or empty.
fn dotted(literal: &Expr) -> Option<Vec<String>> {
    let Expr::StringLiteral(literal) = literal else {
        return None;
    };
    let text = literal.value();
    let is_plain = |it: &str| !it.is_empty() && !it.contains(['\'', '"', ' ']);
    let parts: Vec<&str> = text.split('.').collect();
    let all = parts.iter().all(|it| is_plain(it));
    all.then(|| parts.into_iter().map(str::to_owned).collect())
}

/// The minimum length of a core fact for similar names to be typos: an external fact may be called `patch`.
const MIN_TYPO: usize = 6;

/// Returns the severity of a path of an unknown fact, given the most similar known one. It may be an external fact,
/// unless the known fact has the same key.
pub(crate) fn severity_of_unknown_fact(path: &[impl AsRef<str>], near: &str) -> Severity {
    let mut names = path.iter().map(AsRef::as_ref);
    let name = names.next().unwrap_or_default();
    let has_key = |key: &str| library::fact_part(&[near, key]).is_some();
    let is_likely = near.len() >= MIN_TYPO || names.next().is_some_and(has_key);
    match is_likely && library::fact(near).is_some() && is_slip(name, near) {
        true => Severity::Warning,
        false => Severity::Hint,
    }
}

/// Checks whether a name is likely a typo of a legacy fact, which nodes have as a variable of top scope: other code may
/// have variables such as `domains`.
pub(crate) fn is_typo_of_legacy_fact(name: &str, fact: &str) -> bool {
    let is_part = name.starts_with(fact) || fact.starts_with(name);
    fact.len() >= MIN_TYPO && !is_part && is_slip(name, fact)
}

/// Checks whether the keys of a fact are known, and the last one of a path is not among them.
pub(crate) fn is_unknown_part(path: &[&str]) -> bool {
    let parent = path.split_last().and_then(|it| library::fact_part(it.1));
    parent.is_some_and(library::FactPart::has_known_keys) && library::fact_part(path).is_none()
}

/// Returns the message for an unknown last key in the path of a fact, and the most similar key.
pub(crate) fn unknown_part(path: &[&str]) -> (String, Option<&'static str>) {
    let (key, parent) = path.split_last().unwrap_or((&"", &[]));
    let near = similar(key, library::fact_parts(parent).map(|it| it.0));
    let fact = parent.join(".");
    let message = format!("no key `{key}` in fact `{fact}`{}", hint(near));
    (message, near)
}

/// Renders the path of a fact.
pub(crate) fn shown(path: &[String]) -> String {
    path.join(".")
}

/// Returns the path as `library::fact_part` takes it.
pub(crate) fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}
