//! The parameters that each declaration of a class or defined type has to set.

use hir::{Item, ParameterSignature, signature};
use salsa::Database;
use types::values::Value;
use types::{Type, is_instance};

use crate::declared_parameters;

/// Returns the parameters without a default value, and those whose default value is `undef`, which their type refuses.
pub fn needed_parameters<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> impl Iterator<Item = &'db ParameterSignature> {
    let parameters = signature(db, item).parameters.iter();
    parameters.filter(move |it| it.is_required() || refuses_default(db, item, it))
}

/// Checks whether the default value of a parameter is `undef`, which its type refuses. Some authors mark required parameters
/// in this way.
fn refuses_default(db: &dyn Database, item: Item<'_>, parameter: &ParameterSignature) -> bool {
    let is_undef = parameter.default.as_deref() == Some("undef");
    let ty = || {
        let mut all = declared_parameters(db, item).iter();
        all.find(|it| it.0 == parameter.name).map(|it| &it.1)
    };
    let refuses = |it: &Type| is_instance(it, &Value::Undef) == Some(false);
    is_undef && ty().is_some_and(refuses)
}
