# @summary Times at which resources may be managed: they refer to it in the metaparameter
#   `schedule`.
#
# There are `hourly`, `daily`, `weekly`, `monthly` and `never` already, each once in its period.
# @example At night
#   schedule { 'maintenance':
#     range  => '2 - 4',
#     period => daily,
#     repeat => 1,
#   }
define schedule (
  # Its name.
  # @namevar
  String $name_,

  # Hours of the day, such as `2 - 4` or `22:30 - 1:15`.
  Variant[String, Array[String]] $range,

  # Whether time is counted from the last run (`distance`) or from the start of a period
  # (`number`).
  Enum['distance', 'number'] $periodmatch = 'distance',

  # How often at most.
  Enum['daily', 'hourly', 'monthly', 'never', 'weekly'] $period,

  # How often in each period.
  Variant[Integer, String] $repeat = 1,

  # Days of the week, by name or number (0 is Sunday).
  Variant[String, Integer, Array[Variant[String, Integer]]] $weekday,
) { }
