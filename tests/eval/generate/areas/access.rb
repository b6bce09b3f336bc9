# frozen_string_literal: true

module EvalCases
  # `value[keys]` of strings, arrays, hashes and everything else.
  class Access < Area
    named 'access'
    COUNT = 800

    def one
      case rand(8)
      when 0, 1 then "#{text}[#{keys { key(integer_key) }}]"
      when 2, 3 then "#{list}[#{keys { key(integer_key) }}]"
      when 4, 5 then "#{table}[#{keys { key(pick([quote(pick(%w[a b c x])), '1', 'true', 'undef', "'zz'", 'a', '[1]', 'Integer'])) }}]"
      when 6 then "$v = #{deep}\n$v#{times(1, 3) { "[#{pick(["'a'", "'b'", '0', '1', '-1', '0, 1', 'undef', "'x'", '5'])}]" }.join}"
      else "#{value}[#{keys { value(0) }}]"
      end
    end

    private

    def keys(&key)
      (chance(6) ? [] : times(1, chance(10) ? 4 : 2, &key)).join(', ')
    end

    def integer_key
      pick(%w[0 1 2 -1 -2 3 5 -5 10 -10 100 0 1])
    end

    def key(usual)
      chance(85) ? usual : pick(['1.0', '1.5', "'1'", "'0x1'", "'a'", 'undef', 'default', 'true', '[1]', '[0, 1]', '{}', '/a/', 'Integer', '9223372036854775807', '[]', "''"])
    end

    def text
      "(#{pick(["'hello'", "''", "'a'", "'héllo'", "'日本語'", '"a\\nb"', string])})"
    end

    def list
      pick(['[1, 2, 3, 4, 5]', '[]', "['a']", "['a', 'b', undef, 'd']", '[[1, 2], [3]]', array, integers, strings])
    end

    def table
      pick(["{'a' => 1, 'b' => 2}", '{}', "{1 => 'x', true => 'y', undef => 'z'}", "{'a' => {'b' => 1}}", '{[1] => 2, Integer => 3}', "{'a' => undef}", dict])
    end

    def deep
      pick(["{'a' => {'b' => [1, 2, {'a' => 'x'}]}}", "[[1, [2, 3]], {'a' => [4]}]", "{'a' => 'text', 'b' => ['x', 'y']}", "[{'a' => undef}]", "'text'"])
    end
  end

  # `Type[parameters]`, right and wrong.
  class TypeAccess < Area
    named 'type-access'
    COUNT = 900
    NAMES = %w[Integer Float String Enum Pattern Regexp Boolean Array Hash Tuple Struct Variant Optional NotUndef Type Callable Collection Class Resource
               Sensitive Iterable Iterator Timespan Timestamp SemVer SemVerRange URI Runtime Init Object TypeSet Error Undef Default Any Data Scalar Numeric Binary
               ScalarData CatalogEntry RichData Deferred File Notify Foo User Annotation Integer::Foo].freeze
    GOOD = {
      'Integer' => ['1, 5', '0', 'default, 5', '-3', '1, default', '5, 1', "'1'", '1.0', '1, 2, 3'],
      'Float' => ['1.0, 2.5', '0', 'default, 1.5', '1, 2', '3.0, 1.0', "'1'"],
      'String' => ['1', '1, 5', 'default, 5', '-1', '5, 1', "'a'", 'Integer[1, 3]', '1, default', 'Integer[-1, 3]'],
      'Enum' => ["'a'", "'a', 'b'", "'a', 'A', true", "['a', 'b']", '1', "'a', false", 'true'],
      'Pattern' => ['/a/', "'a'", '/a/, /b/', 'Regexp[/a/]', 'Pattern[/a/]', '1', "'('", "['a', /b/]"],
      'Regexp' => ['/a/', "'a'", '/a/, /b/', '1', "'('", 'default'],
      'Boolean' => ['true', 'false', '1', 'true, false'],
      'Array' => ['Integer', 'Integer, 1', 'Integer, 1, 5', '1, 5', '0, 0', '[Integer]', 'Integer, 5, 1', 'Integer, default, 3', 'Integer, Integer[1, 2]', "'a'", '1', 'Integer, String', 'String, -1'],
      'Hash' => ['String, Integer', 'String, Integer, 1', 'String, Integer, 1, 5', '0, 0', 'String', '1, 5', 'Integer, Integer, Integer[1, 2]', 'Scalar', '5, 1', 'String, 1'],
      'Tuple' => ['Integer', 'Integer, String', 'Integer, String, 1', 'Integer, String, 1, 5', 'Integer, 0, default', '1', "'a'", 'Integer, 5, 1', '[Integer, String]', 'Integer, Integer[0, 3]'],
      'Struct' => ["{'a' => Integer}", "{a => Integer, Optional[b] => String}", "{NotUndef['a'] => Any}", "{'a' => Optional[Integer]}", '{}', "{1 => Integer}", "{'a' => 1}", "{'' => Integer}", "'a'", "['a', Integer]"],
      'Variant' => ['Integer, String', 'Integer', 'Integer, 1', 'Variant[Integer, String], Float', '[Integer, String]', "'a'", 'Undef, Optional[String]'],
      'Optional' => ['Integer', "'a'", 'Integer, String', '1', 'Optional[String]', 'Any', 'NotUndef[String]'],
      'NotUndef' => ['Integer', "'a'", '1', 'Optional[Integer]', 'Any', 'NotUndef[String]'],
      'Type' => ['Integer', 'Type[Integer]', '1', "'a'", 'Integer, String', 'Any'],
      'Callable' => ['Integer', 'Integer, String', '0, 0', '1', '[Integer], String', '[0, 0], Undef', 'Integer, 1, 2', 'String, Callable', 'Integer, 0, default', 'Callable', '[Integer, 0, 3, Callable], String', "'a'", '1, 2', 'String, Optional[Callable]', 'Integer, 2, 1'],
      'Collection' => ['1', '1, 5', '5, 1', 'Integer', "'a'", 'Integer[1, 2]', 'default, 3'],
      'Class' => ["'a'", "'a', 'b'", "'a::b'", "'::a'", 'a', '1', 'undef', "''", "['a', 'b']", "'A'", 'default', "'a b'"],
      'Resource' => ["'file'", "'file', '/a'", "'file', '/a', '/b'", 'File', "File, '/a'", "'a::b'", '1', "'File'", "'', 'x'", "['file', 'a']", "'foo', 1", "'file', ['a', 'b']"],
      'Sensitive' => ['String', 'Integer', '1', 'String, Integer', 'Sensitive[String]'],
      'Iterable' => ['Integer', '1', 'Integer, String', 'Integer[1, 2]'],
      'Iterator' => ['Integer', '1', 'Integer, String'],
      'Timespan' => ['1', '1, 5', "'1-00:00:00'", "'0-00:00:01', '1-00:00:00'", 'default, 5', '1.5', '{days => 1}', '{days => 1}, {days => 2}', '5, 1', "'x'", 'Timespan(1), Timespan(2)', 'true'],
      'Timestamp' => ["'2015-01-01'", "'2015-01-01', '2016-01-01'", '0', 'default, 100', "'x'", "'2016-01-01', '2015-01-01'", 'Timestamp(5)', '1.5, 2.5'],
      'SemVer' => ["'1.x'", "'>=1.0.0 <2.0.0'", "'1.0.0', '2.x'", 'SemVerRange(\'1.x\')', '1', "'x'", "'1.0.0 - 2.0.0'", "SemVer('1.2.3')"],
      'SemVerRange' => ["'1.x'", '1'],
      'URI' => ["'http://a.b/c'", "{'scheme' => 'http'}", 'scheme => http', "{'host' => /a/}", "{'nope' => 'x'}", '1', "{'port' => 80}", "{'port' => Integer[1, 10]}", "URI('http://a')", "'::'", "{'path' => NotUndef}"],
      'Runtime' => ["'ruby', 'X'", "'ruby'", "'ruby', [/a/, 'b']", '1, 2', "'go', 'x', 'y'", "'ruby', 1"],
      'Init' => ['Integer', 'Integer, 16', 'Integer, 16, true', 'Init', '1', 'Undef', 'String, 2, 3, 4', 'default', 'Array[Integer]', "Timespan, '%H'"],
      'Object' => ['{}', "{attributes => {a => Integer}}", "{name => 'X'}", '1', "{attributes => {a => {type => Integer, value => 1}}}", "{attributes => {a => 1}}", "{foo => 1}", "{attributes => {a => {type => Integer, value => 'x'}}}"],
      'TypeSet' => ["{pcore_version => '1.0.0', name => 'A', version => '1.0.0', types => {B => Integer}}", '{}', '1'],
      'Error' => ["'k'", '/k/', "'k', 'c'", '1', "Enum['a', 'b']", "'k', /c/", 'default, /c/'],
      'File' => ["'/a'", "'/a', '/b'", "['/a', '/b']", '1', "''", 'undef', "''", '[]', 'default'],
      'Foo' => ["'a'", "'a', 'b'"],
    }.freeze

    def one
      case rand(10)
      when 0..5
        name = pick(GOOD.keys)
        "#{name}[#{pick(GOOD[name])}]"
      when 6 then "#{pick(NAMES)}[#{times(0, 3) { value(1) }.join(', ')}]"
      when 7 then nested
      when 8 then "#{type}[#{pick([integer, string, type, 'undef', '[]', '1, 2'])}]"
      else pick(["Integer[#{small}, #{small}] #{pick(%w[== < <= > >=])} Integer[#{small}, #{small}]", pick(NAMES), "#{pick(NAMES)} == #{pick(NAMES)}", "#{pick(NAMES)} <= #{pick(NAMES)}",
                 "$t = #{pick(NAMES)}\n$t[#{pick(GOOD.values.flatten)}]", "#{pick(NAMES)}[#{pick(GOOD.values.flatten)}]"])
      end
    end

    private

    def nested
      inner = pick(GOOD.keys).then { |name| "#{name}[#{pick(GOOD[name])}]" }
      pick(["Array[#{inner}]", "Optional[#{inner}]", "Hash[String, #{inner}]", "Variant[#{inner}, Integer]", "Type[#{inner}]", "Struct[{a => #{inner}}]", "Tuple[#{inner}, #{inner}]", "Callable[[#{inner}], #{inner}]",
            "NotUndef[#{inner}]", "Sensitive[#{inner}]", "#{inner} == #{inner}", "[#{inner}]", "{#{inner} => 1}", "type(#{inner})", "type(#{inner}, 'generalized')", "\"${#{inner}}\"", "#{inner} =~ Type"])
    end
  end
end
