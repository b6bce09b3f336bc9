# frozen_string_literal: true

module EvalCases
  # Random choices, and literals for all areas.
  class Values
    INTEGERS = %w[0 1 2 3 -1 -2 7 10 16 42 100 255 -100 1000 65535 2147483647 2147483648 4294967296 4611686018427387904
                  9007199254740993 9223372036854775807 -9223372036854775807 0x1F 0xff 017 010].freeze
    FLOATS = %w[0.0 1.0 -1.0 0.5 -0.5 1.5 2.5 -2.5 3.14159 0.1 0.2 1e3 1.5e10 1e15 1e16 1e17 1e20 1e-4 1e-5 1.0e-7 123456.789 1e100 -1e300
                1.7976931348623157e308 5e-324 0.30000000000000004 100.0 9223372036854775807.0 1234567890123456789.0].freeze
    WORDS = ['', 'a', 'b', 'A', 'ab', 'abc', 'ABC', 'b c', 'hello', 'Hello World', 'foo_bar', 'foo::bar', ' x ', 'é', 'straße', "it's", 'a\\b',
             '日本', 'x-y', 'true', 'false', 'yes', 'no', 'undef', 'default', '10.2.3', '$x', 'a"b', 'z', 'ä'].freeze
    NUMERIC = %w[0 1 -1 10 010 0x1f 0b11 1.5 -2.5 1e3 1.5e-3 9223372036854775807 9223372036854775808 1_000 0o17 08 0xZ +5 .5 5. 1.e3 -0x10 007].freeze
    REGEXES = ['/a/', '/^a/', '/b$/', '/(a)(b)?/', '/[a-z]+/', '/\\d+/', '/(?i:ABC)/', '/\\A(\\w+)\\s(\\w+)\\z/', '/.*/', '//', '/a|b/'].freeze
    TYPES = ['Integer', 'String', 'Numeric', 'Any', 'Undef', 'Data', 'Array', 'Hash', 'Integer[1, 3]', 'Integer[0]', 'Float[0.0, 1.0]', "Enum['a', 'b']",
             'Array[Integer]', 'Array[String, 1, 2]', 'Hash[String, Integer]', 'Tuple[Integer, String]', "Struct[{'a' => Integer}]", 'Optional[String]',
             'Variant[Integer, String]', 'Pattern[/a/]', 'Regexp[/a/]', 'Boolean[true]', 'String[1, 3]', 'Type[Integer]', 'Callable', 'Callable[String, Integer]',
             'Class', "Class['a']", 'File', "File['/a']", "Resource['file', '/a']", 'Sensitive', 'Sensitive[String]', 'Timespan', 'Timestamp', 'SemVer',
             "SemVer['>=1.0.0']", 'Collection', 'Iterable[Integer]', 'Scalar', 'NotUndef[Integer]', 'Default', 'Binary', 'URI', 'Init[Integer]', 'Runtime', 'CatalogEntry',
             'RichData', 'Error', 'Iterator', 'Object', 'Deferred'].freeze
    VERSIONS = %w[1.2.3 0.0.0 1.0.0 2.0.0 1.2.3-rc1 1.2.3-rc.2 1.2.3-alpha 1.2.3+b1 1.2.3-rc1+b.2 10.20.30 0.1.0 1.2.4 2.1.0].freeze
    RANGES = ['>=1.0.0 <2.0.0', '1.x', '1.2.x', '~1.2.3', '^1.2.3', '1.2.3', '>1.2.3', '<=2.0.0', '1.0.0 - 2.0.0', '<1.0.0 || >2.0.0', '*', '^0.1.2', '~1', '=1.2.3'].freeze
    SPANS = ["Timespan('1-02:03:04.5')", 'Timespan(2)', 'Timespan(-1.5)', 'Timespan(1, 2, 3, 4)', "Timespan('0-00:00:00')", 'Timespan(86400)', "Timespan({days => 1, hours => 2})"].freeze
    STAMPS = ["Timestamp('2015-06-07T08:09:10')", "Timestamp('2000-02-29')", 'Timestamp(0)', 'Timestamp(1433664550.25)', "Timestamp('2020-12-31T23:59:59.123456789')"].freeze
    SPECIAL = ["Sensitive('a')", 'Sensitive([1, 2])', "Binary('YWJj')", "URI('http://a.b/c?d')", "Error('m', 'k')", "Deferred('f', [1])", "Regexp('a+')",
               "SemVer('1.2.3')", "SemVer('2.0.0-rc1')", "SemVerRange('>=1.0.0 <2.0.0')", "Timespan('1-02:03:04.5')", "Timestamp('2015-06-07T08:09:10')"].freeze
    KINDS = %i[integer integer float string string numeric_string boolean undef default regex array dict type special].freeze

    attr_reader :random

    def initialize(random)
      @random = random
    end

    def rand(limit)
      @random.rand(limit)
    end

    def pick(list)
      list[@random.rand(list.size)]
    end

    def chance(percent)
      @random.rand(100) < percent
    end

    def between(from, to)
      from + @random.rand(to - from + 1)
    end

    # Distinct elements of the list, in its order.
    def some(list, count)
      list.each_index.to_a.shuffle(random: @random).first(count).sort.map { |i| list[i] }
    end

    def times(from, to, &block)
      Array.new(between(from, to), &block)
    end

    # A literal in single quotes.
    def quote(text)
      "'#{text.gsub(/['\\]/) { |c| "\\#{c}" }}'"
    end

    def integer
      chance(50) ? between(-5, 12).to_s : pick(INTEGERS)
    end

    def small
      between(-3, 5).to_s
    end

    def float
      pick(FLOATS)
    end

    def number
      chance(65) ? integer : float
    end

    def string
      quote(pick(WORDS))
    end

    def numeric_string
      quote(pick(NUMERIC))
    end

    def boolean
      chance(50).to_s
    end

    def regex
      pick(REGEXES)
    end

    def type
      pick(TYPES)
    end

    def undef
      'undef'
    end

    def default
      'default'
    end

    def special
      pick(SPECIAL)
    end

    def array(depth = 1)
      "[#{times(0, 3) { value(depth - 1) }.join(', ')}]"
    end

    def integers(from = 0, to = 5)
      "[#{times(from, to) { between(-3, 9) }.join(', ')}]"
    end

    def strings(from = 0, to = 4)
      "[#{times(from, to) { string }.join(', ')}]"
    end

    def dict(depth = 1)
      keys = some(%w[a b c d], between(0, 3)).map { |k| quote(k) }
      keys = keys.map { |k| chance(15) ? pick([integer, 'true', '[1]', 'Integer', "'x y'"]) : k }.uniq
      "{#{keys.map { |k| "#{k} => #{value(depth - 1)}" }.join(', ')}}"
    end

    def hash_of_integers
      "{#{some(%w[a b c d e], between(0, 4)).map { |k| "#{quote(k)} => #{between(-3, 9)}" }.join(', ')}}"
    end

    def value(depth = 1)
      kind = pick(KINDS)
      case kind
      when :array then depth.positive? ? array(depth) : '[]'
      when :dict then depth.positive? ? dict(depth) : '{}'
      else send(kind)
      end
    end

    # Mostly iterable values.
    def iterable
      case rand(12)
      when 0..3 then integers
      when 4, 5 then strings
      when 6, 7 then hash_of_integers
      when 8 then array
      when 9 then dict
      when 10 then pick(['3', '5', '0', "'abc'", "''", "'héé'", 'Integer[1, 4]', "Enum['a', 'b']", 'Integer[3, 1]', 'Integer[1]', '-1'])
      else value
      end
    end
  end
end
