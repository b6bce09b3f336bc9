//! The rules and limits of an evaluation.

use std::cell::RefCell;

use syntax::validation::PuppetVersion;

use super::{EvalError, EvalFailure, EvalResult};
use types::values::Value;

/// How Puppet treats violations of its strict rules (the setting `strict`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strictness {
    /// Ignores them.
    Off,
    /// Logs a warning: the default of Puppet 7.
    Warning,
    /// Raises an error: the default of Puppet 8.
    Error,
}

/// Limits on time and memory for untrusted code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum size of a value; see [`Value::weight`].
    pub weight: u64,
    /// The maximum nesting depth of a value.
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

/// The rules, the limits, and the warnings so far.
#[derive(Clone, Debug)]
pub struct Context {
    /// The release of Puppet.
    pub version: PuppetVersion,
    /// The strictness.
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
    /// Creates the context of a release, with its default strictness.
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

    /// Removes and returns the warnings.
    pub fn take_warnings(&self) -> Vec<EvalError> {
        self.warnings.take()
    }

    /// Reports a violation of the strict rules according to the strictness.
    ///
    /// # Errors
    ///
    /// The given error if the strictness is [`Strictness::Error`].
    pub fn report_violation(&self, error: EvalError) -> EvalResult<()> {
        match self.strictness {
            Strictness::Off => Ok(()),
            Strictness::Warning => {
                /// Further warnings are dropped.
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

    /// Returns the value if it is within the limits.
    ///
    /// # Errors
    ///
    /// Unknown if it is not.
    pub fn within_limits(&self, value: Value) -> EvalResult {
        if value.weight() > self.limits.weight {
            return Err(EvalFailure::unknown("value is too large"));
        }
        if value.depth() > self.limits.depth {
            return Err(EvalFailure::unknown("value is nested too deeply"));
        }
        Ok(value)
    }
}
