# @summary A Solaris zone.
# @module zone_core
# @provider solaris Manages zones on Solaris.
# @autorequires zfs, file
define zone (
  # The name of the zone.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # The state of the zone: configured, installed or running.
  # @property
  Enum['installed', 'running', 'configured', 'absent'] $ensure = 'running',

  # The IP addresses of the zone: with a shared IP stack, the interface, address and default router
  # separated by colons; otherwise the interface.
  # @property
  Variant[String, Array[String]] $ip,

  # Whether the zone has an exclusive or a shared IP stack.
  # @property
  Enum['exclusive', 'shared'] $iptype = 'shared',

  # Whether the zone starts at boot.
  # @property
  Variant[Boolean, Enum['true', 'false']] $autoboot = true,

  # The absolute path of the root of the zone.
  # @property
  String $path,

  # The resource pool of the zone.
  # @property
  String $pool,

  # The CPU shares of the zone.
  # @property
  Variant[Integer, String] $shares,

  # ZFS file systems to delegate to the zone.
  # @property
  Variant[String, Array[String]] $dataset,

  # Directories to inherit from the global zone.
  # @property
  Variant[String, Array[String]] $inherit,

  # The numeric ID of the zone. It should be left to the system.
  $id,

  # The zone to clone.
  String $clone,

  # The content of the `sysidcfg` file (Solaris 10 only).
  String $sysidcfg,

  # Arguments for `zonecfg create`.
  String $create_args,

  # Arguments for `zoneadm install`.
  String $install_args,

  # The host name of the zone.
  String $realhostname,
) { }
