# @summary An entry in the hosts file, which is `/etc/hosts` on most platforms.
# @module host_core
# @provider parsed Parses and writes the hosts file.
# @example A host with an alias
#   host { 'db.example.com':
#     ip           => '192.0.2.10',
#     host_aliases => 'db',
#   }
define host (
  # The name of the host.
  # @namevar
  # @accepts Pattern[/\A([A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.*)?\z/, /\n/]
  # @expects a valid host name
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the entry should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The IPv4 or IPv6 address of the host.
  # @property
  # @accepts Pattern[/^(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])){3}$/, /:/]
  # @expects an IP address
  String $ip,

  # Aliases of the host.
  # @property
  # @accepts Pattern[/^\S+$/]
  # @expects a string without whitespace
  Variant[String, Array[String]] $host_aliases,

  # A comment at the end of the line.
  # @property
  # @accepts Variant[Hash, Pattern[/\A[^\n]*\z/]]
  # @expects a string without newlines
  String $comment,

  # The path of the hosts file.
  # @property
  String $target,
) { }
