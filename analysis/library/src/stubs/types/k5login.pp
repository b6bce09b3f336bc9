# @summary The file `.k5login` of a user: who may log in as that user by means of Kerberos.
# @module k5login_core
# @provider k5login Any platform.
define k5login (
  # The absolute path of the file.
  # @namevar
  String $path,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Who may log in.
  # @property
  Variant[String, Array[String]] $principals,

  # Who may do what with the file, in octal digits.
  # @property
  Variant[String, Integer] $mode = '644',

  # The user of its SELinux context.
  # @property
  String $seluser = 'user_u',

  # The role of its SELinux context.
  # @property
  String $selrole = 'object_r',

  # The type of its SELinux context.
  # @property
  String $seltype = 'krb5_home_t',

  # The range of its SELinux context.
  # @property
  String $selrange = 's0',
) { }
