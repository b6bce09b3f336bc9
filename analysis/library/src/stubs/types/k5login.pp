# @summary The `.k5login` file of a user, which lists the Kerberos principals that may log in as the
#   user.
# @module k5login_core
# @provider k5login Writes the file.
define k5login (
  # The path of the file. It must be absolute.
  # @namevar
  String $path,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the file should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The principals that may log in.
  # @property
  Variant[String, Array[String]] $principals,

  # The permissions of the file, in octal notation.
  # @property
  Variant[String, Integer] $mode = '644',

  # The SELinux user of the file.
  # @property
  String $seluser = 'user_u',

  # The SELinux role of the file.
  # @property
  String $selrole = 'object_r',

  # The SELinux type of the file.
  # @property
  String $seltype = 'krb5_home_t',

  # The SELinux range of the file.
  # @property
  String $selrange = 's0',
) { }
