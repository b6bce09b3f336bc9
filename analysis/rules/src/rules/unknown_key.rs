use base::suggest::{hint, similar};
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange};

use hir::possible_facts::may_be_fact;
use hir::ruby_symbols::custom_facts;
use syntax::Severity;
use types::Type;

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::Checker;
use crate::data::{DataChecker, FactProblemKind};
use crate::erb_templates;
use crate::fact_paths::{borrowed, is_unknown_part, severity_of_unknown_fact, shown, unknown_part};
use crate::fact_read::{FactRead, Notation};
use crate::fixes::{expr_at, literal_in, text_like};
use crate::project::ProjectChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports accesses to keys that the hash does not have.
    ///
    /// ## What it does
    ///
    /// Checks constant keys of hashes whose keys are known: from a `Struct` type, from a hash literal, or from the
    /// core facts, however their keys are written: `$facts['os']['name']`, `$facts.dig('os', 'name')`,
    /// `getvar('facts.os.name')`, `fact('os.name')`, in ERB templates `@facts['os']['name']`, and in Hiera data and
    /// `hiera.yaml` `%{facts.os.name}`. In Hiera data and `hiera.yaml`, an unknown key of a structured core fact is
    /// only reported if it is similar to a known one.
    ///
    /// ## Why it matters
    ///
    /// The access evaluates to `undef`, which is rarely intended. Puppet does not warn. A further
    /// access to a key of the missing part of a fact fails, and the severity is then an error.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Struct[{ user => String, Optional[group] => String }] $owner) {
    ///   $a = $owner['usr'] # <-
    ///   $b = $owner['groups'] # <-
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Struct[{ user => String, Optional[group] => String }] $owner,
    ///   Hash[String, String] $other,
    /// ) {
    ///   $a = $owner['user']
    ///   $b = $owner['group']
    ///   $c = $other['groups']
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Hashes whose type only specifies the types of keys and values.
    /// * Facts that a module on the modulepath defines, even if they are named like a core fact.
    ///
    /// The severity is a hint if the hash comes from other code, and for unknown facts that are similar to a known
    /// one, as they may be external facts. A fact that differs by one letter from a core fact is a warning if the core
    /// fact has at least six letters, or if it has the key that is read.
    ///
    /// ```puppet right
    /// class example {
    ///   notice($facts['os']['name'], $facts['networking']['interfaces']['eth0']['ip'])
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the key with the most similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-key]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-key = "off"
    /// ```
    pub(crate) static UNKNOWN_KEY = {
        code: "unknown-key",
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Item(check_facts),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::Asset(AssetKind::Template, check_erb_template),
            Check::DataFile(check_data),
            Check::ProjectFile(check_hiera_config),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownKey { key, known } = &problem.kind else {
        return;
    };
    let root = checker.root();
    let near = similar(key, known.elements().iter().map(|it| &*it.name));
    let hash = hash_of(&root, problem.range);
    let message = format!("no key `{key}`{hash}{}", hint(near));
    // Other code may change.
    let severity = UNKNOWN_KEY.or_hint(problem.depends_on_external);
    checker.report_problem_as(&UNKNOWN_KEY, severity, problem, message);
    if let Some(near) = near
        && let Some(written) = literal_in(&root, problem.range, key)
    {
        let range = written.syntax().text_range();
        let text = text_like(&written, near);
        let label = format!("Replace with `{near}`");
        checker.fix(Some(Fix::suggested(label, range, text)));
    }
}

/// Checks the keys of facts in a constant template of `inline_template`.
fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    erb_templates::check_call(checker, node, &UNKNOWN_KEY, erb_templates::unknown_keys);
}

/// Checks the keys of facts in an ERB template.
fn check_erb_template(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &UNKNOWN_KEY, erb_templates::unknown_keys);
}

/// Checks the interpolations in a data file of Hiera.
fn check_data(checker: &mut DataChecker<'_>) {
    checker.report_fact_problems(&UNKNOWN_KEY, FactProblemKind::UnknownKey);
}

/// Checks the interpolations in `hiera.yaml`.
fn check_hiera_config(checker: &mut ProjectChecker<'_>) {
    checker.report_hiera_fact_problems(&UNKNOWN_KEY, FactProblemKind::UnknownKey);
}

