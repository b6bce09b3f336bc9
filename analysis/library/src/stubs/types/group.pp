# @summary A group of users.
# @provider aix AIX.
# @provider directoryservice macOS.
# @provider groupadd The commands `groupadd`, `groupmod` and `groupdel`: Linux and others.
# @provider ldap A directory that is reached over LDAP.
# @provider pw FreeBSD.
# @provider windows_adsi Windows.
# @feature manages_aix_lam The provider can manage attributes of AIX.
# @feature manages_local_users_and_groups The provider can manage local groups where others come
#   from elsewhere.
# @feature manages_members The provider can manage who is in a group.
# @feature system_groups The provider can make groups of the system.
# @example A group with a number
#   group { 'www-data':
#     ensure => present,
#     gid    => 33,
#   }
define group (
  # Its name.
  # @namevar
  String $name_,

  # How groups are managed.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure = 'present',

  # Its number. Puppet lets the system choose if none is given.
  # @property
  Variant[Integer, String] $gid,

  # Who is in it.
  # @property
  # @needs manages_members
  Variant[String, Array[String]] $members,

  # Attributes of AIX, as `key=value` or a hash.
  # @property
  # @needs manages_aix_lam
  Variant[String, Hash, Array] $attributes,

  # Whether `members` are all that there are; others are removed then.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $auth_membership = false,

  # Whether its number may be that of another group too.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allowdupe = false,

  # The module of AIX that is asked.
  # @needs manages_aix_lam
  $ia_load_module,

  # Whether `attributes` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $attribute_membership = 'minimum',

  # Whether it is a group of the system, with a low number.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $system = false,

  # Whether a local group is managed where groups come from elsewhere too.
  # @needs manages_local_users_and_groups
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $forcelocal = false,
) { }
