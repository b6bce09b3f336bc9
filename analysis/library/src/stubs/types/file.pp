# @summary A file, a folder or a symbolic link: whether it is there, its content, and who may do
#   what with it.
#
# What is not given is left as it is.
# @provider posix Everything that is not Windows.
# @provider windows Windows, where modes become access control lists.
# @feature manages_symlinks The provider can make symbolic links.
# @autorequires user, group, file
# @titles
# @example A file from a module
#   file { '/etc/motd':
#     ensure => file,
#     source => 'puppet:///modules/motd/motd',
#     mode   => '0644',
#   }
define file (
  # The absolute path.
  # @namevar
  String $path,

  # How files are managed.
  String $provider,

  # What it is to be: `present` is anything that is there, or else a file; `file`, `directory` and
  # `link` are made if they are not there; `absent` is removed (a folder only with `force`). Any
  # other text is the target of a link.
  # @property
  Variant[
    Boolean,
    Numeric,
    Enum['present', 'absent', 'directory', 'false', 'file', 'link'],
    Pattern[/./]
  ] $ensure,

  # All that the file holds. It excludes `source` and `target`.
  # @property
  Variant[String, Binary] $content,

  # The digest of the content, by the algorithm of `checksum`; of use with a `source` that has
  # none.
  # @property
  String $checksum_value,

  # Where a link leads.
  # @property
  Variant[Boolean, Numeric, Enum['notlink'], Pattern[/./]] $target,

  # The user that owns it, by name or number.
  # @property
  Variant[String, Integer] $owner,

  # The group that owns it, by name or number.
  # @property
  Variant[String, Integer] $group,

  # Who may do what: octal digits in a string such as `'0644'`, or symbols such as `u+w,g-r`.
  # Folders that may be read may be entered too.
  # @property
  String $mode,

  # What it is: for reading only.
  # @property
  # @readonly
  $type,

  # The user of its SELinux context.
  # @property
  String $seluser,

  # The role of its SELinux context.
  # @property
  String $selrole,

  # The type of its SELinux context.
  # @property
  String $seltype,

  # The range of its SELinux context.
  # @property
  String $selrange,

  # When its inode was last changed: for reading only.
  # @property
  # @readonly
  $ctime,

  # When it was last written: for reading only.
  # @property
  # @readonly
  $mtime,

  # What happens to the old content: nothing, a copy beside it (`true`, or a suffix that starts
  # with a dot), or the name of a filebucket.
  Variant[Boolean, String] $backup = false,

  # Whether what is in a folder is managed too: all of it (`true`), or what the source has
  # (`remote`).
  Variant[Boolean, Enum['true', 'false', 'remote']] $recurse,

  # How many levels deep to go.
  Variant[Integer, Pattern[/^[0-9]+$/]] $recurselimit,

  # How many files a folder may bring in before there is an error; 0 is a warning only, -1 nothing.
  Variant[Integer, Pattern[/^-1$/, /^[0-9]+$/]] $max_files = 0,

  # Whether a file with another content, or a link, is replaced.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $replace = true,

  # Whether a folder may be removed or replaced with all that is in it.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $force = false,

  # What to leave out of a folder, as file patterns.
  Variant[String, Array[String]] $ignore,

  # Whether a link is managed itself or what it leads to.
  Enum['follow', 'manage'] $links = 'manage',

  # Whether what a managed folder holds and nothing manages is removed.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $purge = false,

  # Whether the first source that exists is copied into a folder or all of them.
  Enum['all', 'first'] $sourceselect = 'first',

  # Whether differences are logged. They are not for what is sensitive.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $show_diff = true,

  # Where the new content is put before it replaces the old.
  String $staging_location,

  # A command that checks the new content before it replaces the old; `%` in it stands for the
  # path.
  String $validate_cmd,

  # What stands for the path in `validate_cmd`.
  String $validate_replacement = '%',

  # How contents are compared. The default is that of the setting `digest_algorithm`.
  Enum[
    'sha256', 'sha256lite', 'md5', 'md5lite', 'sha1', 'sha1lite', 'sha512', 'sha384', 'sha224',
    'mtime', 'ctime', 'none'
  ] $checksum = 'sha256',

  # Where to copy from: a URI (`puppet:///modules/a/b` is the file `files/b` of the module `a`;
  # `file:`, `http:` and `https:` are possible) or a local path. Of several, the first that exists.
  Variant[String, Array[String]] $source,

  # Whether owner, group and mode are taken from the source: never, always, or for new files.
  Enum['ignore', 'use', 'use_when_creating'] $source_permissions = 'ignore',

  # Whether the SELinux contexts of the system's policy are not asked for.
  Variant[Boolean, Enum['true', 'false']] $selinux_ignore_defaults = false,
) { }
