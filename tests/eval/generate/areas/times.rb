# frozen_string_literal: true

module EvalCases
  # Timespans: construction, formatting, arithmetic.
  class Timespans < Area
    include Construction

    named 'timespans'
    COUNT = 900
    TEXTS = ['1-02:03:04.5', '1-02:03:04', '02:03:04', '02:03:04.123456789', '03:04.5', '4.5', '4', '-1-02:03:04', '10', '1-02:03', '13:20', '100-00:00:00', '0-00:00:00.000000001', '', 'x', '1:2:3', '25:61:61', '1.5', '-5', ' 5', '00', '999', '1-2', '1-2:3', '5.', '.5', '1-02:03:04.1234567890', '12', '012', '3 days'].freeze
    FORMATS = ['%D-%H:%M:%S', '%H:%M', '%S', '%M', '%D', '%L', '%N', '%S.%L', '%S.%N', '%-H', '%_H', '%3H', '%03H', '%_3H', '%-3H', '%H%M', '%D days', '%%', '%', '%x', 'abc', '', '%-D', '%S.%3N', '%S.%-N', '%S.%-L', '%S.%_L', '%S.%6N', '%3N', '%M:%S', '%D %H', '%H:%D', '%5S', '%-5S', '%05M', '%_S', '%N %L', '%S %S', '%12N', '%--H', '%1L', '%0L', '%S.%03N', '%H:%M:%S.%-N',
               '%%D', '%D%%', '%2D', '%_5L', '%S.%_N', '%-3N', '%M.%L', '%H.%3N', '%D.%9N', '%L.%N', 'é%H', '%_2M|', '%4N'].freeze

    def one
      case rand(9)
      when 0, 1 then construct(pick(['Timespan', 'Timespan', "Timespan['0-00:00:00', '1-00:00:00']", 'Optional[Timespan]'].first(chance(85) ? 2 : 4)), arguments)
      when 2, 3 then "strftime(#{span}, #{quote(pick(FORMATS))})"
      when 4 then "Timespan(#{quote(pick(TEXTS))}, #{pick([quote(pick(FORMATS)), "[#{quote(pick(FORMATS))}, #{quote(pick(FORMATS))}]", '[]', 'default', '1'])})"
      when 5, 6 then "#{span} #{pick(%w[+ - * / % == < > <= != << in =~])} #{pick([span, span, number, pick(Values::STAMPS), small, string, value(0)])}"
      when 7 then "#{pick([number, small, value(0), pick(Values::STAMPS)])} #{pick(%w[+ - * / % == < >])} #{span}"
      else others
      end
    end

    private

    def span
      pick([pick(Values::SPANS), "Timespan(#{number})", "Timespan(#{quote(pick(TEXTS[0..7]))})", "Timespan(#{between(0, 3)}, #{between(0, 30)}, #{between(0, 70)}, #{between(0, 70)})", "Timespan({#{fields}})"])
    end

    def fields
      some(%w[days hours minutes seconds milliseconds microseconds nanoseconds], between(1, 4)).map { |f| "#{f} => #{between(0, 100)}" }.push(*(chance(20) ? ["negative => #{boolean}"] : [])).join(', ')
    end

    def arguments
      case rand(7)
      when 0, 1 then [quote(pick(TEXTS))]
      when 2 then times(1, 8) { chance(90) ? between(-2, 70).to_s : value(0) }
      when 3 then ["{#{fields}}"]
      when 4 then ["{string => #{quote(pick(TEXTS))}#{", format => #{quote(pick(FORMATS))}" if chance(70)}}"]
      when 5 then [number]
      else [pick([value(1), span, '', "{days => 'x'}", '{nope => 1}', '{}', '{string => 1}', '{seconds => 1.5}', "{string => '5', days => 1}"])].reject(&:empty?)
      end
    end

    def others
      pick(["-#{span}", "abs(#{span})", "Integer(#{span})", "Float(#{span})", "Numeric(#{span})", "String(#{span})", "\"${#{span}}\"", "String(#{span}, '%s')", "[#{span}]", "type(#{span})", "type([#{span}, #{span}], 'reduced')", "#{span} =~ Timespan[#{pick(["'0-00:00:01'", '1', '0, 100', "default, '1-00:00:00'", "'1-00:00:00', default", '{hours => 1}'])}]",
            "#{span}.#{pick(%w[days hours minutes seconds milliseconds nanoseconds total_days total_hours total_minutes total_seconds total_nanoseconds])}", "compare(#{span}, #{pick([span, number, string])})", "compare(#{number}, #{span})", "#{pick(%w[max min sort])}([#{span}, #{span}])", "floor(#{span})", "round(#{span})", "Timespan[#{pick(["'1-00:00:00'", '5', '1, 2', '2, 1', 'default, default', "'x'", "1.5, '0-00:01:00'"])}]",
            "#{span} ? { Timespan[1] => 'long', default => 'short' }", "join([#{span}], ',')", "{'a' => #{span}}", "#{span} + #{span} * 2 - #{small}", "Boolean(#{span})", "Timespan.new", "#{span}[0]", "#{span} =~ Numeric", "#{span} =~ Scalar", "unique([#{span}, #{span}])"])
    end
  end

  # Timestamps.
  class Timestamps < Area
    include Construction

    named 'timestamps'
    COUNT = 900
    TEXTS = ['2015-06-07T08:09:10', '2015-06-07', '2015-06-07 08:09:10', '2015-06-07T08:09:10.123 UTC', '2015-06-07T08:09:10 +02:00', '2015-06-07T08:09:10 PST', '2015-06-07T08:09:10.5', '2000-02-29', '1900-02-29', '2015-13-01', '2015-06-31', '2015-06-07T25:00:00', '', 'x', '1969-12-31T23:59:59', '0001-01-01', '9999-12-31', '12345-01-01', '2015-06-07T08:09:10Z',
             '2015-06-07T08:09', '08:09:10', '2015-06-07 CET', '2015-06-07T08:09:10 GMT-3', '2015-06-07T08:09:10 -0530', '2015-6-7', '20150607', '-0001-01-01', '2015-06-07T08:09:60', '2015-06-07T24:00:00', '2015-06-07T08:09:10.123456789', '2015-06-07T08:09:10.1234567891 EST', '07/06/2015', '2015-06-07T08:09:10 x'].freeze
    FORMATS = ['%Y-%m-%d', '%F', '%T', '%FT%T', '%FT%T.%N', '%FT%T.%L', '%c', '%x', '%X', '%D', '%r', '%R', '%s', '%e', '%k', '%l', '%I', '%p', '%P', '%a', '%A', '%^a', '%b', '%B', '%^B', '%h', '%j', '%U', '%W', '%V', '%G', '%g', '%u', '%w', '%C', '%y', '%Z', '%z', '%:z', '%::z', '%n', '%t', '%%', '%N', '%3N', '%6N', '%9N', '%L', '%1N', '%12N', '%Q', '%v', '%+', '%-d', '%-m',
               '%_m', '%05d', '%_5d', '%^p', '%#p', '%#a', '%10A', '%-y', '%E', '%q', '%', '%d/%m/%y', '%H:%M:%S %z', '%Ey', '%Od', '%010Y', '%-I', 'text', '', '%H%%M', '%S.%3N', '%-H:%-M', '%0e', '%^10b', '%-l%P', '%:::z', '%_z', '%-z', '%010s', '%-N', '%_3N', '%é', '%F %R', '%G-W%V-%u', '%i', '%J', '%K', '%f', '%o', '%O', '%8N', '%15L'].freeze
    ZONES = ["''", "'UTC'", "'+02:00'", "'-0530'", "'PST'", "'CET'", "'GMT+1'", "'EST'", "'nope'", "'Z'", "'+25:00'", "'default'", "'JST'", "'CEST'", "'-00:30'", "'a'", "'+14:00'", "'Europe/Stockholm'", "'+2'", "'GMT'"].freeze

    def one
      case rand(9)
      when 0, 1 then construct(pick(['Timestamp', 'Timestamp', "Timestamp['2015-01-01', '2016-01-01']", 'Optional[Timestamp]'].first(chance(90) ? 2 : 4)), arguments)
      when 2, 3, 4 then "strftime(#{stamp}, #{quote(pick(FORMATS))}#{", #{pick(ZONES)}" if chance(25)})"
      when 5, 6 then "#{stamp} #{pick(%w[+ - - * / % == < > <= != in =~])} #{pick([stamp, stamp, number, pick(Values::SPANS), small, string, value(0)])}"
      when 7 then "Timestamp(#{quote(pick(TEXTS))}, #{pick([quote(pick(FORMATS)), "[#{quote(pick(FORMATS))}, '%F']", 'default', "'%F'", "'%FT%T'", "'%d/%m/%Y'", "'%FT%T %Z'", "'%FT%T %z'", "'%Y%m%d'", "'%s'", "'%j %Y'", "'%Y-%m-%d %H:%M:%S'", '[]'])}#{", #{pick(ZONES)}" if chance(30)})"
      else others
      end
    end

    private

    def stamp
      pick([pick(Values::STAMPS), "Timestamp(#{number})", "Timestamp(#{quote(pick(['2015-06-07T08:09:10.123', '2000-02-29', '1969-12-31T23:59:59', '2021-01-03', '2020-12-31', '2015-01-01T00:00:00', '2015-07-04T12:00:00', '1995-11-05T13:01:02']))})", "Timestamp(#{between(-10**9, 2 * 10**9)})"])
    end

    def arguments
      case rand(6)
      when 0, 1 then [quote(pick(TEXTS))]
      when 2 then [number]
      when 3 then ["{string => #{quote(pick(TEXTS))}#{", format => #{quote(pick(FORMATS.first(8)))}" if chance(50)}#{", timezone => #{pick(ZONES)}" if chance(40)}}"]
      when 4 then [quote(pick(TEXTS)), pick(["'%F'", 'default', "'%FT%T'", quote(pick(FORMATS))]), *(chance(60) ? [pick(ZONES)] : [])]
      else [pick([value(1), stamp, "{string => 1}", '{nope => 1}', '{}', "{format => '%F'}", 'true', 'undef'])]
      end
    end

    def others
      pick(["-#{stamp}", "Integer(#{stamp})", "Float(#{stamp})", "Numeric(#{stamp})", "String(#{stamp})", "\"${#{stamp}}\"", "String(#{stamp}, '%p')", "[#{stamp}]", "type(#{stamp})", "type([#{stamp}, #{stamp}], 'reduced')", "#{stamp} =~ Timestamp[#{pick(["'2015-01-01'", '0', "'2010-01-01', '2016-01-01'", "default, '2001-01-01'"])}]", "compare(#{stamp}, #{pick([stamp, number, string, pick(Values::SPANS)])})",
            "compare(#{number}, #{stamp})", "#{pick(%w[max min sort])}([#{stamp}, #{stamp}])", "Timestamp[#{pick(["'2015-01-01'", '5', "'2015-01-01', '2014-01-01'", "'x'", 'default, 5'])}]", "#{stamp} ? { Timestamp['2010-01-01'] => 'new', default => 'old' }", "{'a' => #{stamp}}", "#{stamp} - #{stamp} + #{pick(Values::SPANS)}", "abs(#{stamp})", "Timespan(#{stamp} - #{stamp})", "#{pick(Values::SPANS)} + #{stamp}", "#{small} + #{stamp}", "#{stamp}.#{pick(%w[year nope to_s])}", "floor(#{stamp})"])
    end
  end
end
