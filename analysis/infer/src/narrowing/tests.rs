//! Each narrowing rule where it applies, and where it must not.

use crate::test_support::{narrowed, revealed};

/// Checks a table with the columns: parameters, condition, expression, and the type of the
/// expression if the condition is true and if it is false. Lines that begin with `#` are comments.
fn check(table: &str) {
    let mut wrong = Vec::new();
    let lines = table.lines().map(str::trim);
    for line in lines.filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let (case, expected) = line.split_once(" ==> ").expect("a line has an arrow");
        let parts: Vec<&str> = case.split(" ;; ").collect();
        let [parameters, condition, expr] = parts[..] else {
            panic!("a line has three parts: {line}");
        };
        let found = narrowed(parameters, condition, expr);
        if found != expected {
            wrong.push(format!(
                "{case}:\n  found    {found}\n  expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn truth() {
    check(
        r"
        Optional[String] $x ;; $x ;; $x ==> String | Undef
        Optional[Boolean] $x ;; $x ;; $x ==> Boolean[true] | Optional[Boolean[false]]
        Optional[Boolean] $x ;; !$x ;; $x ==> Optional[Boolean[false]] | Boolean[true]
        Optional[Boolean] $x ;; !!$x ;; $x ==> Boolean[true] | Optional[Boolean[false]]
        Any $x ;; $x ;; $x ==> NotUndef | Optional[Boolean[false]]
        # An empty string is true.
        String $x ;; $x ;; $x ==> String | -
        ",
    );
}

#[test]
fn types() {
    check(
        r"
        Variant[String, Integer] $x ;; $x =~ String ;; $x ==> String | Integer
        Variant[String, Integer] $x ;; $x !~ String ;; $x ==> Integer | String
        Any $x ;; $x =~ Array[String] ;; $x ==> Array[String] | Any
        Integer $x ;; $x =~ Integer[1, 5] ;; $x ==> Integer[1, 5] | Variant[Integer[default, 0], Integer[6]]
        # A type that is not known says nothing.
        Variant[String, Integer] $x, Type $t ;; $x =~ $t ;; $x ==> Variant[String, Integer] | Variant[String, Integer]
        Any $x ;; $x =~ SemVerRange('1.x') ;; $x ==> Variant[String, SemVer] | Any
        ",
    );
}

#[test]
fn regular_expressions() {
    check(
        r"
        Any $x ;; $x =~ /a/ ;; $x ==> Pattern[/a/] | String
        Any $x ;; $x !~ /a/ ;; $x ==> String | Pattern[/a/]
        Any $x ;; $x =~ 'a' ;; $x ==> Pattern[/a/] | String
        Enum['ab', 'cd'] $x ;; $x =~ /a/ ;; $x ==> String['ab'] | String['cd']
        Variant[Integer, String] $x ;; $x =~ /a/ ;; $x ==> Pattern[/a/] | String
        Any $x, String $r ;; $x =~ $r ;; $x ==> String | String
        Any $x, Any $r ;; $x =~ $r ;; $x ==> Any | Any
        ",
    );
}

#[test]
fn equality() {
    check(
        r"
        Optional[String] $x ;; $x == undef ;; $x ==> Undef | String
        Optional[String] $x ;; $x != undef ;; $x ==> String | Undef
        Any $x ;; $x == 'a' ;; $x ==> Enum['a', true] | Any
        Enum['a', 'A', 'b'] $x ;; $x == 'a' ;; $x ==> Enum['A', 'a'] | String['b']
        Optional[Enum['a', 'b']] $x ;; $x == 'a' ;; $x ==> String['a'] | Optional['b']
        String $x ;; $x == '' ;; $x ==> String[''] | String[1]
        Integer $x ;; $x == 5 ;; $x ==> Integer[5, 5] | Variant[Integer[default, 4], Integer[6]]
        Numeric $x ;; $x == 5 ;; $x ==> Variant[Integer[5, 5], Float[5.0, 5.0]] | Numeric
        Float $x ;; $x == 5 ;; $x ==> Float[5.0, 5.0] | Float
        Integer $x ;; $x == 5.0 ;; $x ==> Integer[5, 5] | Variant[Integer[default, 4], Integer[6]]
        Variant[Integer, String] $x ;; $x == 5 ;; $x ==> Integer[5, 5] | Variant[Integer[default, 4], Integer[6], String]
        Variant[Timespan, String] $x ;; $x == 5 ;; $x ==> Timespan | Variant[Timespan, String]
        Any $x ;; $x == default ;; $x ==> Default | Any
        Boolean $x ;; $x == true ;; $x ==> Boolean[true] | Boolean[false]
        Array[String] $x ;; $x == [] ;; $x ==> Array[0, 0] | Array[String, 1]
        Hash[String, String] $x ;; $x == {} ;; $x ==> Hash[0, 0] | Hash[String, String, 1]
        Any $x ;; $x == ['a', 1] ;; $x ==> Tuple[Enum['a', true], Variant[Integer[1, 1], Float[1.0, 1.0], Timespan, Timestamp]] | Any
        # A missing key is as good as one that is undef.
        Any $x ;; $x == {a => undef} ;; $x ==> Hash[Any, Any, 1, 1] | Any
        Any $x, Integer[1, 3] $y ;; $x == $y ;; $x ==> Variant[Integer[1, 3], Float[1.0, 3.0], Timespan, Timestamp] | Any
        Integer $x, Integer[1, 3] $y ;; $x == $y ;; $x ==> Integer[1, 3] | Integer
        Integer[2] $x, Integer[1, 3] $y ;; $x == $y ;; $y ==> Integer[2, 3] | Integer[1, 3]
        Any $x, Enum['a', 'b'] $y ;; $y == $x ;; $x ==> Enum['a', 'b', true] | Any
        Any $x, Any $y ;; $y == $x ;; $x ==> Any | Any
        Optional[Integer] $x, Integer $y ;; $y == $x ;; $x ==> Integer | Optional[Integer]
        ",
    );
}

#[test]
fn order() {
    check(
        r"
        Integer $x ;; $x < 5 ;; $x ==> Integer[default, 4] | Integer[5]
        Integer $x ;; $x <= 5 ;; $x ==> Integer[default, 5] | Integer[6]
        Integer $x ;; $x > 5 ;; $x ==> Integer[6] | Integer[default, 5]
        Integer $x ;; $x >= 5 ;; $x ==> Integer[5] | Integer[default, 4]
        Integer $x ;; 5 > $x ;; $x ==> Integer[default, 4] | Integer[5]
        Integer $x ;; $x < 5.5 ;; $x ==> Integer[default, 5] | Integer[6]
        Integer $x ;; $x <= 5.0 ;; $x ==> Integer[default, 5] | Integer[6]
        Float $x ;; $x < 5 ;; $x ==> Float[default, 5.0] | Float[5.0]
        Numeric $x ;; $x >= 5 ;; $x ==> Variant[Integer[5], Float[5.0]] | Variant[Integer[default, 4], Float[default, 5.0]]
        Optional[Integer] $x ;; $x >= 5 ;; $x ==> Integer[5] | Integer[default, 4]
        Variant[String, Integer] $x ;; $x >= 5 ;; $x ==> Integer[5] | Integer[default, 4]
        Integer $x, Integer[1, 3] $y ;; $x < $y ;; $x ==> Integer[default, 2] | Integer[1]
        Integer[2] $x, Integer[1, 3] $y ;; $x < $y ;; $y ==> Integer[3, 3] | Integer[1, 3]
        Any $x ;; $x < 5 ;; $x ==> Any | Any
        Integer $x, Any $y ;; $x < $y ;; $x ==> Integer | Integer
        Variant[Timespan, Integer] $x ;; $x < 5 ;; $x ==> Variant[Timespan, Integer[default, 4]] | Variant[Timespan, Integer[5]]
        Variant[Type, Undef] $x ;; $x < Integer ;; $x ==> Type | Variant[Type, Undef]
        Optional[Type] $x, Undef $y ;; $x < $y ;; $x ==> Type | Optional[Type]
        ",
    );
}

#[test]
fn sizes() {
    check(
        r"
        Array[String] $x ;; $x.length > 0 ;; $x ==> Array[String, 1] | Array[0, 0]
        Array[String] $x ;; size($x) >= 2 ;; $x ==> Array[String, 2] | Array[String, 0, 1]
        Array[String] $x ;; 2 > $x.size() ;; $x ==> Array[String, 0, 1] | Array[String, 2]
        Hash[String, String] $x ;; $x.length == 0 ;; $x ==> Hash[0, 0] | Hash[String, String, 1]
        String $x ;; length($x) == 3 ;; $x ==> String[3, 3] | String
        String $x ;; $x.empty ;; $x ==> String[''] | String[1]
        String $x ;; !$x.empty ;; $x ==> String[1] | String['']
        Array[String] $x ;; empty($x) ;; $x ==> Array[0, 0] | Array[String, 1]
        Optional[Array[String]] $x ;; empty($x) ;; $x ==> Optional[Array[0, 0]] | Array[String, 1]
        Variant[Integer, String] $x ;; empty($x) ;; $x ==> String[''] | Variant[Integer, String[1]]
        Any $x ;; empty($x) ;; $x ==> Any | Any
        Tuple[String, String, 0, 2] $x ;; $x.length == 2 ;; $x ==> Tuple[String, String] | Tuple[String, String, 0, 1]
        Struct[{'a' => Array[String]}] $x ;; $x['a'].empty ;; $x['a'] ==> Array[0, 0] | Array[String, 1]
        ",
    );
}

#[test]
fn membership() {
    check(
        r"
        Optional[String] $x ;; $x in ['a', 'b'] ;; $x ==> Enum['a', 'b', true] | Optional[String]
        Enum['A', 'b', 'c'] $x ;; $x in ['a', 'b'] ;; $x ==> Enum['A', 'b'] | String['c']
        Integer[0, 5] $x ;; $x in [1, 2] ;; $x ==> Integer[1, 2] | Variant[Integer[0, 0], Integer[3, 5]]
        Variant[Integer, String] $x ;; $x in ['1'] ;; $x ==> String['1'] | Variant[Integer, String]
        Variant[Integer, String] $x ;; $x in [1] ;; $x ==> Integer[1, 1] | Variant[Integer[default, 0], Integer[2], String]
        String $x ;; $x in [/a/] ;; $x ==> Pattern[/a/] | String
        Variant[Integer, String] $x ;; $x in [Integer] ;; $x ==> - | Variant[Integer, String]
        Variant[Integer, String] $x ;; $x in [Pattern[/a/]] ;; $x ==> Pattern[/a/] | Variant[Integer, String]
        Variant[Integer, String] $x ;; $x in [default] ;; $x ==> String | Integer
        Optional[String] $x ;; $x in {'a' => 1, 'b' => 2} ;; $x ==> Enum['a', 'b', true] | Optional[String]
        Optional[String] $x ;; $x in 'abc' ;; $x ==> String[0, 3] | Optional[String[1]]
        Optional[String] $x, String $y ;; $x in $y ;; $x ==> String | Optional[String]
        Optional[String] $x, Array[Enum['a']] $y ;; $x in $y ;; $x ==> Enum['a', true] | Optional[String]
        Optional[String] $x, Array $y ;; $x in $y ;; $x ==> Optional[String] | Optional[String]
        Optional[String] $x ;; $x in [undef] ;; $x ==> Undef | String
        Any $x ;; $x in [1] ;; $x ==> Variant[Integer[1, 1], Float[1.0, 1.0], Timespan, Timestamp, Type] | Any
        Integer $x ;; $x in [] ;; $x ==> - | Integer
        ",
    );
}

#[test]
fn logic() {
    check(
        r"
        Optional[Integer] $x ;; $x and $x > 5 ;; $x ==> Integer[6] | Optional[Integer[default, 5]]
        Optional[Integer] $x ;; $x == undef or $x > 5 ;; $x ==> Optional[Integer[6]] | Integer[default, 5]
        Optional[Integer] $x ;; !($x and $x > 5) ;; $x ==> Optional[Integer[default, 5]] | Integer[6]
        Any $x ;; $x =~ String or $x =~ Integer ;; $x ==> Variant[String, Integer] | Any
        Variant[String, Integer, Float] $x ;; $x !~ String and $x !~ Integer ;; $x ==> Float | Variant[String, Integer]
        Enum['a', 'b', 'c'] $x ;; $x == 'a' or $x == 'b' or $x == 'c' ;; $x ==> Enum['a', 'b', 'c'] | -
        Any $x, Any $y ;; $x =~ String or $y =~ String ;; $x ==> Any | Any
        Variant[String, Integer] $x, Boolean $y ;; $x =~ String and $y ;; $x ==> String | Variant[String, Integer]
        Variant[String, Integer] $x ;; ($x =~ String) == true ;; $x ==> Variant[String, Integer] | Variant[String, Integer]
        ",
    );
}

#[test]
fn parts() {
    check(
        r"
        Hash[String, Any] $x ;; $x['a'] =~ String ;; $x['a'] ==> String | Any
        Hash[String, Any] $x ;; $x['a'] =~ String ;; $x['A'] ==> Any | Any
        Hash[String, Any] $x ;; $x['a'] =~ String ;; $x ==> Hash[String, Any, 1] | Hash[String, Any]
        Hash $x ;; $x['a']['b'] =~ String ;; $x['a']['b'] ==> String | Any
        Hash $x ;; $x.dig('a', 'b') =~ String ;; $x.dig('a', 'b') ==> String | Any
        Hash $x ;; $x.dig('a', 'b') =~ String ;; $x['a']['b'] ==> String | Any
        Hash $x ;; $x.get('a.b') =~ String ;; $x['a']['b'] ==> String | Any
        Hash $x ;; $x.get('a.0') =~ String ;; $x['a'][0] ==> String | Any
        Optional[Array[String]] $x ;; $x[0] ;; $x ==> Array[String, 1] | Array[String]
        Array[String] $x ;; $x[0] == undef ;; $x ==> Array[String] | Array[String, 1]
        Array[String] $x ;; $x[-2] ;; $x ==> Array[String, 2] | Array[String]
        Optional[Hash[String, String]] $x ;; $x.dig('a') ;; $x ==> Hash[String, String, 1] | Optional[Hash[String, String]]
        Struct[{'a' => Optional[String]}] $x ;; $x['a'] ;; $x ==> Struct[{'a' => String}] | Struct[{'a' => Undef}]
        Struct[{Optional['a'] => String}] $x ;; $x['a'] ;; $x ==> Struct[{'a' => String}] | Hash[0, 0]
        Struct[{Optional['a'] => String}] $x ;; $x['a'] == 'b' ;; $x['a'] ==> Enum['b', true] | Optional[String]
        Variant[Struct[{'t' => Enum['a'], 'v' => String}], Struct[{'t' => Enum['b'], 'v' => Integer}]] $x ;; $x['t'] == 'a' ;; $x['v'] ==> String | Integer
        Variant[Struct[{'t' => Enum['a'], 'v' => String}], Struct[{'t' => Enum['b'], 'v' => Integer}]] $x ;; $x['v'] =~ String ;; $x['t'] ==> String['a'] | String['b']
        Tuple[Variant[String, Integer], String] $x ;; $x[0] =~ String ;; $x ==> Tuple[String, String] | Tuple[Integer, String]
        Hash[String, Integer] $x, String $k ;; $x[$k] == 5 ;; $x[$k] ==> Optional[Integer] | Optional[Integer]
        ",
    );
}

#[test]
fn code_after_conditions() {
    let behind = |parameters: &str, code: &str| {
        revealed(&format!("class m({parameters}) {{ {code} }}")).join(" | ")
    };
    let cases = [
        (
            "Optional[String] $x",
            "if !$x { fail('no') } notice($x)",
            "String",
        ),
        (
            "Optional[String] $x",
            "unless $x { fail('no') } notice($x)",
            "String",
        ),
        (
            "Optional[String] $x",
            "if $x { } notice($x)",
            "Optional[String]",
        ),
        (
            "Optional[String] $x",
            "$x or fail('no') notice($x)",
            "String",
        ),
        ("Any $x", "assert_type(String, $x) notice($x)", "String"),
        (
            "Any $x",
            "assert_type(String, $x) |$a, $b| { 'x' } notice($x)",
            "Any",
        ),
        ("Data $x", "if $x =~ String { } notice($x)", "Data"),
        (
            "Optional[String] $x",
            "if $x { $y = $x } else { $y = 1 } notice($y)",
            "Variant[String, Integer[1, 1]]",
        ),
        (
            "Boolean $b",
            "if $b { $y = 1 } if defined('$y') { notice($y) }",
            "Integer[1, 1]",
        ),
        // A lambda parameter shadows the variable.
        (
            "Optional[String] $x",
            "if $x { [1].each |$x| { notice($x) } }",
            "Integer[1, 1]",
        ),
        (
            "Optional[String] $x",
            "[1].each |$y| { if $x { } else { next() } notice($x) } notice($x)",
            "String | Optional[String]",
        ),
        (
            "Optional[String] $x",
            "[1].each |$y| { if !$x { break() } notice($x) } notice($x)",
            "String | Optional[String]",
        ),
        (
            "Any $x",
            "if $x =~ String { if $x =~ Integer { notice($x) } }",
            "-",
        ),
    ];
    for (parameters, code, expected) in cases {
        assert_eq!(behind(parameters, code), expected, "{parameters}; {code}");
    }
}

#[test]
fn early_return() {
    let found = revealed(
        "function m(Optional[String] $x) { if $x == undef { return('') } notice($x) $x.length }",
    );
    assert_eq!(found, ["String"]);
}
