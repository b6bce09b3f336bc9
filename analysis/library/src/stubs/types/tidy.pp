# @summary Removes files that match given criteria, such as age, size or name.
# @example Remove old files
#   tidy { '/var/tmp/uploads':
#     age     => '1w',
#     recurse => true,
#     matches => ['*.part', '*.tmp'],
#   }
define tidy (
  # The path of the file or directory to tidy. It must be absolute.
  # @namevar
  String $path,

  # Whether, or how deep, to descend into directories.
  # @accepts Variant[Boolean, Integer, Pattern[/^[0-9]+$/], Enum['true', 'false', 'inf']]
  # @expects a Boolean, `inf` or a depth
  # @single
  Variant[Boolean, Integer, Enum['true', 'false', 'inf'], Pattern[/^[0-9]+$/]] $recurse,

  # The maximum number of files before Puppet fails. With 0, Puppet only warns about large numbers.
  Variant[Integer, Pattern[/^[0-9]+$/]] $max_files = 0,

  # Glob patterns of the file names to remove.
  Variant[String, Array[String]] $matches,

  # Whether and where to back up removed files, as for `file`.
  Variant[Boolean, String] $backup,

  # The minimum age of files to remove: a number with the suffix `s`, `m`, `h`, `d` or `w`. Defaults
  # to days.
  # @accepts Pattern[/^[0-9]+$/, /^[0-9]+[smhdwSMHDW]\w*$/]
  # @expects a string with a number and an optional unit, such as `'2w'`
  # @single
  Variant[String, Integer] $age,

  # The minimum size of files to remove: a number with the suffix `b`, `k`, `m`, `g` or `t`.
  # Defaults to kilobytes.
  # @accepts Pattern[/^[0-9]+$/, /^[0-9]+[bkmgtBKMGT]\w*$/]
  # @expects a string with a number and an optional unit, such as `'10m'`
  Variant[String, Integer] $size,

  # The time that determines the age: the last access, the last status change, or the last
  # modification.
  Enum['atime', 'ctime', 'mtime'] $type = 'atime',

  # Whether to remove directories that are old and empty.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $rmdirs,
) { }