/// Checks the keys of facts.
fn check_facts(checker: &mut Checker<'_>) {
    for read in checker.fact_reads().iter() {
        let is_reached = checker.type_of(&read.expr).is_some();
        let name = read.path.first().filter(|_| is_reached);
        if name.is_none_or(|it| checker.is_custom_fact(it)) {
            continue;
        }
        if !check_name(checker, read) {
            check_parts(checker, read);
        }
    }
}

/// Reports a fact that may be a misspelled core fact. Returns whether the fact is unknown.
fn check_name(checker: &mut Checker<'_>, read: &FactRead) -> bool {
    let Some(name) = read.path.first() else {
        return true;
    };
    if library::fact(name).is_some() {
        return false;
    }
    let is_external = read.notation == Notation::Getvar || library::is_module_fact(name);
    if read.first() > 0 || is_external || library::legacy_fact(name).is_some() {
        return true;
    }
    if may_be_fact(checker.db, checker.environment, name) {
        return true;
    }
    let custom = custom_facts(checker.db, checker.environment).keys();
    let custom = custom.map(String::as_str);
    let known = library::facts().map(|it| it.name.as_str());
    let legacy = library::legacy_facts().map(|it| it.name.as_str());
    if let Some(near) = similar(name, custom.chain(known).chain(legacy)) {
        let message = format!("unknown fact `{name}`{}", hint(Some(near)));
        // Another expression contains this one and reads a key of the fact.
        let reads = checker.fact_reads();
        let mut paths = reads.iter().map(|it| &it.path[..]);
        let longer = paths.find(|it| it.len() > 1 && it[0] == *name);
        let severity = severity_of_unknown_fact(longer.unwrap_or(&read.path), near);
        checker.report_as(&UNKNOWN_KEY, severity, read.range(0), message);
        // Legacy facts are not to be used either.
        if library::legacy_fact(near).is_none() {
            replace_key(checker, read, 0, near);
        }
    }
    true
}

/// Reports the first key that a core fact does not have.
fn check_parts(checker: &mut Checker<'_>, read: &FactRead) {
    for index in read.first().max(1)..read.path.len() {
        let path = borrowed(&read.path);
        let Some(part) = library::fact_part(&path[..index]) else {
            return;
        };
        if is_unknown_part(&path[..=index]) {
            let (message, near) = unknown_part(&path[..=index]);
            let severity = match read.is_indexed() {
                true if excludes_undef(checker, read) => return,
                true => Severity::Error,
                // Some release of the fact may have it.
                false if near.is_none() && has_default(read) => Severity::Hint,
                false => UNKNOWN_KEY.severity,
            };
            checker.report_as(&UNKNOWN_KEY, severity, read.range(index), message);
            if let Some(near) = near {
                replace_key(checker, read, index, near);
            }
            return;
        }
        // Indexes are checked by type inference, and stdlib's function returns undef.
        if part.is_scalar() && !matches!(read.notation, Notation::Access | Notation::Fact) {
            let (fact, key) = (shown(&read.path[..index]), path[index]);
            let message = format!("cannot look up `{key}` in fact `{fact}`: it has no keys");
            checker.report_as(&UNKNOWN_KEY, Severity::Error, read.range(index), message);
            return;
        }
    }
}

/// Checks whether a call has a default value for what does not exist.
fn has_default(read: &FactRead) -> bool {
    let without = match read.notation {
        Notation::Get => 2,
        Notation::Getvar => 1,
        Notation::Access | Notation::Dig | Notation::Fact => return false,
    };
    let call = read.expr.named_call();
    call.is_some_and(|(_, arguments)| arguments.len() > without)
}

/// Checks whether a condition around a read excludes that the part is missing.
fn excludes_undef(checker: &Checker<'_>, read: &FactRead) -> bool {
    let found = checker.type_of(&read.expr);
    found.is_some_and(|it| it.is_a(&Type::Undef) == Some(false))
}

fn replace_key(checker: &mut Checker<'_>, read: &FactRead, index: usize, near: &str) {
    let range = read.key(index).map(|it| it.syntax().text_range());
    if let (Some(range), Some(text)) = (range, read.replaced(index, &[near])) {
        let label = format!("Replace with `{near}`");
        checker.fix(Some(Fix::suggested(label, range, text)));
    }
}

