# @summary A message in the log of the agent. Each run of the agent counts it as a change.
# @example A message
#   notify { 'the host is new': }
define notify (
  # A name for it; it is the message if there is no other.
  # @namevar
  String $name_,

  # The message.
  # @property
  $message,

  # Whether the place in the catalog is shown.
  Variant[Boolean, Enum['true', 'false']] $withpath = false,
) { }
