# @summary Files that are removed when they are old, large, or called so.
# @example Old files
#   tidy { '/var/tmp/uploads':
#     age     => '1w',
#     recurse => true,
#     matches => ['*.part', '*.tmp'],
#   }
define tidy (
  # The absolute path of a file, or a folder.
  # @namevar
  String $path,

  # How deep into folders to go.
  Variant[Boolean, Integer, Enum['true', 'false', 'inf'], Pattern[/^[0-9]+$/]] $recurse,

  # How many files there may be before there is an error; 0 is a warning only.
  Variant[Integer, Pattern[/^[0-9]+$/]] $max_files = 0,

  # What is removed, as file patterns without folders.
  Variant[String, Array[String]] $matches,

  # What happens to the old content, as for `file`.
  Variant[Boolean, String] $backup,

  # How old a file must be: a number with `s`, `m`, `h`, `d` or `w`; days without one.
  Variant[String, Integer] $age,

  # How large a file must be: a number with `b`, `k`, `m`, `g` or `t`; kilobytes without one.
  Variant[String, Integer] $size,

  # Which time counts: that of the last access, of the last change of the inode, or of the last
  # write.
  Enum['atime', 'ctime', 'mtime'] $type = 'atime',

  # Whether folders that are old and empty are removed too.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $rmdirs,
) { }
