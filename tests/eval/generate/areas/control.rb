# frozen_string_literal: true

module EvalCases
  # if, unless, case, selectors.
  class Conditionals < Area
    named 'conditionals'
    COUNT = 800

    def one
      case rand(8)
      when 0 then "if #{test} { #{body} }#{" elsif #{test} { #{body} }" if chance(40)}#{" else { #{body} }" if chance(60)}"
      when 1 then "unless #{test} { #{body} }#{" else { #{body} }" if chance(50)}"
      when 2, 3 then cases
      when 4, 5 then selector
      when 6 then "$x = #{value}\n#{cases('$x')}"
      else "$x = #{pick(["if #{test} { #{body} }", cases, selector, "unless #{test} { #{body} }"])}\n[$x, #{test}]"
      end
    end

    private

    def test
      pick([value(1), boolean, "#{integer} < #{integer}", "#{string} == #{string}", "!#{value(0)}", "#{value(0)} and #{value(0)}", "#{value(0)} or #{value(0)}", "#{value} =~ #{type}", "#{string} in #{strings}", 'undef', 'false', "''", '[]', '0', '$undefined_one'].first(chance(3) ? 15 : 14))
    end

    def body
      pick([integer, string, '', '1 2', "$y = #{integer}", "$y = 1\n$y + 1", value(1), "'a'\n#{value(0)}", 'fail("x")', "if #{boolean} { #{integer} }", '1 / 0'])
    end

    def option
      pick([value(0), string, integer, type, regex, "*#{array}", '*[1, 2]', "*['a', 'b']", 'Integer', 'String', 'default', "/(.)/", 'Array[Integer]', '[1, 2]', 'undef', "''", 'Integer[0, 5]', '*{a => 1}', '[Integer, String]', '{a => Integer}', '(default)'])
    end

    def cases(subject = value(1))
      options = times(1, 3) { "#{times(1, 2) { option }.join(', ')}: { #{body} }" }
      options.insert(rand(options.size + 1), "default: { #{body} }") if chance(60)
      "case #{subject} { #{options.join(' ')} }"
    end

    def selector
      options = times(1, 3) { "#{option} => #{pick([value(0), integer, '$0', '1 / 0', '[$0, $1]'])}" }
      options.insert(rand(options.size + 1), "default => #{value(0)}") if chance(60)
      return "#{value(1)} ? #{options[0]}" if chance(5)

      "#{value(1)} ? { #{options.join(', ')}#{',' if chance(20)} }"
    end
  end

  # Assignments and scopes.
  class Assignments < Area
    named 'assignments'
    COUNT = 600

    def one
      case rand(8)
      when 0, 1 then multiple
      when 2 then "$x = #{value}\n$x = #{value}\n$x"
      when 3 then "$x = #{value(2)}\n#{pick(['$x', '$::x', '[$x, $x]', '"$x"', '$x.type', '{k => $x}', '$X', '$y', '$x::y'])}"
      when 4 then scopes
      when 5 then "#{pick(['$a = $b = ', '[$a, $b] = $c = ', '$c = [$a, $b] = ', '$a = [$b] = '])}#{pick([integers(1, 2), integer, '[1, 2]', "{'a' => 1, 'b' => 2}"])}\n[$a, $b]"
      when 6 then "#{pick(['$title', '$name', '$facts', '$trusted', '$server_facts', '$_x', '$x1', '$Xy', '$1', '$0', '$a::b', '$::a', '$x[0]', 'x', '1', '[1]', '[$a, 1]', '[]', '$module_name', '$caller_module_name', '$settings::x', '$__x', '$environment', '$serverversion', '$string', '$true'])} = #{value(0)}"
      else "$x = #{value(1)}\n#{pick(['$x += 1', '$x -= 1', '$y = $x + 1', '($x = 2)', '$z = ($y = 3) + 1', '[$x][0]', 'if $y = 3 { $y }', '$y = if true { $z = 5 }', "[1].each |\$i| { \$x = \$i }", '$x == $x', '$q = [$r = 1, $s = 2]', '{ k => $y = 1 }', '"${$y = 2}"', 'size($y = [1])'])}\n#{pick(['$x', '$y', '$z', '[$x]'])}"
      end
    end

    private

    def target(depth)
      parts = times(1, 3) { |i| depth.positive? && chance(25) ? target(depth - 1) : "$#{%w[a b c][i]}#{rand(2) if chance(40)}" }
      "[#{parts.join(', ')}]"
    end

    def multiple
      left = target(1)
      right = pick([integers(1, 3), "{'a' => #{value(0)}, 'b' => #{value(0)}, 'c' => 3, 'a0' => 4, 'a1' => 5}", array, value(1), '[[1, 2], 3]', '[1, [2, 3]]', "[1, 2, 3]", "[{'a' => 1}, 2]", '[undef, [undef]]', "{a => 1}"])
      "#{left} = #{right}\n#{pick(['$a', '[$a]', '[$a, $b]', '$b', '$a0', '$c'])}"
    end

    def scopes
      pick(["$x = 1\n[2].map |$x| { $x }", "$x = 1\n[2].map |$y| { $x + $y }", "[1].each |$y| { $z = $y }\n$z", "$x = 1\n[2].map |$y| { $x = $y\n$x }", "$x = 1\n$r = [2].map |$y| { $x = $y\n$x }\n[$x, $r]",
            "$x = 1\nfunction f() { $x }\nf()", "$x = 1\nfunction f() { $::x }\nf()", "function f($x) { $x = 2 }\nf(1)", "function f() { $x = #{value(0)}\n$x }\n$x = 3\n[f(), $x]", "if true { $v = #{value(0)} }\n$v", "if false { $v = 1 }\n$v",
            "case 1 { 1: { $v = 2 } }\n$v", "with(1) |$x| { with(2) |$y| { [$x, $y] } }", "with(1) |$x| { with(2) |$x| { $x } }", "with(1) |$x| { $w = 1 }\n[2].map |$w| { $w }", "$l = [1, 2].map |$i| { $j = $i * 2\n$j }\n$l", "[1, 2].each |$i| { $k = $i }\n$k",
            "$x = 5\n$f = with($x) |$a| { $x = $a + 1\n$x }\n[$f, $x]", "$a = 1\nwith(2) |$b, $c = $a + $b| { [$a, $b, $c] }", "with |$x = 1, $y = $x + 1| { [$x, $y] }", "with |$x = $y, $y = 1| { $x }"])
    end
  end
end
