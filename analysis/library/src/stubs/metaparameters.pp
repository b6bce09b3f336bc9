# @summary What every resource type has.
define metaparameters (
  # Whether the resource is only looked at: what would be changed is reported, and left as it is.
  Variant[Boolean, Enum['true', 'false']] $noop,

  # The name of a `schedule` that says when the resource may be managed.
  String $schedule,

  # Attributes whose changes are reported although they are not managed; `all` is all of them.
  Variant[String, Array[String]] $audit,

  # The level at which changes are logged.
  Enum['alert', 'crit', 'debug', 'emerg', 'err', 'info', 'notice', 'verbose', 'warning'] $loglevel = 'notice',

  # Another title for the resource, to refer to it.
  $alias,

  # Tags, besides those that it gets from the classes and defined types around it.
  $tag,

  # Resources that come before this one.
  Variant[Type[CatalogEntry], String, Array] $require,

  # Resources that come before this one and notify it when they change.
  Variant[Type[CatalogEntry], String, Array] $subscribe,

  # Resources that come after this one.
  Variant[Type[CatalogEntry], String, Array] $before,

  # Resources that come after this one, and are notified when it changes.
  Variant[Type[CatalogEntry], String, Array] $notify,

  # The stage that a class is in; of other resources it has no meaning.
  $stage,
) { }
