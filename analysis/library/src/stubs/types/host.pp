# @summary A line in the file of host names, which is `/etc/hosts` on most platforms.
# @module host_core
# @provider parsed Any platform with such a file.
# @example A name for an address
#   host { 'db.example.com':
#     ip           => '192.0.2.10',
#     host_aliases => 'db',
#   }
define host (
  # The name of the host.
  # @namevar
  String $name_,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Its address, of version 4 or 6.
  # @property
  String $ip,

  # Other names for it.
  # @property
  Variant[String, Array[String]] $host_aliases,

  # A remark, behind a `#` on the line.
  # @property
  String $comment,

  # The file.
  # @property
  String $target,
) { }
