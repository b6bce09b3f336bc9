//! The function `ensure_packages` of `stdlib`, whose versions treat packages that are `present` differently.

use base::EnvironmentInput;
use eval::FlowResult;
use hir::resolve::{self, Definition};
use library::{KnownFunction, STDLIB_ENSURE_PACKAGES};
use salsa::Database;
use types::values::{HashValue, Value};

use crate::data::ResourceKey;
use crate::functions::{Call, parameters_of};
use crate::state::Compiler;
use crate::values::{flattened, unknown};

/// How the installed version declares packages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct EnsurePackages {
    /// The value of `ensure` that it prefers to the other name for the same: before `stdlib` 7, it is `present`.
    usual: &'static str,
    /// Whether a package keeps `present` if it is declared with it: since `stdlib` 9.
    keeps_present: bool,
}

/// Reads how the installed version declares packages from its source: the version of the module may be unknown.
#[salsa::tracked(returns(copy))]
fn ensure_packages(db: &dyn Database, environment: EnvironmentInput) -> EnsurePackages {
    // The one without a namespace may only call the other.
    let names = [STDLIB_ENSURE_PACKAGES, KnownFunction::EnsurePackages.name()];
    let symbols = names.map(|it| resolve::function(db, Some(environment), it));
    let files = symbols.into_iter().filter_map(|it| match it {
        Ok(Definition::Function(symbol)) => symbol.file(),
        _ => None,
    });
    let texts: Vec<&str> = files.filter_map(|it| it.text(db).as_deref()).collect();
    let contains = |text: &str| texts.iter().any(|it| it.contains(text));
    EnsurePackages {
        // Since `stdlib` 9, the source contains both: it also looks for packages that are `present`.
        usual: match contains("'ensure' => 'present'") && !contains("'ensure' => 'installed'") {
            true => "present",
            false => "installed",
        },
        keeps_present: contains(KnownFunction::DefinedWithParams.name()),
    }
}

impl Compiler<'_> {
    /// Declares packages. `present` and `installed` are the same, and one replaces the other; since `stdlib` 9, the former
    /// is kept if the package has it already.
    pub(crate) fn ensure_packages(
        &self,
        call: Call,
        titles: &Value,
        given: Option<&Value>,
    ) -> FlowResult {
        let given = parameters_of(given)?;
        if let Value::Hash(packages) = titles {
            self.doubt_empty_titles(call, "package", titles);
            return self.ensure_packages_of_hash(call, packages, &given);
        }
        let with_ensure = |it: &str| HashValue::from_iter([("ensure".into(), it.into())]);
        let EnsurePackages {
            usual,
            keeps_present,
        } = ensure_packages(self.db, self.environment);
        let parameters = with_ensure(usual).merged(&given);
        let ensure = parameters.get_str("ensure").and_then(Value::as_str);
        if !matches!(ensure, Some("installed" | "present")) || flattened([titles]).is_empty() {
            return self.ensure_resources(call, "package", titles, Some(&Value::Hash(parameters)));
        }
        for title in &flattened([titles]) {
            let key = title.as_str().map(|it| ResourceKey::new("Package", it));
            let is_present = match &key {
                Some(key) if keeps_present => {
                    self.is_declared_with(key, &with_ensure("present"))?
                }
                _ => false,
            };
            let ensure = with_ensure(if is_present { "present" } else { usual });
            let parameters = Value::Hash(parameters.merged(&ensure));
            self.ensure_resources(call, "package", title, Some(&parameters))?;
        }
        Ok(Value::Undef)
    }

    /// Declares packages with attributes of their own.
    fn ensure_packages_of_hash(
        &self,
        call: Call,
        packages: &HashValue,
        given: &HashValue,
    ) -> FlowResult {
        let EnsurePackages {
            usual,
            keeps_present,
        } = ensure_packages(self.db, self.environment);
        let with_usual = HashValue::from_iter([("ensure".into(), usual.into())]);
        for (title, own) in packages.iter() {
            let Value::Hash(own) = own else {
                return Err(unknown("the parameters are unknown"));
            };
            // Before `stdlib` 9, it is only replaced in the common attributes.
            let ensure = own.get_str("ensure").and_then(Value::as_str);
            let is_kept = matches!(ensure, Some("installed" | "present")) && ensure != Some(usual);
            if is_kept && !keeps_present {
                let attributes = Value::Hash(with_usual.merged(given).merged(own));
                self.ensure_resources(call, "package", title, Some(&attributes))?;
                continue;
            }
            let attributes = Value::Hash(given.merged(own));
            self.ensure_packages(call, title, Some(&attributes))?;
        }
        Ok(Value::Undef)
    }
}
