//! The sources.

/// Returns all sources with their names.
pub(crate) fn all() -> Vec<(String, String)> {
    let written = WRITTEN
        .iter()
        .map(|&(name, source)| (name.to_owned(), source.to_owned()));
    written.chain(made()).collect()
}

/// The sources that are long and regular.
fn made() -> Vec<(String, String)> {
    let lines = |last: &str, line: &dyn Fn(usize) -> String| {
        let lines: Vec<String> = (0..40).map(line).collect();
        format!("{}\ntype T40 = Integer\n{last}", lines.join("\n"))
    };
    let tuples = |sizes: usize| {
        let tuple = |i: usize| {
            let numbers = (1..20).map(|j| format!("Integer[{}, {}]", i * j, i * j + sizes));
            format!("Tuple[{}]", numbers.collect::<Vec<_>>().join(", "))
        };
        let tuples = (1..40).map(tuple).collect::<Vec<_>>();
        format!("Variant[{}]", tuples.join(", "))
    };
    let named = [
        (
            "aliases of pairs",
            lines("[T0] =~ T0", &|i| {
                format!("type T{i} = Tuple[T{0}, T{0}]", i + 1)
            }),
        ),
        (
            "aliases of choices",
            lines("[[[1]]] =~ T0", &|i| {
                format!("type T{i} = Variant[Array[T{0}], Hash[T{0}, T{0}]]", i + 1)
            }),
        ),
        (
            "choices of tuples",
            format!("{} <= {}", tuples(5), tuples(4)),
        ),
        (
            "ranges of versions",
            format!("SemVerRange('>=1.2.3 {}')", "|| >1.0.0 ".repeat(5000)),
        ),
        (
            "blocks in blocks",
            format!(
                "with(1) |$x| {{ {}$x{} }}",
                "with($x) |$x| { ".repeat(60),
                " }".repeat(60)
            ),
        ),
        (
            "a long string",
            format!("\"{}\"", "${[1, 2, 3].map |$x| { $x }}".repeat(2000)),
        ),
        ("a long sum", format!("1{}", " + 1".repeat(5000))),
        (
            "a large array",
            format!("[{}].map |$x| {{ $x * 2 }}", "1, ".repeat(100_000)),
        ),
    ];
    named.map(|(name, source)| (name.to_owned(), source)).into()
}

