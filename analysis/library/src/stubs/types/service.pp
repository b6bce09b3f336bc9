# @summary A service: whether it is running, and whether it starts at boot.
# @provider base Manages any service with the commands given as attributes.
# @provider bsd Uses the rc scripts of BSD.
# @provider daemontools Uses daemontools.
# @provider debian Uses the init scripts of Debian.
# @provider freebsd Uses the rc scripts of FreeBSD.
# @provider gentoo Uses the init scripts of Gentoo.
# @provider init Uses init scripts.
# @provider launchd Uses launchd on macOS.
# @provider openbsd Uses `rcctl` on OpenBSD.
# @provider openrc Uses OpenRC.
# @provider openwrt Uses the init scripts of OpenWrt.
# @provider rcng Uses the `rc.d` scripts of NetBSD.
# @provider redhat Uses the init scripts of Red Hat.
# @provider runit Uses runit.
# @provider service Uses the `service` command.
# @provider smf Uses the Service Management Facility of Solaris.
# @provider src Uses the System Resource Controller of AIX.
# @provider systemd Uses systemd.
# @provider upstart Uses Upstart on Ubuntu.
# @provider windows Manages Windows services.
# @feature configurable_timeout The provider supports a timeout.
# @feature controllable The provider uses a control variable.
# @feature delayed_startable The provider can delay the start of the service after boot.
# @feature enableable The provider can enable and disable the service at boot.
# @feature flaggable The provider can pass flags to the service.
# @feature manages_logon_credentials The provider can manage the logon credentials of the service.
# @feature manual_startable The provider supports manual start.
# @feature maskable The provider can mask the service, so that it cannot be started.
# @feature refreshable The provider can restart the service.
# @example A service that is running and starts at boot
#   service { 'nginx':
#     ensure => running,
#     enable => true,
#   }
define service (
  # The name of the service, as the provider knows it.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the service should be running: `running` or `true`, `stopped` or `false`.
  # @property
  Variant[Boolean, Enum['running', 'true', 'false', 'stopped']] $ensure,

  # Whether the service should start at boot. Some providers also support `manual`, `delayed` and
  # `mask`.
  # @property
  # @needs enableable
  Variant[Boolean, Enum['true', 'delayed', 'false', 'manual', 'mask']] $enable,

  # The account to run the service as (Windows only).
  # @property
  # @needs manages_logon_credentials
  String $logonaccount,

  # Flags to pass to the service.
  # @property
  # @needs flaggable
  String $flags,

  # The password of `logonaccount`.
  # @needs manages_logon_credentials
  String $logonpassword,

  # The path of the program, for services that cannot be started in another way.
  String $binary,

  # Whether the init script has a working `status` command. Otherwise Puppet searches the process
  # table for `pattern`.
  Variant[Boolean, Enum['true', 'false']] $hasstatus = true,

  # The directories to search for init scripts.
  # @accepts String
  Variant[String, Array[String]] $path,

  # The pattern to search for in the process table. Defaults to the name of the service.
  String $pattern,

  # The command that restarts the service. By default, Puppet uses the init script, or stops and
  # starts the service.
  Variant[String, Array[String]] $restart,

  # The command that starts the service.
  Variant[String, Array[String]] $start,

  # The command that determines whether the service is running, by its exit code.
  Variant[String, Array[String]] $status,

  # The command that stops the service.
  Variant[String, Array[String]] $stop,

  # The control variable of the service, for providers that use one.
  String $control,

  # Whether the init script has a `restart` command.
  Variant[Boolean, Enum['true', 'false']] $hasrestart,

  # The command that configures the service, or the path of its manifest (SMF only).
  String $manifest,

  # The maximum time for starting and stopping the service, in seconds.
  # @needs configurable_timeout
  Variant[Integer, String] $timeout,
) { }
