# @summary A software package.
#
# The supported values and options depend on the provider, whose default depends on the platform.
# @provider aix Uses `installp` on AIX.
# @provider appdmg Installs applications from disk images on macOS.
# @provider apple Installs packages with the installer of macOS.
# @provider apt Uses `apt-get` on Debian and its derivatives.
# @provider aptitude Uses `aptitude` on Debian and its derivatives.
# @provider aptrpm Uses `apt-get` for RPM packages.
# @provider blastwave Installs packages from Blastwave on Solaris.
# @provider dnf Uses `dnf` on Fedora and Red Hat.
# @provider dnfmodule Manages modules of `dnf`.
# @provider dpkg Installs Debian package files without resolving dependencies.
# @provider fink Uses Fink on macOS.
# @provider freebsd Uses `pkg_add` on old releases of FreeBSD.
# @provider gem Installs Ruby gems with the `gem` command on the path, or the one in `command`.
# @provider hpux Uses `swinstall` on HP-UX.
# @provider macports Uses MacPorts on macOS.
# @provider nim Uses Network Installation Management on AIX.
# @provider openbsd Uses `pkg_add` on OpenBSD.
# @provider opkg Uses `opkg` on OpenWrt.
# @provider pacman Uses `pacman` on Arch Linux.
# @provider pip Installs Python packages.
# @provider pip2 Installs Python 2 packages.
# @provider pip3 Installs Python 3 packages.
# @provider pkg Uses the Image Packaging System on Solaris 11.
# @provider pkgdmg Installs packages from disk images on macOS.
# @provider pkgin Uses `pkgin` on NetBSD.
# @provider pkgng Uses `pkg` on FreeBSD.
# @provider pkgutil Installs packages from OpenCSW on Solaris.
# @provider portage Uses `emerge` on Gentoo.
# @provider ports Uses the ports collection on FreeBSD.
# @provider portupgrade Uses `portupgrade` on FreeBSD.
# @provider puppet_gem Installs Ruby gems for the Puppet agent.
# @provider puppetserver_gem Installs Ruby gems for Puppet Server.
# @provider rpm Installs RPM package files without resolving dependencies.
# @provider rug Uses `rug` on old releases of SUSE.
# @provider sun Uses `pkgadd` on Solaris 10.
# @provider sunfreeware Installs packages from Sunfreeware on Solaris.
# @provider tdnf Uses `tdnf` on Photon OS.
# @provider up2date Uses `up2date` on old releases of Red Hat.
# @provider urpmi Uses `urpmi` on Mandriva.
# @provider windows Installs programs from MSI files or installers on Windows.
# @provider xbps (since 8) Uses `xbps` on Void Linux.
# @provider yum Uses `yum` on Red Hat.
# @provider zypper Uses `zypper` on SUSE.
# @feature disableable The provider can disable modules.
# @feature holdable The provider can put packages on hold.
# @feature install_only The provider can install packages without upgrading them.
# @feature install_options The provider accepts options for the install command.
# @feature installable The provider can install packages.
# @feature package_settings The provider supports its own settings.
# @feature purgeable The provider can remove packages with their configuration files.
# @feature reinstallable The provider can reinstall packages.
# @feature supports_flavors The provider supports flavors.
# @feature targetable The provider accepts the command to use.
# @feature uninstall_options The provider accepts options for the uninstall command.
# @feature uninstallable The provider can uninstall packages.
# @feature upgradeable The provider can upgrade packages to the latest version.
# @feature version_ranges The provider accepts version ranges.
# @feature versionable The provider can install a specific version.
# @feature virtual_packages The provider supports virtual packages.
# @autorequires file
# @titles
# @example Install the latest version
#   package { 'openssl':
#     ensure => latest,
#   }
define package (
  # The name of the package, as the provider knows it.
  # @namevar
  # @accepts String
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  # @namevar
  String $provider,

  # The program to install with, if the host has several, such as the `gem` command of a specific
  # Ruby.
  # @namevar
  # @needs targetable
  String $command = 'default',

  # The state of the package: `installed` (or `present`), `latest`, or a version. `absent` removes
  # the package, `purged` also removes its configuration files, and `disabled` disables a module.
  # @property
  Variant[
    Boolean,
    Numeric,
    Enum['present', 'installed', 'latest', 'absent', 'disabled', 'purged'],
    Pattern[/./]
  ] $ensure = 'installed',

  # Settings that are specific to the provider.
  # @property
  # @needs package_settings
  $package_settings,

  # The flavor of the package, or the profile of a module.
  # @property
  # @needs supports_flavors
  String $flavor,

  # Whether to put the package on hold, so that it is not upgraded: `hold` or `none`.
  # @property
  # @needs holdable
  Enum['hold', 'none'] $mark,

  # The path or URL of the package. Providers that use repositories do not need it.
  String $source,

  # The name of the installed package. Read-only.
  # @readonly
  $instance,

  # The status of the package. Read-only.
  # @readonly
  $status,

  # A file with installation defaults (Solaris only).
  String $adminfile,

  # A file with answers for the installation: on Solaris, or for debconf.
  String $responsefile,

  # Whether to keep or replace modified configuration files.
  Enum['keep', 'replace'] $configfiles = 'keep',

  # The category of the package. Read-only.
  # @readonly
  $category,

  # The platform of the package. Read-only.
  # @readonly
  $platform,

  # The root directory of the package. Read-only.
  # @readonly
  $root,

  # The vendor of the package. Read-only.
  # @readonly
  $vendor,

  # The description of the package. Read-only.
  # @readonly
  $description,

  # Whether `apt` may install packages from a CD.
  Variant[Boolean, Enum['true', 'false']] $allowcdrom,

  # Whether to only enable a module, without installing its packages.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $enable_only = false,

  # Whether to keep the installed version of the package.
  # @needs install_only
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $install_only = false,

  # Options for the install command: strings, or hashes of names and values.
  # @needs install_options
  # @accepts Variant[String, Hash]
  # @expects a string or a hash of options
  Variant[String, Hash, Array[Variant[String, Hash]]] $install_options,

  # Options for the uninstall command: strings, or hashes of names and values.
  # @needs uninstall_options
  # @accepts Variant[String, Hash]
  # @expects a string or a hash of options
  Variant[String, Hash, Array[Variant[String, Hash]]] $uninstall_options,

  # Whether to allow virtual packages, which other packages provide. The default depends on the
  # provider.
  # @needs virtual_packages
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allow_virtual,

  # Whether to reinstall the package when the resource is refreshed.
  Variant[Boolean, Enum['true', 'false']] $reinstall_on_refresh = false,

  # Environment variables for the install command, each in the form `NAME=value`.
  # @since 8.26
  $environment,
) { }
