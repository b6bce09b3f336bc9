# @summary A change of a configuration file by means of Augeas, which knows its syntax.
# @module augeas_core
# @provider augeas The library Augeas and its Ruby bindings, which come with the packages of
#   Puppet.
# @feature execute_changes The provider can change files.
# @feature need_to_run? The provider can tell whether something is to be changed.
# @feature parse_commands The provider understands the commands of Augeas.
# @example A setting of the SSH server
#   augeas { 'sshd':
#     context => '/files/etc/ssh/sshd_config',
#     changes => 'set PermitRootLogin no',
#   }
define augeas (
  # A name for the change.
  # @namevar
  String $name_,

  # What changes the file.
  String $provider,

  # Whether something is to be changed. Not to be set.
  # @property
  # @readonly
  $returns = 0,

  # The path that all other paths start from, such as `/files/etc/ssh/sshd_config`. By default that
  # of `incl`, if there is one.
  String $context = '',

  # A condition: `get`, `match` or `values` with a path and what to compare with.
  String $onlyif = '',

  # The commands: `set`, `rm`, `ins`, `mv`, `clear`, `touch`, `setm`, `defvar`, `defnode` and their
  # kin, one a line or in an array.
  Variant[String, Array[String]] $changes,

  # The root of the file system to change.
  String $root = '/',

  # Where other lenses are searched for.
  Variant[String, Array[String]] $load_path = '',

  # Whether the commands run even if nothing would change.
  $force = false,

  # Whether lenses are checked.
  Variant[Boolean, Enum['true', 'false']] $type_check = false,

  # The lens to read the file with; it needs `incl`.
  String $lens,

  # The only file to read; it needs `lens`.
  String $incl,

  # Whether differences are logged.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $show_diff = true,
) { }
