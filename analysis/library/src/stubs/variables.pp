# The variables that Puppet sets; those of `settings` are in a file of their own.

function everywhere(
  # The facts of the host.
  Hash[String, Any] $facts,

  # What is known of the host from its certificate, which it cannot make up.
  #
  # `authenticated` is `remote` if the host has shown a certificate, `local` for `puppet apply`,
  # else
  # `false`. `extensions` are those of the certificate, `external` is what a program of the server
  # says.
  Struct[{
    'authenticated' => Variant[Enum['remote', 'local'], Boolean],
    'certname' => Optional[String],
    Optional['hostname'] => Optional[String],
    Optional['domain'] => Optional[String],
    'extensions' => Hash[String, Any],
    Optional['external'] => Hash[String, Any],
  }] $trusted,

  # What is known of the server: its name, addresses and version, and the environment.
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

  # The address of the server.
  String $serverip,

  # The address of the server, of version 6. It is not there if the server has none.
  String $serverip6,

  # The release of Puppet on the server.
  String $serverversion,

  # Whether the server has Puppet or OpenVox. Old releases do not say.
  String $serverimplementation,

  # The name in the certificate of the host, as the host says. Better is `$trusted['certname']`.
  String $clientcert,

  # The release of Puppet on the host.
  String $clientversion,

  # Whether the host only looks at what would be changed.
  Boolean $clientnoop,

  # The environment that the host asks for. It is not there if it asks for none.
  Optional[String] $agent_specified_environment,

  # The title of the resource; of a class its name. Outside of classes, defined types and nodes it is
  # `main`, also in functions.
  String $title,

  # The same as `$title`.
  String $name,

  # The name of the module that this class or defined type is in; empty elsewhere, also in functions.
  String $module_name,

  # The name of the module that declares this class or defined type; empty or `undef` elsewhere. It is
  # of little use in a class, which may be declared in several places.
  Optional[String] $caller_module_name,
) { }
