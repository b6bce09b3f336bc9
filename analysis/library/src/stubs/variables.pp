# The variables that Puppet sets. See `settings.pp` for those in the namespace `settings`.

function everywhere(
  # The facts of the node.
  Hash[String, Any] $facts,

  # Data from the certificate of the node, which the node cannot forge.
  #
  # `authenticated` is `remote` for nodes with a valid certificate, `local` for `puppet apply`, and
  # `false` otherwise. `extensions` contains the extensions of the certificate, `external` the data
  # of the trusted external command.
  Struct[{
    'authenticated' => Variant[Enum['remote', 'local'], Boolean],
    'certname' => Optional[String],
    Optional['hostname'] => Optional[String],
    Optional['domain'] => Optional[String],
    'extensions' => Hash[String, Any],
    Optional['external'] => Hash[String, Any],
  }] $trusted,

  # Information about the server: its name, addresses and version, and the environment.
  Struct[{
    Optional['serverversion'] => String,
    Optional['serverimplementation'] => String,
    Optional['servername'] => Optional[String],
    Optional['serverip'] => Optional[String],
    Optional['serverip6'] => Optional[String],
    Optional['environment'] => String,
  }] $server_facts,

  # The name of the environment.
  String $environment,

  # The name of the server.
  String $servername,

  # The IPv4 address of the server.
  String $serverip,

  # The IPv6 address of the server. Not set if the server has none.
  String $serverip6,

  # The version of Puppet on the server.
  String $serverversion,

  # Whether the server runs Puppet or OpenVox. Old releases do not set it.
  String $serverimplementation,

  # The certificate name of the node, as the node reports it. Prefer `$trusted['certname']`.
  String $clientcert,

  # The version of Puppet on the node.
  String $clientversion,

  # Whether the node runs in no-op mode.
  Boolean $clientnoop,

  # The environment that the agent requests. Not set if it requests none.
  Optional[String] $agent_specified_environment,

  # The title of the resource; in a class, the name of the class. Outside classes, defined types and
  # node definitions, and in functions, it is `main`.
  #
  # It is a String, unless `create_resources` declares the resource by a key that is a number or a Boolean.
  ScalarData $title,

  # The same as `$title`, unless the declaration of a defined type sets the attribute `name`, to any value.
  Any $name,

  # The name of the module that contains the class or defined type. Empty elsewhere, including in
  # functions.
  String $module_name,

  # The name of the module that declares the class or defined type. Empty or `undef` elsewhere. It
  # is of little use in classes, which several modules can declare.
  Optional[String] $caller_module_name,
) { }
