//! Values that fit only sometimes.

use super::testing::findings;

/// Returns the possible mismatches found in a class with these parameters.
fn found(parameters: &str, code: &str) -> Vec<String> {
    let found = findings(&format!(
        "//- modules/m/manifests/init.pp\nclass m({parameters}) {{ {code} }}\n\
         //- modules/m/manifests/other.pp\nclass m::other {{ $x = [1] }}\n\
         //- modules/m/manifests/d.pp\n\
         define m::d (Integer[1, 5] $size, Optional[String] $name_of = 'x') {{ }}\n\
         //- modules/m/functions/f.pp\n\
         function m::f(Boolean $b) >> Optional[String] {{ if $b {{ 'x' }} }}"
    ));
    let told = found
        .lines()
        .filter_map(|it| it.split_once("possible-mismatch "));
    told.map(|it| it.1.to_owned()).collect()
}

#[test]
fn possible_mismatches() {
    for (parameters, code, expected) in [
        (
            "Optional[String] $o",
            "notice(split($o, ','))",
            "`$o`: argument `str` of `split` expects `String`, but the value may be `undef`",
        ),
        (
            "Boolean $b",
            "notice(upcase(m::f($b)))",
            "`m::f($b)`: argument `arg` of `upcase` expects `String`, but the value may be `undef`",
        ),
        (
            "Integer $i",
            "m::d { 'a': size => $i }",
            "`$i`: parameter `size` of `m::d` expects `Integer[1, 5]`, but the value may be \
             `Variant[Integer[default, 0], Integer[6]]`",
        ),
        (
            "Variant[Integer[1, 2], String] $i",
            "m::d { 'a': size => $i }",
            "`$i`: parameter `size` of `m::d` expects `Integer[1, 5]`, but the value may be `String`",
        ),
        (
            "Optional[Integer] $i",
            "m::d { 'a': size => 1, name_of => $i }",
            "`$i`: parameter `name_of` of `m::d` expects `Optional[String]`, but the value may be `Integer`",
        ),
    ] {
        assert_eq!(found(parameters, code), [expected], "{parameters}; {code}");
    }
}

#[test]
fn values_that_are_not_reported() {
    for (parameters, code) in [
        ("$o", "notice(split($o, ','))"),
        ("Optional[String] $o", "if $o { notice(split($o, ',')) }"),
        ("Optional[String] $o", "assert_type(String, $o)"),
        // An undef value selects the default.
        (
            "Optional[String] $o",
            "m::d { 'a': size => 1, name_of => $o }",
        ),
        // From external sources.
        (
            "",
            "$s = $facts['os']['family'] m::d { 'a': size => Integer($s) }",
        ),
        ("", "include m::other notice(split($m::other::x[0], ','))"),
        (
            "",
            "notice(split(lookup('x', Optional[String]), $facts['a']))",
        ),
        // The value of an interpolated string is unknown.
        ("String $s", "m::d { \"a${s}\": size => 1 + length($s) }"),
        ("Integer $i", "m::d { 'a': size => $i + 1 }"),
        ("Variant[Hash, Array] $x", "notice(split(*$x))"),
        ("$x", "notice(defined(File[$x]))"),
        ("Optional[Any] $x", "notice(split($x, ','))"),
        // Also if only one branch depends on an external source.
        (
            "Boolean $b",
            "if $b { $s = m::f($b) } else { $s = lookup('x', Optional[String]) } notice(upcase($s))",
        ),
        (
            "Boolean $b",
            "if !$b { $s = lookup('x', Optional[String]) } else { $s = m::f($b) } notice(upcase($s))",
        ),
    ] {
        assert_eq!(found(parameters, code), [""; 0], "{parameters}; {code}");
    }
}
