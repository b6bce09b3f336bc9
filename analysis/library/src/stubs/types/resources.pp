# @summary What happens to resources of a type that nothing manages.
# @example Remove users that nothing manages
#   resources { 'user':
#     purge              => true,
#     unless_system_user => true,
#   }
define resources (
  # The name of the type.
  # @namevar
  String $name_,

  # Whether they are removed.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $purge = false,

  # Keeps users with a low number from being removed: those of the system, or all up to a number.
  Variant[Boolean, Integer, Enum['true', 'false'], Pattern[/^\d+$/]] $unless_system_user,

  # Keeps users with these numbers, or ranges of them, from being removed.
  Variant[Integer, String, Array[Variant[Integer, String]]] $unless_uid,
) { }
