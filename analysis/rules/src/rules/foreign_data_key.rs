use hiera::Layer;

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports keys in the data of a module that do not belong to the module.
    ///
    /// ## What it does
    ///
    /// Checks that the keys in the data of a module start with its name and `::`.
    ///
    /// ## Why it matters
    ///
    /// Puppet drops all other keys. It only logs a warning on the server, without the name of the key.
    ///
    /// ## Example
    ///
    /// ```modules/ntp/data/common.yaml wrong
    /// chrony::servers: [] # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers) {
    ///   notice($servers)
    /// }
    /// ```
    ///
    /// ```modules/ntp/data/common.yaml right
    /// ntp::servers: []
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * `lookup_options`.
    /// * The data of a Bolt project, and of a module that is an environment as well: Puppet reads it for
    ///   all modules.
    ///
    /// ## Fix
    ///
    /// No fix is available: the data belongs elsewhere.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[foreign-data-key]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// foreign-data-key = "off"
    /// ```
    pub(crate) static FOREIGN_DATA_KEY = {
        code: "foreign-data-key",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let Layer::Module(module) = checker.layer.clone() else {
        return;
    };
    let prefix = format!("{module}::");
    let foreign = checker
        .keys()
        .filter(|it| !checker.layer.may_have(it.name()));
    let foreign: Vec<_> = foreign
        .map(|it| (it.name().to_owned(), it.key_range))
        .collect();
    for (key, range) in foreign {
        let message = format!("`{key}` is ignored: keys of this module must start with `{prefix}`");
        checker.report(&FOREIGN_DATA_KEY, range, message);
    }
}