const WRITTEN: &[(&str, &str)] = &[
    (
        "range map",
        "Integer[1, 9223372036854775807].map |$x| { $x }",
    ),
    (
        "range map big",
        "Integer[1, 1000000000].map |$x| { $x + 1 }",
    ),
    (
        "range each",
        "Integer[1, 9223372036854775807].each |$x| { $x }",
    ),
    (
        "range reduce",
        "Integer[1, 100000000000].reduce |$a, $b| { $a + $b }",
    ),
    ("range splat", "[*Integer[1, 100000000000]]"),
    (
        "range filter",
        "Integer[1, 100000000000].filter |$x| { false }",
    ),
    ("range any", "Integer[1, 100000000000].any |$x| { false }"),
    ("step", "Integer[1, 100000000000].step(2).map |$x| { $x }"),
    (
        "reverse",
        "Integer[1, 100000000000].reverse_each.map |$x| { $x }",
    ),
    ("in range", "5 in Integer[1, 100000000000]"),
    ("slice", "Integer[1, 100000000000].slice(3)"),
    ("array new", "Array(Integer[1, 100000000000])"),
    ("flatten", "[Integer[1, 100000000000]].flatten"),
    ("index", "Integer[1, 100000000000].index |$x| { false }"),
    ("group", "Array(Integer[1,1000000]).group_by |$x| { $x }"),
    ("fmt width", "String(1, '%1000000000d')"),
    ("fmt width2", "sprintf('%1000000000d', 1)"),
    ("fmt prec", "String(1.0, '%.1000000000f')"),
    ("fmt prec2", "sprintf('%.1000000000f', 1.0)"),
    ("fmt str", "String('x', '%1000000000s')"),
    (
        "fmt many",
        "sprintf('%999999d%999999d%999999d%999999d%999999d%999999d%999999d', 1,1,1,1,1,1,1)",
    ),
    ("strftime", "strftime(Timestamp(1), '%1000000000Y')"),
    ("strftime2", "Timespan(1).strftime('%1000000000N')"),
    (
        "regex1",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a+)+$/",
    ),
    (
        "regex2",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a|a)*$/",
    ),
    (
        "regex3",
        r#"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(?=(a+)+$)b|(a*)*\2c/"#,
    ),
    (
        "regex4",
        r#"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ /(a?){60}a{60}\1/"#,
    ),
    ("regex big", "'a' =~ /(((a{1000}){1000}){1000})/"),
    ("regex big2", "'a' =~ /(a{0,99999}){0,99999}/"),
    (
        "regsubst",
        "regsubst('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a+)+$', 'x', 'G')",
    ),
    (
        "split",
        "split('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a+)+$')",
    ),
    ("recursion", "function f($x) { f($x + 1) }\nf(1)"),
    (
        "recursion2",
        "function f($x) { [f($x + 1), f($x + 1)] }\nf(1)",
    ),
    (
        "fib",
        "function f($x) { if $x < 2 { $x } else { f($x - 1) + f($x - 2) } }\nf(60)",
    ),
    (
        "ackermann",
        "function a($m,$n) { if $m == 0 { $n + 1 } elsif $n == 0 { a($m - 1, 1) } else { a($m - 1, a($m, $n - 1)) } }\na(4,2)",
    ),
    (
        "exp lambda",
        "Integer[1,100].map |$a| { Integer[1,100].map |$b| { Integer[1,100].map |$c| { Integer[1,100].map |$d| { $a } } } }",
    ),
    (
        "doubling str",
        r#"$a = Integer[1,60].reduce('x') |$m, $i| { "${m}${m}" }
$a"#,
    ),
    (
        "doubling arr",
        "$a = Integer[1,60].reduce([1]) |$m, $i| { [$m, $m] }\n$a",
    ),
    (
        "doubling arr2",
        "$a = Integer[1,60].reduce([1]) |$m, $i| { $m + $m }\n$a",
    ),
    (
        "doubling hash",
        "$a = Integer[1,60].reduce({a=>1}) |$m, $i| { {a => $m, b => $m} }\n$a",
    ),
    (
        "alias",
        "type A = Array[Variant[A, B]]\ntype B = Hash[String, Variant[A, B]]\n[[[{a => [[]]}]]] =~ A",
    ),
    (
        "alias2",
        "type A = Variant[Tuple[A, A, A], Tuple[A, A], Integer]\ntype B = Variant[Tuple[B, B, B], Tuple[B, B], Integer]\nA <= B",
    ),
    (
        "tree_each",
        "$a = Integer[1,22].reduce([1]) |$m, $i| { [$m, $m] }\n$a.tree_each |$x| { $x }",
    ),
    ("shift", "1 << 1000000000"),
    ("pow", "Integer[1,1000].reduce(2) |$a, $b| { $a * $a }"),
    (
        "join",
        "Integer[1,1000000].map |$x| { 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }.join('')",
    ),
    ("unique", "Array(Integer[1,300000]).unique"),
    ("sort", "Array(Integer[1,300000]).sort |$a, $b| { 0 }"),
    (
        "sensitive",
        "Integer[1,2000].reduce(1) |$m, $i| { Sensitive($m) }",
    ),
    (
        "nested type",
        "Integer[1,2000].reduce(Integer) |$m, $i| { Array[$m] }",
    ),
    (
        "nested type2",
        "Integer[1,60].reduce(Integer) |$m, $i| { Tuple[$m, $m] }",
    ),
    (
        "nested str fmt",
        "String(Integer[1,60].reduce([1]) |$m, $i| { [$m, $m] })",
    ),
    (
        "hash",
        "Integer[1,1000000].reduce({}) |$m, $i| { $m + {$i => $i} }",
    ),
    (
        "str grow",
        r#"Integer[1,1000000].reduce('') |$m, $i| { "${m}x" }"#,
    ),
];
