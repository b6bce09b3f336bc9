# frozen_string_literal: true

module EvalCases
  # Binary, Sensitive, URI, Regexp, Enum, Type, Init, Error, Deferred, and types without a constructor.
  class NewOthers < Area
    include Construction

    named 'new-others'
    COUNT = 1000
    URIS = ['http://a.b/c', 'http://a.b:80/c?d=e#f', 'https://user:pw@host.example.com:8443/p/q?x=y', 'mailto:a@b.c', '/path/only', 'a/b', '', '?q', '#f', 'http://', 'http:', '://x', 'a b', 'http://[::1]/', 'http://a.b/%20', 'http://é.b/', 'ftp://x', 'urn:isbn:123', 'file:///tmp/x', 'HTTP://A.B/C', 'http://a.b:x/', 'http://a/../b', '//host/path', 'http://a.b?x', 'puppet:///modules/a/b', 'http://a.b:/', 'ldap://h/dc=x?cn?sub'].freeze

    def one
      case rand(8)
      when 0 then binary
      when 1, 2 then uri
      when 3 then pick([construct(pick(['Sensitive', 'Sensitive', 'Sensitive[String]', 'Sensitive[Integer]']), [value(1)]), construct('Regexp', [pick([string, "'a+'", "'('", "'[a'", "'a.b'", regex, integer]), *pick([[], [], ['true'], ['false'], ['1']])])])
      when 4 then init
      when 5 then errors
      when 6 then construct(pick(["Enum['a', 'b']", 'Enum', "Pattern[/a/]", 'Pattern', 'Variant[Integer, String]', 'Optional', 'Optional[String]', 'NotUndef', 'NotUndef[String]', 'Any', 'Undef', 'Default', 'Scalar', 'Data', 'Type', 'Type[Integer]', 'Callable', 'Runtime', 'Class', 'File', "File['/a']", 'Resource', 'CatalogEntry', 'Unit', 'RichData', 'ScalarData', 'Collection', 'Iterable', 'Object', 'TypeSet',
                                  "Variant[Boolean, Undef]", 'Optional[Boolean]', 'NotUndef[Optional[Integer]]', "Variant[Array, Hash]", 'Foo', "Variant[Undef, Float]"]), times(0, 2) { pick([value(1), quote(pick(Values::TYPES)), quote(pick(Values::TYPES))]) })
      else pick(["Deferred(#{pick(["'f'", "'size', [[1]]", "'upcase', ['a']", "'$x'", '1', "''", "'f', 1", "'F'", "'a::b', []", "'$x', ['a', 0]"])})#{pick(['', '', '.call', '.name', '.arguments', '.name.upcase'])}", "Deferred(#{string}) == Deferred(#{string})", "type(Deferred('f'))", "[Deferred('f', [1])]", "String(Deferred('f', [#{value(0)}]))", "Deferred({name => 'f', arguments => [1]})", "Deferred('f') =~ Deferred", "\"${Deferred('f')}\"", "$x = 5\nDeferred('$x').call", "call(Deferred('max', [1, #{small}]))"])
      end
    end

    private

    def binary
      text = pick(["'YWJj'", "''", "'YWJ'", "'YW Jj'", "'!!'", "'_-8='", "'+/8='", "'abc'", "'é'", "'YWJj\\nYWJj'", '"YWJj\\n"', "'YWJjZA=='", "'YWJjZA'", "'/w=='", string])
      made = "Binary(#{text}#{pick(['', '', '', ", '%b'", ", '%u'", ", '%B'", ", '%s'", ", '%r'", ", '%x'", ', default', ", '%t'"])})"
      pick([made, made, made, construct('Binary', [pick([array, '[97, 98, 99]', '[]', '[256]', '[-1]', '[0, 255]', "{value => 'YWJj'}", "{value => 'abc', format => '%s'}", '{value => [97]}', "{value => 'x', format => '%q'}", "{}", value(0)])]), "String(#{made}, #{pick(["'%s'", "'%p'", "'%b'", "'%B'", "'%u'", "'%t'", "'%T'", "'%10s'", "'%#s'", "'%d'", "'%-20B|'", "'%#p'", "'%5t'"])})",
            "#{made} == #{pick([made, "Binary('YWJj')", "'abc'"])}", "size(#{made})", "\"${#{made}}\"", "type(#{made})", "Array(#{made})", "#{made}[0]", "#{made} + #{made}", "[#{made}]", "#{made} =~ Binary", "#{made} in [Binary('YWJj')]", "empty(#{made})", "#{made} ? { Binary => 1, default => 2 }", "{#{made} => 1}", "length(#{made})", "join([#{made}])"])
    end

    def uri
      made = "URI(#{quote(pick(URIS))})"
      pick([made, made, construct('URI', [pick([quote(pick(URIS)), parts, value(0), "#{parts}"]), *pick([[], [], [], ['true'], ['false'], ['1']])]), "#{made} == #{pick([made, quote(pick(URIS))])}", "#{made} =~ URI[#{pick(["'http://a.b/c'", "{scheme => 'http'}", "{scheme => Enum['http', 'https']}", '{host => /b/}', '{port => Integer}', '{path => NotUndef}', "{query => 'd=e'}", '{userinfo => undef}', '{fragment => String}', "'http://a.b'"])}]", "#{made} + #{pick([quote(pick(URIS)), made, integer])}",
            "String(#{made})", "String(#{made}, #{pick(["'%p'", "'%#p'", "'%#s'", "'%20s'", "'%d'"])})", "\"${#{made}}\"", "type(#{made})", "type([#{made}, #{made}], 'reduced')", "#{made}.#{pick(%w[scheme userinfo host port path query fragment opaque nope])}", "[#{made}]", "URI[#{quote(pick(URIS))}]", "URI[#{parts}]", "URI[#{parts}] <= URI[#{parts}]", "#{made} < #{made}", "{#{made} => 1}", "#{made} ? { URI[{scheme => 'http'}] => 1, default => 2 }"])
    end

    def parts
      pairs = some(["scheme => 'http'", "scheme => 'https'", "host => 'a.b'", "port => 80", "port => 8080", "path => '/c'", "path => 'c'", "query => 'd=e'", "fragment => 'f'", "userinfo => 'u:p'", "opaque => 'o'", 'port => "80"', 'nope => 1', "scheme => 'urn'", 'host => 1'], between(0, 4))
      "{#{pairs.join(', ')}}"
    end

    def init
      type = pick(['Init[Integer]', 'Init[Integer, 16]', 'Init[Float]', 'Init[String]', 'Init[Boolean]', 'Init[Timespan]', 'Init[Array[Integer]]', 'Init[Hash]', 'Init[SemVer]', 'Init[Integer, 10, true]', "Init[String, '%x']", 'Init', 'Init[Numeric]', "Init[Timestamp, '%F']", 'Init[Binary]', "Init[Struct[{'a' => Integer}]]", 'Init[Sensitive]', 'Init[URI]', 'Init[Type]', 'Init[Regexp]'])
      subject = pick([value(1), "'5'", "'0x1f'", "'ff'", '10', "['5']", "['ff', 16]", "'1.2.3'", "'abc'", '[1, 2]', "{'from' => '5'}", '["1", 10, true]', 'undef', '1.5', "'true'"])
      pick(["#{subject} =~ #{type}", "#{subject} =~ #{type}", "#{type}.new(#{subject})", "#{type}(#{subject})", "#{type}", "#{type} == #{pick(['Init[Integer]', 'Init', type])}", "with(#{subject}) |#{type} $x| { $x }", "#{type} <= #{type}", "#{subject}.convert_to(#{type})", "type(#{type})", "function f(#{type} $x) { $x }\nf(#{subject})"])
    end

    def errors
      made = pick(["Error('m')", "Error('m', 'k')", "Error('m', 'k', 'c')", "Error('m', 'k', 'c', {'d' => #{value(0)}})", "Error({msg => 'm'})", "Error({'message' => 'm', 'kind' => 'k'})", "Error(#{value(0)})", "Error('m', undef, 'c')", "Error()", "Error('m', 'k', {'d' => 1})", "Error({msg => 'm', details => {a => 1}, issue_code => 'x'})", "Error('m', 1)"])
      pick([made, "#{made}.#{pick(%w[msg message kind issue_code details nope])}", "#{made} == #{made}", "#{made} =~ Error[#{pick(["'k'", '/k/', "'k', 'c'", 'default, /c/', "Enum['k']"])}]", "type(#{made})", "String(#{made})", "String(#{made}, '%p')", "\"${#{made}}\"", "[#{made}]", "#{made} ? { Error['k'] => 1, default => 2 }", "type(#{made}, 'generalized')", "{'a' => #{made}}"])
    end
  end

  # Object types and type sets, and instances of them.
  class Objects < Area
    named 'objects'
    COUNT = 500
    TYPES = ["type T = Object[{attributes => {a => Integer}}]", "type T = Object[{attributes => {a => Integer, b => {type => String, value => 'x'}}}]", "type T = Object[{attributes => {a => Integer, b => {type => Optional[String], value => undef}}}]", "type T = Object[{attributes => {a => Integer}, equality => [a]}]",
             "type T = Object[{attributes => {a => Integer, b => String}, equality => a}]", "type T = Object[{attributes => {a => Integer, c => {type => Integer, kind => constant, value => 5}}}]", "type T = Object[{attributes => {a => Integer}, constants => {k => 'const', n => 3}}]", "type P = Object[{attributes => {a => Integer}}]\ntype T = Object[{parent => P, attributes => {b => {type => Any, value => 1}}}]",
             "type T = Object[{attributes => {a => {type => Integer, kind => given_or_derived, value => 3}}}]", "type T = Object[{}]", "type T = Object[{attributes => {a => {type => Integer, kind => derived}}}]", "type T = Object[{attributes => {a => Optional[T]}}]", "type T = {attributes => {a => Integer}}", "type T = Object{attributes => {a => Integer, b => {type => Integer, value => 2}}}",
             "type T = Object[{attributes => {a => Integer}, functions => {f => Callable[[], Integer]}}]", "type T = Object[{type_parameters => {p => Integer}, attributes => {p => Integer, a => {type => Any, value => 1}}}]", "type T = Object[{attributes => {a => Integer}, equality_include_type => false}]", "type P = Object[{attributes => {a => Integer}}]\ntype T = P{attributes => {b => Integer}}",
             "type T = Object[{attributes => {a => Nope}}]", "type T = Object[{attributes => {a => Integer}, serialization => [a]}]", "type T = Object[{attributes => {a => {type => Integer, override => true}}}]", "type T = Object[{foo => 1}]", "type P = Object[{attributes => {a => Integer}}]\ntype T = Object[{parent => P, attributes => {a => {type => Integer[0], override => true}}}]",
             "type T = Object[{parent => Integer}]", "type T = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer, B => Array[A], C => Object[{attributes => {a => Integer}}]}}]"].freeze

    def one
      "#{pick(TYPES)}\n#{use}"
    end

    private

    def instance
      pick(["T(#{small})", "T.new(#{small})", "T({a => #{small}})", "T(1, 'y')", "T({'a' => 1, 'b' => 'y'})", "T.new(a => 2)", 'T()', "T(#{value(0)})", 'T(1, 2, 3)', "T({'a' => 1, 'zz' => 2})", 'T(1, 2)', 'T({a => 1, b => 2})', "T('x')"])
    end

    def use
      pick([instance, instance, "#{instance}.a", "#{instance}.#{pick(%w[a b c k n f zz p])}", "#{instance} == #{instance}", "#{instance} =~ T", "type(#{instance})", "type(#{instance}, 'generalized')", "String(#{instance})", "String(#{instance}, '%p')", "\"${#{instance}}\"", 'T', 'type(T)', "[#{instance}]", "{#{instance} => 1}", "#{instance} in [#{instance}]", "T == T", "P <= T", "T <= P", "T.new.a", "#{instance}[a]",
            "with(#{instance}) |T $x| { $x.a }", "T[3]", "T[#{value(0)}]", "#{instance} =~ T[#{small}]", "#{instance} ? { T => 'yes', default => 'no' }", "T::A", "T::B =~ Type", "[1] =~ T::B", "T::C(1).a", "T::Nope", "String(#{instance}, '%#p')", "[#{instance}, #{instance}].map |$x| { $x.a }", "unique([#{instance}, #{instance}])", "#{instance} =~ Object", "T <= Object", "$x = #{instance}\n[$x == $x, $x.a]"])
    end
  end

  # Types as values, and the types of values.
  class TypeValues < Area
    named 'type-values'
    COUNT = 700

    def one
      case rand(8)
      when 0, 1 then value(3)
      when 2 then "type(#{value(3)}#{pick(['', ", 'detailed'", ", 'reduced'", ", 'generalized'"])})"
      when 3 then "#{type} #{pick(%w[== <= >= < > !=])} #{type}"
      when 4 then "#{value(2)} =~ #{type}"
      when 5 then "[#{type}, #{type}, #{value}]"
      when 6 then "type(#{pick(['[]', '{}', "[#{value}, #{value}]", "{'a' => #{value}, 'b' => #{value}}", "{#{integer} => #{value}}", "[[#{value}], [#{value}]]", "[#{type}, #{type}]", "[#{string}, #{string}, #{string}]", "[#{integer}, #{float}]", "[undef, #{value}]", "[#{dict}, #{dict}]", "[#{regex}, #{regex}]", "[#{special}, #{special}]", "[true, false]"])}, '#{pick(%w[reduced generalized detailed])}')"
      else pick(["#{type}.type", "type(#{type})", "type(type(#{value}))", "\"${#{type}}\"", "String(#{type})", "String(#{type}, '%p')", "String(#{type}, '%#s')", "#{type} =~ Type[#{type}]", "{#{type} => #{value}}", "#{type} in #{type}", "#{type} ? { #{type} => 1, Type => 2, default => 3 }", "#{type} =~ #{type}", "Type.new(#{quote(pick(Values::TYPES))})", "#{type}.map |$x| { $x }", "Type[#{type}] == type(#{type})", "assert_type(#{type}, #{value})", "type(#{value}) <= #{type}", "#{value} in #{type}", "#{type} + 1", "!#{type}", "#{type}[0]"])
      end
    end
  end
end
