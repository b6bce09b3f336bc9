# @summary A group.
# @provider aix Manages groups on AIX.
# @provider directoryservice Manages groups with the directory service of macOS.
# @provider groupadd Uses the commands `groupadd`, `groupmod` and `groupdel`, on Linux and other
#   platforms.
# @provider ldap Manages groups in an LDAP directory.
# @provider pw Uses the `pw` command on FreeBSD.
# @provider windows_adsi Manages local groups on Windows.
# @feature manages_aix_lam The provider can manage the attributes of the AIX Loadable Authentication
#   Module.
# @feature manages_local_users_and_groups The provider can manage local groups on a host that uses
#   another name service.
# @feature manages_members The provider can manage the members of a group.
# @feature system_groups The provider can create system groups.
# @example A group with a GID
#   group { 'www-data':
#     ensure => present,
#     gid    => 33,
#   }
define group (
  # The name of the group.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the group should exist.
  # @property
  Enum['present', 'absent'] $ensure = 'present',

  # The group ID. If it is not set, the system chooses one.
  # @property
  # @accepts Variant[Numeric, Boolean, Hash, Enum['absent'], Pattern[/^[-0-9]+$/]]
  # @expects a number
  Variant[Integer, String] $gid,

  # The members of the group.
  # @property
  # @needs manages_members
  Variant[String, Array[String]] $members,

  # AIX attributes, as `key=value` strings or a hash.
  # @property
  # @needs manages_aix_lam
  Variant[String, Hash, Array] $attributes,

  # Whether `members` is the complete list, so that Puppet removes all other members.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $auth_membership = false,

  # Whether to allow a GID that another group uses.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allowdupe = false,

  # The AIX authentication module that manages the group.
  # @needs manages_aix_lam
  $ia_load_module,

  # Whether `attributes` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $attribute_membership = 'minimum',

  # Whether the group is a system group with a low GID.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $system = false,

  # Whether to manage a local group on a host that uses another name service.
  # @needs manages_local_users_and_groups
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $forcelocal = false,
) { }
