# frozen_string_literal: true

module EvalCases
  # Lambdas: parameters, types, defaults, and leaving them early.
  class Lambdas < Area
    named 'lambdas'
    COUNT = 900
    CALLS = %w[map each filter reduce any all with then lest partition group_by slice step reverse_each index tree_each sort unique max min call_it].freeze

    def one
      case rand(8)
      when 0, 1, 2 then "with(#{times(0, 3) { value(1) }.join(', ')}) |#{parameters}| #{returns}{ #{body} }"
      when 3 then "#{iterable}.#{pick(%w[map each filter any all partition group_by reverse_each index unique])} |#{parameters}| { #{leaving} }"
      when 4 then "#{iterable}.#{pick(%w[map each filter reduce any all])} |#{pick(['$a', '$a, $b', 'Integer $a', '$a, $b = 2', '*$a', '$a, *$b'])}| { #{leaving} }"
      when 5 then leave_functions
      when 6 then "[#{times(1, 4) { between(0, 9) }.join(', ')}].reduce#{"(#{value(0)})" if chance(50)} |#{pick(['$m, $x', '$m, Integer $x', 'Integer $m, $x', '$x', '*$x', '$m, $x, $y = 1'])}| { #{pick(['$m + $x', "if $x > 5 { break() }\n$m + $x", "if $x > 5 { next($m) }\n$m + $x", '$x', '[$m, $x]', "return(1)", 'undef', '"$m$x"'])} }"
      else strange
      end
    end

    private

    def parameter_type
      pick(['Integer', 'String', 'Any', 'Numeric', 'Optional[Integer]', 'Array', 'Variant[Integer, String]', 'Integer[0, 5]', 'Undef', 'Hash', "Enum['a', 'b']", 'Boolean', 'Callable', 'Type', 'Array[Integer]', 'Collection', 'NotUndef'])
    end

    def parameters
      count = between(0, 3)
      list = %w[$a $b $c].first(count).map.with_index do |name, i|
        rest = '*' if i == count - 1 && chance(20)
        default = " = #{pick([value(0), '5', '$a', 'undef', '1 + 1', '[$a]', "'d'"])}" if rest.nil? && chance(30)
        "#{"#{parameter_type} " if chance(40)}#{rest}#{name}#{default}"
      end
      list.join(', ')
    end

    def returns
      chance(15) ? ">> #{parameter_type} " : ''
    end

    def body
      pick(['$a', '[$a, $b]', '[$a, $b, $c]', '$a + $b', '$b', '$c', 'undef', '', 'next(7)', 'break()', 'return(3)', "$a\n$b", 'type($a)', '1', "next()\n5", '"$a-$b"', '$d', '[$a].map |$a| { $a }', '$a =~ Integer'])
    end

    def leaving
      pick(["if $a == 2 { next(#{value(0)}) }\n$a", "if $a == 2 { break() }\n$a", "if $a == 2 { return(#{value(0)}) }\n$a", 'next()', 'break()', '$a', '[$a, $b]', 'next', 'break', 'next 5', '$a and $b', '$a =~ Integer', '$a > 1', '$a == $b', 'true', 'undef', "[$a, $a + 1]",
            "if $a { next($a) }\n'no'", '[1, 2].each |$x| { if $x == 2 { next() } }', '[1, 2].map |$x| { if $x == 1 { break() } $x }', 'with($a) |$x| { next($x) }', '"${a}!"', '$a * 2', '$b', 'return'])
    end

    def leave_functions
      pick(["function f($x) { #{pick(['$x', '[1, 2, 3]'])}.each |$i| { if $i == 2 { return($i) } }\n'end' }\nf([1, 2, 3])", "function f($x) { $x.map |$i| { if $i == 2 { next('n') } $i } }\nf([1, 2, 3])", "function f($x) { return($x)\n1 }\nf(#{value(0)})", "function f($x) { next($x)\n1 }\nf(#{value(0)})", "function f($x) { break()\n1 }\nf(1)",
            "return(#{value(0)})", "next(#{value(0)})", 'break()', "function f() { with(1) |$x| { return(5) }\n6 }\nf()", "function f() { if true { return('r') }\n6 }\n[f(), f()]", "function f() >> Integer { return('r') }\nf()", "function f() >> Integer { next('r') }\nf()", "function f() { [1, 2].each |$x| { break() }\n'after' }\nf()",
            "$r = [1, 2, 3].map |$x| { if $x == 2 { break() } $x }\n$r", "[[1, 2], [3, 4]].map |$x| { $x.map |$y| { if $y == 3 { break() } $y } }", "[[1, 2], [3, 4]].map |$x| { $x.map |$y| { if $y == 1 { next('n') } $y } }", "[1, 2, 3].filter |$x| { if $x == 2 { break() } true }", "[1, 2, 3].each |$x| { if $x == 2 { return('r') } }\n'end'",
            "case 1 { 1: { return(4) } }\n5", "function f() { case 1 { 1: { return(4) } }\n5 }\nf()", "function f($x) { unless $x { return('u') }\n'n' }\n[f(true), f(false)]", "function f() { return }\nf()", "return 5", "function f() { return 5 }\nf()", "if true { return('x') }\n1"])
    end

    def strange
      pick(["with(1) |$x, $x| { $x }", 'with() || { 1 }', 'with || { 1 }', "with(1, 2) |$x| { $x }", 'with(1) |Integer $x| { $x }', "with('a') |Integer $x| { $x }", 'with(1, 2, 3) |$x, *$y| { $y }', 'with(1) |$x, *$y| { $y }', "with(1, 'a') |Integer *$y| { $y }", 'with(1, 2) |Integer *$y| { $y }', 'with(1) |$x = 2, $y| { [$x, $y] }', 'with(1, 2) |$x = 2, $y| { [$x, $y] }',
            '[1, 2].each', '[1].map', '1.map |$x| { $x }', 'map([1]) |$x| { $x }', 'map([1], 2) |$x| { $x }', '[1].map |$x, $y, $z| { $x }', '[1].map || { 1 }', '$f = |$x| { $x }', 'with(|$x| { $x })', '[1, 2].map |$x| { $x } |$y| { $y }', 'with([1, 2]) |$x| { $x }.size', '[1, 2].map |$x| { $x }.map |$y| { $y + 1 }', "[1, 2]\n.map |$x| { $x }", "'abc'.with |$x| { $x }",
            'with(1) |$x| >> String { $x }', "with(1) |$x| >> Integer { $x }", 'with(1) |Integer $x = "a"| { $x }', 'with |Integer $x = "a"| { $x }', 'with() |$x| { 1 }', "with(undef) |Integer $x = 5| { $x }", "with(default) |$x = 5| { $x }", '[[1, 2]].map |$x, $y| { [$x, $y] }', '[[1, 2], [3]].each |$x, $y| { $y }', "{a => 1}.map |$x| { $x }", "{a => 1}.map |$k, $v| { [$v, $k] }", '[[1, [2, 3]]].map |$a, $b| { $b }'])
    end
  end

  # Functions written in Puppet.
  class Functions < Area
    named 'functions'
    COUNT = 600

    def one
      case rand(7)
      when 0..2 then "function f(#{parameters}) #{returns}{ #{body} }\n#{call}"
      when 3 then recursion
      when 4 then "function f(#{parameters}) { #{body} }\n[f(#{arguments}), f(#{arguments})]"
      when 5 then order
      else "function m::f(#{parameters}) { #{body} }\n#{pick(['m::f', '::m::f', 'f'])}(#{arguments})"
      end
    end

    private

    def type_of_parameter
      pick(['Integer', 'String', 'Any', 'Optional[String]', 'Array[Integer]', 'Hash', 'Variant[Integer, Undef]', 'Boolean', 'Struct[{a => Integer}]', 'Type[Integer]', 'Integer[1]', 'Nope', 'Callable', 'Data', 'Tuple[Integer, String]', 'Pattern[/a/]'])
    end

    def parameters
      count = between(0, 3)
      list = %w[$a $b $c].first(count).map.with_index do |name, i|
        rest = '*' if i == count - 1 && chance(20)
        default = " = #{pick([value(0), '5', '$a', 'undef', '1 + 1', '$c', "size('ab')", "'d'"])}" if rest.nil? && chance(35)
        "#{"#{type_of_parameter} " if chance(50)}#{rest}#{name}#{default}"
      end
      list.join(', ')
    end

    def returns
      chance(30) ? ">> #{type_of_parameter} " : ''
    end

    def body
      pick(['$a', '[$a, $b]', '', '$a + 1', 'undef', "return($a)\n1", '$b', '$c', "if $a { 'yes' } else { 'no' }", '[$a].map |$x| { $x }', "$z = $a\n$z", '"$a"', 'type($a)', '$nope', 'f(1)', '$a[0]', "'r'", '1', '{ a => $a }'])
    end

    def arguments
      times(0, 3) { value(1) }.join(', ')
    end

    def call
      pick(["f(#{arguments})", "f(#{arguments})", "f(#{arguments})", "#{value}.f", "#{value}.f(#{value(0)})", "f(#{arguments}) |$x| { $x }", "call('f', #{value(0)})", "[#{value(0)}, #{value(0)}].map |$x| { f($x) }", "f(*#{array})", 'f', "F(#{arguments})", "$r = f(#{arguments})\n$r"])
    end

    def recursion
      pick(["function fact(Integer $n) { if $n <= 1 { 1 } else { $n * fact($n - 1) } }\nfact(#{between(0, 22)})", "function fib(Integer[0] $n) >> Integer { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } }\nfib(#{between(-1, 12)})",
            "function even($n) { if $n == 0 { true } else { odd($n - 1) } }\nfunction odd($n) { if $n == 0 { false } else { even($n - 1) } }\neven(#{between(0, 9)})",
            "function sum(Array[Integer] $l) { if empty($l) { 0 } else { $l[0] + sum($l[1, -1]) } }\nsum(#{integers})", "function rev($l) { if size($l) < 2 { $l } else { rev($l[1, -1]) + [$l[0]] } }\nrev(#{array})",
            "function flat($x) { $x ? { Array => $x.reduce([]) |$m, $e| { $m + flat($e) }, default => [$x] } }\nflat([1, [2, [#{value(0)}]], #{value(0)}])", "function depth($x) { if $x =~ Array { 1 + $x.reduce(0) |$m, $e| { max($m, depth($e)) } } else { 0 } }\ndepth([[1], [[2]], #{array}])",
            "function gcd(Integer $a, Integer $b) { if $b == 0 { $a } else { gcd($b, $a % $b) } }\ngcd(#{between(-20, 100)}, #{between(-20, 100)})"])
    end

    def order
      pick(["f(1)\nfunction f($x) { $x + 1 }", "function f() { 1 }\nfunction f() { 2 }\nf()", "function f() { g() }\nfunction g() { 'g' }\nf()", "$r = f()\nfunction f() { 1 }\n$r", "function f() { 1 }", "function size($x) { 'mine' }\nsize([1])", "function m::size($x) { 'mine' }\n[m::size([1]), size([1])]", "function f($x) { $x }\n1 + f(2)", "function f($x) { $x }\nf",
            "function f(Integer $x = 'a') { $x }\nf()", "function f(Integer $x = 'a') { $x }\nf(1)", "function f($x, $y = $x * 2) { [$x, $y] }\nf(3)", "function f($x = $y, $y = 2) { $x }\nf()", "function f(*$x) { $x }\n[f(), f(1), f(1, 2)]", "function f(Integer *$x) { $x }\nf(1, 'a')", "function f(Integer $x) >> Integer { $x }\nf(undef)", "function f($x) { with($x) |$y| { $x + $y } }\nf(2)",
            "function f() { $y = 1 }\nf()\n$y", "function f() >> String[2] { 'a' }\nf()", "function f() >> Optional[String] { }\nf()", "function f($a, $b) { [$a, $b] }\nf(1)", "function f($a, $b) { [$a, $b] }\nf(1, 2, 3)", "function f(String $a) { $a }\nf('x') |$y| { 1 }", "function f(Callable $b) { $b }\nf(1)", "type A = Integer\nfunction f(A $x) { $x }\nf(1)", "type A = Integer\nfunction f(A $x) { $x }\nf('a')",
            "function f($x) { $x[a] }\nf({a => #{value(0)}})", "function f(Integer[0, 10] $p) { $p }\nf(#{between(-2, 12)})"])
    end
  end

  # Type aliases in the same source, also recursive ones.
  class Aliases < Area
    named 'aliases'
    COUNT = 500
    DEFINITIONS = ['type T = Integer', 'type T = Array[Variant[Integer, T]]', 'type T = Hash[String, Variant[String, T]]', 'type T = Variant[Integer, Array[T]]', 'type T = Optional[Array[T]]', "type T = Struct[{a => Integer, Optional[b] => T}]",
                   "type U = String\ntype T = Variant[U, Integer]", "type T = Tuple[Integer, Optional[T]]", "type T = Enum['a', 'b']", 'type T = Pattern[/a/]', 'type T = Integer[0, 10]', "type T = Array[U]\ntype U = Variant[String, Hash[String, T]]", 'type T = Callable[Integer]', 'type T = Type[Integer]', "type T = Struct[{v => Any, n => Optional[T]}]",
                   'type M::T = Integer', 'type T = T', 'type T = Variant[T, T]', 'type T = Nope', 'type T = NotUndef[T]', 'type T = Sensitive[String]', "type T = Timespan['0-00:00:00', '1-00:00:00']", 'type T = Optional[T]', 'type T = SemVer["1.x"]', 'type T = Data', 'type T = Any'].freeze

    def one
      "#{pick(DEFINITIONS)}\n#{use}"
    end

    private

    def use
      subject = pick([value(2), integer, string, integers, '[[1], [2, [3]]]', "{'a' => 1}", "{'a' => 1, 'b' => {'a' => 2}}", "{'a' => {'b' => 'c'}}", 'undef', '[1, [2, undef]]', "{'v' => 1, 'n' => {'v' => 2}}", "[['a']]"])
      pick(["#{subject} =~ T", "#{subject} =~ T", 'T', 'type(T)', "T == #{type}", "T <= #{type}", "#{type} <= T", "#{subject} ? { T => 'yes', default => 'no' }", "case #{subject} { T: { 1 } default: { 2 } }", "with(#{subject}) |T $x| { $x }", "function f(T $x) { $x }\nf(#{subject})", "T.new(#{subject})", "T(#{subject})", "T[#{pick([integer, string, type])}]", "[T, #{type}]",
            "Array[T]", "[#{subject}] =~ Array[T]", "Optional[T] == Variant[T, Undef]", "assert_type(T, #{subject})", "\"${T}\"", "String(T)", "String(T, '%p')", "T == T", "T.type", "type(T, 'generalized')", "Hash[String, T]", "M::T", "#{subject}.convert_to(T)", "T <= T", "Variant[T, Integer] <= T", "{T => 1}", "#{type} > T", "type(#{subject}) <= T"])
    end
  end
end
