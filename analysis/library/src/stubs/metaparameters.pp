# @summary The metaparameters, which all resource types support.
define metaparameters (
  # Whether to apply the resource in no-op mode: Puppet reports the changes that it would make, but
  # does not make them.
  Variant[Boolean, Enum['true', 'false']] $noop,

  # The name of a `schedule` resource that determines when Puppet may manage the resource.
  String $schedule,

  # Attributes whose changes are reported although Puppet does not manage them, or `all`.
  Variant[String, Array[String]] $audit,

  # The log level for changes of the resource.
  Enum['alert', 'crit', 'debug', 'emerg', 'err', 'info', 'notice', 'verbose', 'warning'] $loglevel = 'notice',

  # An alternative title to refer to the resource by.
  $alias,

  # Additional tags. A resource also has the tags of the classes and defined types that contain it.
  # @accepts Variant[Numeric, Boolean, Pattern[/\A[[:alnum:]_][[:alnum:]_:.-]*\z/]]
  # @expects a tag of letters, digits, `_`, `:`, `.` and `-`
  $tag,

  # Resources that Puppet applies before this resource.
  # @accepts Variant[Type[CatalogEntry], Pattern[/\A[^\[\]]+\[(.|\n)+\]$/]]
  # @expects a resource reference
  Variant[Type[CatalogEntry], String, Array] $require,

  # Resources that Puppet applies before this resource. If one of them changes, this resource is
  # refreshed.
  # @accepts Variant[Type[CatalogEntry], Pattern[/\A[^\[\]]+\[(.|\n)+\]$/]]
  # @expects a resource reference
  Variant[Type[CatalogEntry], String, Array] $subscribe,

  # Resources that Puppet applies after this resource.
  # @accepts Variant[Type[CatalogEntry], Pattern[/\A[^\[\]]+\[(.|\n)+\]$/]]
  # @expects a resource reference
  Variant[Type[CatalogEntry], String, Array] $before,

  # Resources that Puppet applies after this resource. If this resource changes, they are refreshed.
  # @accepts Variant[Type[CatalogEntry], Pattern[/\A[^\[\]]+\[(.|\n)+\]$/]]
  # @expects a resource reference
  Variant[Type[CatalogEntry], String, Array] $notify,

  # The run stage of a class. Other resources do not support it.
  $stage,
) { }
