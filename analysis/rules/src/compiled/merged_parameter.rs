//! Finds class parameters whose type rejects the value that is merged from several Hiera levels.

use base::{EnvironmentInput, FileInput};
use hiera::Layer;
use hiera::merge::MergeStrategy;
use hir::{Item, ItemKind, canonical_name};
use infer::{layer_files, layer_keys, layer_module};
use salsa::Database;
use syntax::TextRange;
use syntax::ast::{AstNode, Parameter};

use crate::compiled::failing_code::{FailingCode, nodes_around};
use crate::data;
use crate::rules::DATA_MISMATCH;

/// The start of the error for a refused value.
const REFUSED_PARAMETER: &str = "parameter `";

/// Returns the parameter at a range that refuses a merged value, unless a value of one of the levels is reported.
pub(crate) fn refused_merge(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: Item<'_>,
    (range, error): (TextRange, &str),
) -> Option<FailingCode> {
    if class.kind(db) != ItemKind::Class || !error.starts_with(REFUSED_PARAMETER) {
        return None;
    }
    let mut parameters = nodes_around(&class.syntax(db), range).filter_map(Parameter::cast);
    let parameter = parameters.find(|it| it.syntax().text_range() == range)?;
    let key = format!("{}::{}", canonical_name(class.name(db)), parameter.name()?);
    let options = data::options_of(db, environment, &key)?;
    if options.merge == MergeStrategy::First || options.convert_to.is_some() {
        return None;
    }
    let own = layer_module(db, environment, &Layer::Environment)?;
    let keys = layer_keys(db, own);
    let files = keys.files_with(&key);
    let is_reported = |file: &FileInput| {
        let found = data::check(db, *file);
        found.is_none_or(|it| it.iter().any(|it| it.code == DATA_MISMATCH.code))
    };
    let is_merged = files.len() > 1 && files.iter().all(|it| layer_files(db, own).contains_key(it));
    (is_merged && !files.iter().any(is_reported)).then_some(FailingCode {
        range,
        operation: range,
        statement: range,
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_values_that_are_wrong_after_a_merge() {
        let check = |options: &str, node: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m (Hash[String, Hash] $users) {{ notice($users) }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n\
                 - {{name: n, path: '%{{trusted.certname}}.yaml'}}\n- {{name: c, path: common.yaml}}\n\
                 //- modules/environment/data/common.yaml\n\
                 lookup_options: {{m::users: {{merge: {{strategy: deep, {options}}}}}}}\n\
                 m::users: {{a: {{uid: 1}}, b: {{uid: 2}}}}\n\
                 //- modules/environment/data/web1.yaml\nm::users: {node}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let knockout = "knockout_prefix: '--'";
        let found = check(knockout, "{b: '--'}");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("`Hash[String, Hash] $users`"),
            "{found:?}"
        );
        assert_eq!(check(knockout, "{c: {uid: 3}}"), [""; 0]);
        assert_eq!(check(knockout, "{b: {uid: 3}}"), [""; 0]);
    }
}