/// Names the hash of an access expression, if it is a variable.
fn hash_of(root: &SyntaxNode, access: TextRange) -> String {
    let base = match expr_at(root, access) {
        Some(Expr::AccessExpr(it)) => it.base(),
        _ => None,
    };
    let name = match base {
        Some(Expr::VariableExpr(it)) => it.name(),
        _ => None,
    };
    name.map_or(String::new(), |it| format!(" in `${it}`"))
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_KEY;
    use crate::data::tests::{fixes as data_fixes, messages as data_messages};
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn reports_keys_that_the_hash_does_not_have() {
        let code = "class m { $limits = { 'soft' => 1 } $x = [$limits['sfot'], { a => 1 }['bb']] }";
        assert_eq!(
            reported(&UNKNOWN_KEY, code),
            [
                "`$limits['sfot']`: no key `sfot` in `$limits`; did you mean `soft`?",
                "`{ a => 1 }['bb']`: no key `bb`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_KEY, code), ["Replace with `soft`"]);
    }

    #[test]
    fn reports_keys_in_data() {
        let data = "//- data/common.yaml\na: \"%{facts.os.famly} %{os.release.majr} %{facts.kernl}\"\n\
                    b: \"%{trusted.pp_role} %{trusted.certnam} %{server_facts.enviroment}\"\n\
                    c: \"%{facts.cloud.region} %{facts.os.family} %{trusted.extensions.pp_role}\"\n";
        assert_eq!(
            data_messages(&UNKNOWN_KEY, data),
            [
                "`%{facts.os.famly}`: no key `famly` in fact `os`; did you mean `family`?",
                "`%{os.release.majr}`: no key `majr` in fact `os.release`; did you mean `major`?",
                "`%{facts.kernl}`: unknown fact `kernl`; did you mean `kernel`?",
                "`%{trusted.pp_role}`: no key `pp_role` in `$trusted`; \
                 did you mean `trusted.extensions.pp_role`?",
                "`%{trusted.certnam}`: no key `certnam` in `$trusted`; did you mean `certname`?",
                "`%{server_facts.enviroment}`: no key `enviroment` in `$server_facts`; \
                 did you mean `environment`?",
            ]
        );
        assert_eq!(
            data_fixes(&UNKNOWN_KEY, data),
            [
                "Replace with `%{facts.os.family}`",
                "Replace with `%{os.release.major}`",
                "Replace with `%{facts.kernel}`",
                "Replace with `%{trusted.extensions.pp_role}`",
                "Replace with `%{trusted.certname}`",
                "Replace with `%{server_facts.environment}`"
            ]
        );
    }

    #[test]
    fn reports_keys_in_templates() {
        let check = |template: &str| {
            let code = format!("class m ($kernel, $p) {{ notice(inline_template('{template}')) }}");
            reported(&UNKNOWN_KEY, &code)
        };
        for template in [
            "<%= @facts[\"os\"][\"famly\"] %>",
            "<%= @facts.dig(\"os\", \"famly\") %>",
            "<%= scope[\"facts\"][\"os\"][\"famly\"].upcase %>",
            "<%= @os[\"famly\"] %>",
        ] {
            let found = check(template);
            assert_eq!(found.len(), 1, "{template}");
            assert!(found[0].ends_with("no key `famly` in fact `os`; did you mean `family`?"));
        }
        for template in [
            "<%= @facts[\"os\"][\"family\"] %><%= @facts[\"my_fact\"][\"a\"] %>",
            "<%= @p[\"os\"][\"famly\"] %><%= @kernel[\"a\"] %><%= @facts[\"os\"][@p][\"famly\"] %>",
            "<% @facts[\"os\"][\"famly\"] = 1 %><% @os = {} %><%= @os[\"famly\"] %>",
        ] {
            assert_eq!(check(template), [""; 0], "{template}");
        }
    }

    #[test]
    fn reports_keys_that_core_facts_do_not_have() {
        let code = "class m { $x = [$facts['os']['nam'], $facts['os']['nam']['a'], \
                    $facts.dig('os', 'nam'), $facts.get('os.nam'), getvar('facts.os.nam'), \
                    $facts.get('kernel.a'), \"${os['release']['ful']}\", $facts['kernl'], \
                    $facts['osfmily']] }";
        let missing = "no key `nam` in fact `os`; did you mean `name`?";
        assert_eq!(
            reported(&UNKNOWN_KEY, code),
            [
                format!("`$facts['os']['nam']`: {missing}"),
                format!("`$facts['os']['nam']`: {missing}"),
                format!("`'nam'`: {missing}"),
                format!("`'os.nam'`: {missing}"),
                format!("`'facts.os.nam'`: {missing}"),
                "`'kernel.a'`: cannot look up `a` in fact `kernel`: it has no keys".to_owned(),
                "`os['release']['ful']`: no key `ful` in fact `os.release`; did you mean `full`?"
                    .to_owned(),
                "`$facts['kernl']`: unknown fact `kernl`; did you mean `kernel`?".to_owned(),
                "`$facts['osfmily']`: unknown fact `osfmily`; did you mean `osfamily`?".to_owned(),
            ]
        );
        let code = "class m { $os = {} $x = [$os['nam'], $facts['os'][$facts['kernel']], \
                    $facts['ssh']['rsa'], $facts['my_fact']['a'], $facts['disks']['sda']['size']] }";
        assert_eq!(reported(&UNKNOWN_KEY, code), [""; 0]);
    }

    #[test]
    fn follows_facts_into_blocks() {
        for code in [
            "with($facts['os']) |$os| { notice($os['nam']) }",
            "with(1, $facts['os']) |$x, $os| { notice($x, $os['nam']) }",
            "$facts['os'].then |$os| { notice($os['nam']) }",
            "$facts.get('os.nam', 'none')",
            "$facts['networking']['interfaces'].map |$n, $i| { [$n, $i['ipp']] }",
            "$facts['networking']['interfaces']['a']['bindings'].each |$b| { notice($b['adress']) }",
        ] {
            let code = format!("class m {{ $x = {code} notice($x) }}");
            assert_eq!(
                severities(&UNKNOWN_KEY, &code),
                [Severity::Warning],
                "{code}"
            );
        }
        let code =
            "class m { with({ 'nam' => 1 }, $facts['os']) |$os, $x| { notice($os['nam'], $x) } }";
        assert_eq!(severities(&UNKNOWN_KEY, code), []);
        let code = "class m { $facts['networking']['interfaces'].each |$i| { notice($i['ipp']) } \
                    $facts['networking']['interfaces'].each |$n, $i| { notice($n['ipp'], $i) } \
                    $facts['os'].each |$k, $v| { notice($k, $v['nam']) } }";
        assert_eq!(severities(&UNKNOWN_KEY, code), []);
    }

    #[test]
    fn arguments_of_templates_are_no_facts() {
        let found = |argument: &str| {
            let code = format!(
                "//- modules/m/templates/a.epp\n\
                 <% $partitions.each |$n, $v| {{ -%>\n<%= $n %> <%= $v['nodes'] %>\n<% }} -%>\n\
                 //- modules/m/manifests/init.pp\n\
                 class m {{ notice(epp('m/a', {{ {argument} => {{}} }})) }}\n"
            );
            reported(&UNKNOWN_KEY, &code).len()
        };
        assert_eq!(found("partitions"), 0);
        assert_eq!(found("other"), 1);
    }

    #[test]
    fn likely_typos_of_core_facts_are_warnings() {
        let found = |name: &str| {
            let code = format!("class m {{ $x = $facts['{name}'] }}");
            severities(&UNKNOWN_KEY, &code)
        };
        for typo in ["neworking", "kernal", "kernl", "osx']['family"] {
            assert_eq!(found(typo), [Severity::Warning], "{typo}");
        }
        // The last one is similar to a legacy fact.
        for other in ["patch", "netwokings", "osfmily"] {
            assert_eq!(found(other), [Severity::Hint], "{other}");
        }
    }

    #[test]
    fn programs_may_define_facts() {
        let code = "//- modules/m/manifests/init.pp\nclass m { $x = [$facts['kernel_release'], $facts['netwoking']] }\n";
        assert_eq!(severities(&UNKNOWN_KEY, code), [Severity::Warning; 2]);
        let facts = "//- modules/m/facts.d/release.sh\necho \"kernel_release=$(uname -r)\"\n\
                     //- modules/m/facts.d/net\n#!/usr/bin/python3\nprint(json.dumps({'netwoking': 1}))\n";
        assert_eq!(reported(&UNKNOWN_KEY, &format!("{code}{facts}")), [""; 0]);
    }

    #[test]
    fn ignores_keys_that_may_exist() {
        let code = "class m (Hash $h, Struct[{ Optional[a] => Integer }] $s) { \
                    $x = [$h['b'], $s['a'], { a => 1 }['a']] }";
        assert_eq!(reported(&UNKNOWN_KEY, code), [""; 0]);
    }
}
