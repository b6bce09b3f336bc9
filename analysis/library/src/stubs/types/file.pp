# @summary A file, directory or symbolic link, with its content, ownership and permissions.
#
# Attributes that are not set are left unmanaged.
# @provider posix Manages files on platforms other than Windows.
# @provider windows Manages files on Windows, and maps modes to access control lists.
# @feature manages_symlinks The provider can manage symbolic links.
# @autorequires user, group, file
# @titles
# @example A file from a module
#   file { '/etc/motd':
#     ensure => file,
#     source => 'puppet:///modules/motd/motd',
#     mode   => '0644',
#   }
define file (
  # The path of the file. It must be absolute.
  # @namevar
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]
  # @expects an absolute path
  String $path,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the file should exist, and if so, its kind. `present` accepts any kind, and creates a
  # file if nothing exists. `file`, `directory` and `link` create what is missing. `absent` removes
  # the file; removing a directory also requires `force`. Any other string is the target of a
  # symbolic link.
  # @property
  Variant[
    Boolean,
    Numeric,
    Enum['present', 'absent', 'directory', 'false', 'file', 'link'],
    Pattern[/./]
  ] $ensure,

  # The content of the file. Mutually exclusive with `source` and `target`.
  # @property
  # @accepts Variant[String, Binary]
  Variant[String, Binary] $content,

  # The checksum of the content, computed with the algorithm in `checksum`. Useful for sources that
  # do not provide one.
  # @property
  String $checksum_value,

  # The target of the symbolic link.
  # @property
  Variant[Boolean, Numeric, Enum['notlink'], Pattern[/./]] $target,

  # The user that owns the file, as a name or UID.
  # @property
  Variant[String, Integer] $owner,

  # The group that owns the file, as a name or GID.
  # @property
  # @accepts Variant[String[1], Numeric, Boolean[true]]
  # @expects a name or a GID
  Variant[String, Integer] $group,

  # The permissions of the file: octal digits in a string, such as `'0644'`, or symbolic, such as
  # `u+w,g-r`. Puppet adds the execute permission to directories that are readable.
  # @property
  # @accepts Pattern[/^0?[0-7]{1,4}$/, /^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$/]
  # @expects a string such as `'0644'` or `'u=rw,go=r'`
  String $mode,

  # The kind of file. Read-only.
  # @property
  # @readonly
  $type,

  # The SELinux user of the file.
  # @property
  String $seluser,

  # The SELinux role of the file.
  # @property
  String $selrole,

  # The SELinux type of the file.
  # @property
  String $seltype,

  # The SELinux range of the file.
  # @property
  String $selrange,

  # The time of the last status change. Read-only.
  # @property
  # @readonly
  $ctime,

  # The time of the last modification. Read-only.
  # @property
  # @readonly
  $mtime,

  # Whether and where to back up the old content: `false`, `true` or a suffix such as `.bak` for a
  # copy next to the file, or the name of a filebucket.
  # @accepts Variant[Boolean, String]
  Variant[Boolean, String] $backup = false,

  # Whether to manage the content of the directory: everything (`true`), or only what the source
  # contains (`remote`).
  Variant[Boolean, Enum['true', 'false', 'remote']] $recurse,

  # The maximum depth of recursion.
  Variant[Integer, Pattern[/^[0-9]+$/]] $recurselimit,

  # The maximum number of files that recursion may manage before it fails. With 0, Puppet only warns
  # about large numbers; with -1, it does not warn.
  Variant[Integer, Pattern[/^-1$/, /^[0-9]+$/]] $max_files = 0,

  # Whether to replace a file or link that exists with different content.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $replace = true,

  # Whether to remove or replace directories that are not empty.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $force = false,

  # Glob patterns of files that recursion ignores.
  # @accepts Variant[String, Array, Boolean[false]]
  Variant[String, Array[String]] $ignore,

  # Whether to manage symbolic links themselves (`manage`) or their targets (`follow`).
  Enum['follow', 'manage'] $links = 'manage',

  # Whether to remove files in the directory that Puppet does not manage.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $purge = false,

  # Whether to copy the first source that exists or all of them into a directory.
  Enum['all', 'first'] $sourceselect = 'first',

  # Whether to log differences when the content changes. Differences of sensitive content are never
  # logged.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $show_diff = true,

  # The directory for the new content before it replaces the old.
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]
  # @expects an absolute path
  String $staging_location,

  # A command that validates the new content before it replaces the old. `%` stands for the path of
  # the new content.
  String $validate_cmd,

  # The placeholder for the path in `validate_cmd`.
  String $validate_replacement = '%',

  # The algorithm for comparing content. Defaults to the setting `digest_algorithm`.
  # @accepts Variant[Array, Enum['sha256', 'sha256lite', 'md5', 'md5lite', 'sha1', 'sha1lite', 'sha512', 'sha384', 'sha224', 'mtime', 'ctime', 'none']]
  # @expects the name of an algorithm
  Enum[
    'sha256', 'sha256lite', 'md5', 'md5lite', 'sha1', 'sha1lite', 'sha512', 'sha384', 'sha224',
    'mtime', 'ctime', 'none'
  ] $checksum = 'sha256',

  # The source to copy the file from: a URI such as `puppet:///modules/a/b` (the file `files/b` of
  # the module `a`), a `file:`, `http:` or `https:` URI, or a local path. If there are several,
  # Puppet uses the first that exists.
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/, /^(?i:file|puppet|https?):\//]
  # @expects an absolute path or a `puppet:`, `file:`, `http:` or `https:` URI
  Variant[String, Array[String]] $source,

  # Whether to copy owner, group and mode from the source: never, always, or only for new files.
  Enum['ignore', 'use', 'use_when_creating'] $source_permissions = 'ignore',

  # Whether to ignore the default SELinux context of the system's policy.
  Variant[Boolean, Enum['true', 'false']] $selinux_ignore_defaults = false,
) { }
