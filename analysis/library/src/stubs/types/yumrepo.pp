# @summary A repository of packages, in the configuration of yum and dnf.
#
# All but the name and `target` may be `absent`, which takes the line out of the file.
# @module yumrepo_core
# @provider inifile The files in `/etc/yum.repos.d`.
# @example A repository
#   yumrepo { 'example':
#     descr    => 'Packages of ours',
#     baseurl  => 'https://rpm.example.com/el/$releasever/$basearch',
#     gpgcheck => true,
#     gpgkey   => 'https://rpm.example.com/key',
#   }
define yumrepo (
  # Its name, in brackets in the file.
  # @namevar
  String $name_,

  # What manages the files.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # What it is, in words.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $descr,

  # The URL of a list of mirrors.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $mirrorlist,

  # The URL of the repository, or several with blanks between them.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $baseurl,

  # Whether it is used.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $enabled,

  # Whether signatures of packages are checked.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $gpgcheck,

  # Whether signatures of what packages hold are checked.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $payload_gpgcheck,

  # Whether the signature of the repository is checked.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $repo_gpgcheck,

  # The URL of the key for signatures, or several with blanks between them.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $gpgkey,

  # How many seconds the list of mirrors is kept.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^[0-9]+$/]] $mirrorlist_expire,

  # The URL of a file with more configuration.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $include,

  # Packages that are not to be seen, as file patterns with blanks between them.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $exclude,

  # The URL of the key that other keys are signed with.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $gpgcakey,

  # The only packages that are to be seen, as file patterns with blanks between them.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $includepkgs,

  # Whether groups of packages are used.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $enablegroups,

  # Whether its packages count even if they are not of a module that is enabled.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $module_hotfixes,

  # Whether URLs are tried at random (`roundrobin`) or in order (`priority`).
  # @property
  Variant[Enum['absent'], Pattern[/^roundrobin|priority$/]] $failovermethod,

  # Whether connections are kept open.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $keepalive,

  # How often a file is tried.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^[0-9]+$/]] $retries,

  # What caches on the way may keep.
  # @property
  Variant[Enum['absent'], Pattern[/^(packages|all|none)$/]] $http_caching,

  # How many seconds to wait for an answer.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $timeout,

  # How long what is known of the repository is kept: seconds, or a number with `d`, `h` or `m`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^([0-9]+[dhm]?|never)$/]] $metadata_expire,

  # Whether its packages are not replaced by those of others.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $protect,

  # How much it counts against others: a low number counts most.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^-?\d+$/]] $priority,

  # The fewest bytes in a second before another mirror is tried.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $minrate,

  # The most bytes in a second, also with `k`, `M`, `G`, or a part of `bandwidth` with `%`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+[kMG%]?$/]] $throttle,

  # How many bytes in a second there are, also with `k`, `M`, `G`.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+[kMG]?$/]] $bandwidth,

  # How expensive it is: of two with the same package the cheaper is used.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $cost,

  # The URL of a proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy,

  # The user for the proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy_username,

  # The password for the proxy.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $proxy_password,

  # Whether it is in S3 of Amazon.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $s3_enabled,

  # The folder of certificates of authorities.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslcacert,

  # Whether the certificate of the server is checked.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $sslverify,

  # The certificate to show to the server.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslclientcert,

  # The key of that certificate.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $sslclientkey,

  # The URL of a metalink file with mirrors.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $metalink,

  # Whether to go on without it if it does not answer.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $skip_if_unavailable,

  # Whether questions are answered with yes.
  # @property
  Variant[Boolean, Integer, Enum['absent'], Pattern[/^(true|false|0|1|no|yes)$/]] $assumeyes,

  # How small a difference between packages must be to be loaded instead, in percent.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $deltarpm_percentage,

  # How small a list of differences must be to be loaded, in percent.
  # @property
  Variant[Integer, Enum['absent'], Pattern[/^\d+$/]] $deltarpm_metadata_percentage,

  # The user for the repository.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $username,

  # The password for the repository.
  # @property
  Variant[Boolean, Numeric, Enum['absent'], Pattern[/.*/]] $password,

  # The name of the file, without its folder.
  String $target = 'absent',
) { }
