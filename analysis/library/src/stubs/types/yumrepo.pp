# @summary A package repository in the configuration of yum and dnf.
#
# All attributes except the name and `target` accept `absent`, which removes the line from the file.
# @module yumrepo_core
# @provider inifile Manages the files in `/etc/yum.repos.d`.
# @example A repository
#   yumrepo { 'example':
#     descr    => 'Packages of ours',
#     baseurl  => 'https://rpm.example.com/el/$releasever/$basearch',
#     gpgcheck => true,
#     gpgkey   => 'https://rpm.example.com/key',
#   }
define yumrepo (
  # The ID of the repository, which is the name of its section in the file.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the repository should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The human-readable name of the repository.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $descr,

  # The URL of the list of mirrors.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $mirrorlist,

  # The URL of the repository, or several URLs separated by spaces.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $baseurl,

  # Whether the repository is enabled.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $enabled,

  # Whether to check the signatures of packages.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $gpgcheck,

  # Whether to check the signatures of package payloads.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $payload_gpgcheck,

  # Whether to check the signature of the repository metadata.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $repo_gpgcheck,

  # The URL of the GPG key, or several URLs separated by spaces.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $gpgkey,

  # The time in seconds after which the list of mirrors expires.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^[0-9]+$/]] $mirrorlist_expire,

  # The URL of a configuration file to include.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $include,

  # Glob patterns of packages to exclude, separated by spaces.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $exclude,

  # The URL of the CA key that signed the GPG keys.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $gpgcakey,

  # Glob patterns of the only packages to include, separated by spaces.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $includepkgs,

  # Whether to use the package groups of the repository.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $enablegroups,

  # Whether packages of the repository ignore module filtering.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $module_hotfixes,

  # Whether to try URLs in random order (`roundrobin`) or in the listed order (`priority`).
  # @property
  Variant[Enum['absent'], Pattern[/^roundrobin|priority$/]] $failovermethod,

  # Whether to keep HTTP connections alive.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $keepalive,

  # The number of times to retry a download.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^[0-9]+$/]] $retries,

  # What HTTP caches may store.
  # @property
  Variant[Enum['absent'], Pattern[/^(packages|all|none)$/]] $http_caching,

  # The connection timeout in seconds.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $timeout,

  # The time after which the metadata expires: seconds, or a number with the suffix `d`, `h` or `m`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^([0-9]+[dhm]?|never)$/]] $metadata_expire,

  # Whether to protect packages of the repository from updates by other repositories.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $protect,

  # The priority of the repository. Lower numbers have precedence.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^-?\d+$/]] $priority,

  # The minimum download rate in bytes per second before another mirror is tried.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $minrate,

  # The maximum download rate in bytes per second, with an optional suffix `k`, `M` or `G`, or as a
  # percentage of `bandwidth`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+[kMG%]?$/]] $throttle,

  # The available bandwidth in bytes per second, with an optional suffix `k`, `M` or `G`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+[kMG]?$/]] $bandwidth,

  # The cost of the repository. Among repositories with the same package, the one with the lowest
  # cost is used.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $cost,

  # The URL of the proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy,

  # The user name for the proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy_username,

  # The password for the proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy_password,

  # Whether the repository is in Amazon S3.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $s3_enabled,

  # The directory of CA certificates.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslcacert,

  # Whether to verify the certificate of the server.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $sslverify,

  # The client certificate.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslclientcert,

  # The key of the client certificate.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslclientkey,

  # The URL of a metalink file with mirrors.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $metalink,

  # Whether to skip the repository if it is unavailable.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $skip_if_unavailable,

  # Whether to answer all questions with yes.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $assumeyes,

  # The maximum size of a delta package, as a percentage of the full package.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $deltarpm_percentage,

  # The maximum size of delta metadata, as a percentage of the full metadata.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $deltarpm_metadata_percentage,

  # The user name for the repository.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $username,

  # The password for the repository.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $password,

  # The name of the configuration file, without its directory.
  String $target = 'absent',
) { }
