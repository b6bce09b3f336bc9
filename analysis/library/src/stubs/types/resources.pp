# @summary A metatype that manages all resources of a type, for example to purge those that Puppet
#   does not manage.
# @example Purge users that Puppet does not manage
#   resources { 'user':
#     purge              => true,
#     unless_system_user => true,
#   }
define resources (
  # The name of the resource type.
  # @namevar
  String $name_,

  # Whether to remove resources that Puppet does not manage.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $purge = false,

  # Exempts system users from purging: `true`, or the highest UID to exempt.
  Variant[Boolean, Integer, Enum['true', 'false'], Pattern[/^\d+$/]] $unless_system_user,

  # Exempts users with these UIDs, or ranges of UIDs, from purging.
  # @accepts Variant[Integer, Pattern[/\A\s*[-+]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)\s*\z/]]
  # @expects a UID
  Variant[Integer, String, Array[Variant[Integer, String]]] $unless_uid,
) { }
