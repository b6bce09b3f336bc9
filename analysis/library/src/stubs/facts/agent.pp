# What the agent adds to the facts.

type Facts = Struct[{
  # The environment that the host asks for. It is not there if it asks for none.
  Optional['agent_specified_environment'] => Optional[String],

  # The name in the certificate of the host, as the host says.
  Optional['clientcert'] => String,

  # Whether the host only looks at what would be changed.
  Optional['clientnoop'] => Boolean,

  # The release of Puppet on the host.
  Optional['clientversion'] => String,

  # Whether the host has Puppet or OpenVox. Old releases do not say.
  Optional['implementation'] => String,
}]
