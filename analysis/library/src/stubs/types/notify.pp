# @summary A message in the log of the agent. Each run reports it as a change.
# @example A message
#   notify { 'the host is new': }
define notify (
  # An arbitrary name. It is the message if `message` is not set.
  # @namevar
  String $name_,

  # The message.
  # @property
  $message,

  # Whether to show the path of the resource in the catalog.
  Variant[Boolean, Enum['true', 'false']] $withpath = false,
) { }
