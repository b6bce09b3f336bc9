# frozen_string_literal: true

module EvalCases
  # Functions over collections.
  class Collections < Area
    named 'collections'
    COUNT = 1500
    WITH_BLOCK = %w[map filter each any all partition group_by index reverse_each unique].freeze

    def one
      case rand(16)
      when 0..3 then "#{iterable}.#{pick(WITH_BLOCK)} |#{pick(['$a', '$a', '$a, $b', '$a, $b', '$a, $b, $c', '', '*$a', 'Integer $a', 'String $a'])}| { #{block} }"
      when 4 then "#{iterable}.reduce#{"(#{value(0)})" if chance(40)} |$m, $x| { #{pick(['$m + $x', '[$m, $x]', '$x', '"$m$x"', '$m', '$m << $x'])} }"
      when 5 then "#{iterable}.slice(#{pick([1, 2, 3, 0, -1, "'a'", 10])})#{" |#{pick(['$a', '$a, $b', '$a, $b, $c', '', '*$a'])}| { [$a] }" if chance(40)}"
      when 6 then iterators
      when 7 then "#{pick(%w[flatten keys values length size empty])}(#{times(0, 2) { pick([array(2), dict, value(1), '[[1, [2]], [[[3]]]]']) }.join(', ')})"
      when 8 then "#{pick([array(2), dict(2), strings, integers])}.#{pick(%w[flatten keys values length size empty unique sort join max min])}"
      when 9 then "join(#{pick([array(2), strings, '[1, [2, [3]], undef, true, 1.5]', dict, string, "[{'a' => 1}]", '[default, /a/, Integer]'])}#{pick(['', ", ','", ", ''", ', 1', ", ', '", ', undef'])})"
      when 10 then sorting
      when 11 then extremes
      when 12 then digging
      when 13 then "#{pick(%w[index])}(#{pick([iterable, string, array, dict])}, #{pick([value(0), string, regex, integer])})"
      when 14 then trees
      else wrong
      end
    end

    private

    def block
      pick(['$a', '[$a, $b]', '$a > 1', '$a == $b', '$b', '$a =~ Integer', 'true', 'false', 'undef', '$a * 2', '$a % 2', '"$a"', '$a[0]', '$a[1] > 0', "$a == 'a'", '$b =~ Integer', '$a and $b', 'size($a)', '$a.type', '1', '[]', '$a =~ /a/'])
    end

    def iterators
      source = pick([iterable, integers, '[1, 2, 3, 4, 5, 6]', "{'a' => 1, 'b' => 2, 'c' => 3}", '5', 'Integer[1, 7]', "'abcdef'"])
      chain = times(1, 2) { pick(['reverse_each', "step(#{pick([1, 2, 3, 0])})", 'reverse_each()', 'step(2)']) }.join('.')
      tail = pick(['', ".map |$x| { $x }", '.filter |$x| { true }', ".map |$i, $x| { [$i, $x] }", '.reduce |$m, $x| { $x }', '.type', '.convert_to(Array)', ".any |$x| { $x == 2 }", '.each |$x| { $x }', '.slice(2)', '.unique', '.join', ".index |$x| { $x == 2 }", '.size'])
      prefix = pick(['', '', '', '*', 'Array.new', 'String', 'type', '[]'])
      case prefix
      when '*' then "[*#{source}.#{chain}]"
      when '' then "#{source}.#{chain}#{tail}"
      when '[]' then "[#{source}.#{chain}]"
      else "#{prefix}(#{source}.#{chain})"
      end
    end

    def sorting
      list = pick([integers, strings, array, '[3, 1, 2]', "['b', 'A', 'a', 'B']", '[1, 1.5, 0]', "'hello'", "['10', '9', '1']", '[[2, 1], [1, 2]]', '[undef, 1]', '[true, false]', "['é', 'e', 'z']", "[SemVer('2.0.0'), SemVer('1.0.0')]", value])
      block = pick(['', '', ' |$a, $b| { compare($a, $b) }', ' |$a, $b| { compare($b, $a) }', ' |$a, $b| { $a - $b }', ' |$a| { 1 }', ' |$a, $b| { undef }', " |$a, $b| { 'x' }", ' |$a, $b| { 0 }', ' |$a, $b| { $a > $b }', ' |$a, $b| { 1.5 }'])
      chance(75) ? "sort(#{list})#{block}" : "unique(#{pick([list, '[1, 1.0, 1]', "['a', 'A', 'a']", "{'a' => 1, 'b' => 1, 'c' => 2}", "'hello'", '[[1], [1]]', '[undef, undef]', '3', 'Integer[1, 3]'])})#{pick(['', ' |$x| { $x % 2 }', ' |$x| { downcase($x) }', ' |$x, $y| { $x }', ' |$x| { 1 }'])}"
    end

    def extremes
      list = pick([integers(1, 4), strings(1, 4), array, "['10', '9']", '[1, 2.5]', "['a', 1]", '[undef, 1]', '[[1], [2]]', "['1e3', '5']", '[]', "['b', 'A']", '[true, false]', "[{'a' => 1}, {}]", '[default]', '[1, 1.0]'])
      spread = chance(40)
      "#{pick(%w[max min])}(#{spread ? list[1..-2] : list}#{', [1]' if chance(4)})#{pick(['', '', '', ' |$a, $b| { compare($a, $b) }', ' |$a, $b| { $a - $b }', ' |$a| { 1 }', ' |$a, $b| { compare($b, $a) }', ' |$a, $b| { undef }'])}"
    end

    def digging
      data = pick(["{'a' => {'b' => [1, 2, {'c' => 'x'}]}, 'd.e' => 5, '1' => 'one'}", "[1, [2, 3], {'a' => undef}]", 'undef', value, "{'a' => 'text'}", "{'a' => undef}", "{1 => {'x' => 2}}"])
      path = times(0, 3) { pick(["'a'", "'b'", '0', '1', '2', "'c'", "'x'", 'undef', '-1', "'1'", '5']) }
      text = pick(['a', 'a.b', 'a.b.0', 'a.b.2.c', '1.0', '', 'x', 'a.x.y', "'d.e'", '"d.e"', 'd.e', 'a..b', '.a', 'a.', 'a.b.c', '0', '1.1', "a.'b'", '1', 'a b', "'x", 'a.b.9', '2.a', 'a.0', '-1'])
      case rand(3)
      when 0 then "dig(#{[data, *path].join(', ')})"
      when 1 then "get(#{data}, #{quote(text)}#{pick(['', '', ', 5', ', undef', ', [1]', ', 1, 2'])})#{pick(['', '', '', ' |$e| { $e.kind }', ' |$e| { $e.issue_code }', ' |$e| { 7 }', ' |$a, $b| { 1 }'])}"
      else "$v = #{data}\ngetvar(#{quote(pick(['v', 'v.a', 'v.a.b.0', 'nope', 'nope.a', '::v', 'v.', 'V', 'v[0]', 'v a', '', 'v.0', 'v.1.0', 'a::b', '::nope.x', 'v.a.x']))}#{pick(['', '', ', 9', ', undef'])})#{pick(['', '', ' |$e| { $e.message.type }', ' |$e| { 8 }'])}"
      end
    end

    def trees
      tree = pick(["[1, [2, 3], {'a' => 4}]", "{'a' => {'b' => [1]}, 'c' => 2}", array(2), dict(2), '[]', '{}', '[[[]]]', value, '[1, [2]].reverse_each'])
      options = pick(['', '', '()', "({'order' => 'breadth_first'})", "({'include_root' => false})", "({'include_containers' => false})", "({'include_values' => false})", "({'include_refs' => true})", "({'container_type' => Array})", "({'order' => 'x'})", "({'include_containers' => false, 'include_root' => true})", "({'container_type' => Hash, 'include_root' => false})",
                      "({'include_values' => false, 'include_containers' => false})", "({'include_containers' => false, 'include_root' => false, 'order' => 'breadth_first'})", "({'nope' => 1})"])
      tail = pick([' |$p, $v| { $v }', ' |$v| { $v }', '.map |$x| { $x }', '.convert_to(Array)', '.reduce([]) |$m, $x| { $m + [$x] }', '', '.type', '.filter |$x| { $x[1] =~ Integer }', " |$p, $v, $x| { 1 }"])
      "#{tree}.tree_each#{options}#{tail}"
    end

    def wrong
      name = pick(%w[map filter each any all partition group_by index reverse_each unique reduce slice step flatten keys values length size empty join sort max min dig get tree_each then lest with])
      "#{name}(#{times(0, 3) { value(1) }.join(', ')})#{" |#{pick(['$a', '$a, $b', '', '$a, $b, $c'])}| { #{pick(['$a', '1', 'undef'])} }" if chance(45)}"
    end
  end
end
