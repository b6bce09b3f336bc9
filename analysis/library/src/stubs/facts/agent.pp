# The facts that the agent adds.

type Facts = Struct[{
  # The environment that the agent requests. Not set if it requests none.
  Optional['agent_specified_environment'] => Optional[String],

  # The certificate name of the node, as the node reports it.
  Optional['clientcert'] => String,

  # Whether the agent runs in no-op mode.
  Optional['clientnoop'] => Boolean,

  # The version of Puppet on the node.
  Optional['clientversion'] => String,

  # Whether the node runs Puppet or OpenVox. Old releases do not set it.
  Optional['implementation'] => String,
}]
