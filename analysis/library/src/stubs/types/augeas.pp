# @summary Changes a configuration file with Augeas, which understands the syntax of the file.
# @module augeas_core
# @provider augeas Uses the Augeas library and its Ruby bindings, which are part of the Puppet
#   packages.
# @feature execute_changes The provider can change files.
# @feature need_to_run? The provider can determine whether a change is necessary.
# @feature parse_commands The provider can parse Augeas commands.
# @example Configure the SSH server
#   augeas { 'sshd':
#     context => '/files/etc/ssh/sshd_config',
#     changes => 'set PermitRootLogin no',
#   }
define augeas (
  # An arbitrary name for the change.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether a change is necessary. Do not set this property.
  # @property
  # @readonly
  $returns = 0,

  # The path that relative paths start from, such as `/files/etc/ssh/sshd_config`. Defaults to the
  # path of `incl`, if it is set.
  # @accepts String
  String $context = '',

  # The condition for applying the changes: `get`, `match` or `values` with a path and a comparison.
  String $onlyif = '',

  # The commands that change the file, one per line or as an array: `set`, `rm`, `ins`, `mv`,
  # `clear`, `touch`, `setm`, `defvar`, `defnode` and others.
  Variant[String, Array[String]] $changes,

  # The root of the file system to change.
  String $root = '/',

  # Additional directories to search for lenses.
  Variant[String, Array[String]] $load_path = '',

  # Whether to run the commands even if they would change nothing.
  $force = false,

  # Whether to type-check lenses.
  Variant[Boolean, Enum['true', 'false']] $type_check = false,

  # The lens to read the file with. Requires `incl`.
  String $lens,

  # The only file to load. Requires `lens`.
  String $incl,

  # Whether to log differences when a file changes.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $show_diff = true,
) { }
