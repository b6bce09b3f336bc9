//! Under which rules, and within which limits, something is evaluated.

use std::cell::RefCell;

use syntax::validation::PuppetVersion;

use super::{EvalError, Halt, Outcome};
use types::values::Value;

/// What Puppet does about code that is wrong by its stricter rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strictness {
    /// Nothing.
    Off,
    /// It warns: what Puppet 7 does unless told otherwise.
    Warning,
    /// It fails: what Puppet 8 does unless told otherwise.
    Error,
}

/// Limits that keep hostile code from using up time and memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How large a value may be; see [`Value::weight`].
    pub weight: u64,
    /// How deep values may be nested.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            weight: 250_000,
            depth: 128,
        }
    }
}

/// Rules, limits, and the warnings so far.
#[derive(Clone, Debug)]
pub struct Context {
    /// Whose rules.
    pub version: PuppetVersion,
    /// How strict they are.
    pub strictness: Strictness,
    /// The limits.
    pub limits: Limits,
    warnings: RefCell<Vec<EvalError>>,
}

impl Default for Context {
    fn default() -> Context {
        Context::new(PuppetVersion::default())
    }
}

impl Context {
    /// The context of a release, as strict as it is unless told otherwise.
    pub fn new(version: PuppetVersion) -> Context {
        let strictness = match version {
            PuppetVersion::V7 => Strictness::Warning,
            PuppetVersion::V8 => Strictness::Error,
        };
        Context {
            version,
            strictness,
            limits: Limits::default(),
            warnings: RefCell::default(),
        }
    }

    /// What Puppet warned about since the last call.
    pub fn take_warnings(&self) -> Vec<EvalError> {
        self.warnings.take()
    }

    /// Something that is wrong by the stricter rules: an error, a warning, or nothing.
    ///
    /// # Errors
    ///
    /// The error, if the rules are that strict.
    pub fn strict(&self, error: EvalError) -> Outcome<()> {
        match self.strictness {
            Strictness::Off => Ok(()),
            Strictness::Warning => {
                /// More warnings than anyone reads are not kept.
                const MAX_WARNINGS: usize = 1000;
                let mut warnings = self.warnings.borrow_mut();
                if warnings.len() < MAX_WARNINGS {
                    warnings.push(error);
                }
                Ok(())
            }
            Strictness::Error => Err(error.into()),
        }
    }

    /// The value, if it is within the limits.
    ///
    /// # Errors
    ///
    /// Unknown, if it is not.
    pub fn within_limits(&self, value: Value) -> Outcome {
        if value.weight() > self.limits.weight {
            return Err(Halt::unknown("the value is too large"));
        }
        if value.depth() > self.limits.depth {
            return Err(Halt::unknown("the value is nested too deep"));
        }
        Ok(value)
    }
}
