# @summary A user of the host.
# @provider aix AIX.
# @provider directoryservice macOS.
# @provider hpuxuseradd HP-UX.
# @provider ldap A directory that is reached over LDAP.
# @provider openbsd OpenBSD.
# @provider pw FreeBSD.
# @provider user_role_add Solaris.
# @provider useradd The commands `useradd`, `usermod`, `userdel` and `chage`: Linux and others.
# @provider windows_adsi Windows.
# @feature allows_duplicates The provider allows several users with one number.
# @feature manages_aix_lam The provider can manage attributes of AIX.
# @feature manages_expiry The provider can let users expire.
# @feature manages_homedir The provider can make and remove home folders.
# @feature manages_local_users_and_groups The provider can manage local users where others come
#   from elsewhere.
# @feature manages_loginclass The provider can manage login classes.
# @feature manages_password_age The provider can let passwords age.
# @feature manages_password_salt The provider can salt passwords.
# @feature manages_passwords The provider can set passwords.
# @feature manages_roles The provider can manage roles of Solaris.
# @feature manages_shell The provider can set shells.
# @feature manages_solaris_rbac The provider can manage the rights of Solaris.
# @feature system_users The provider can make users of the system.
# @autorequires group, user
# @example A user with a home folder
#   user { 'ann':
#     ensure     => present,
#     uid        => 1001,
#     shell      => '/bin/bash',
#     managehome => true,
#   }
define user (
  # The login name.
  # @namevar
  String $name_,

  # How users are managed.
  String $provider,

  # Whether the user is there; `role` is a role of Solaris.
  # @property
  Enum['present', 'absent', 'role'] $ensure,

  # The home folder. See `managehome`.
  # @property
  String $home,

  # The number of the user.
  # @property
  Variant[Integer, String] $uid,

  # The primary group, by name or number.
  # @property
  Variant[Integer, String] $gid,

  # The full name, or another remark.
  # @property
  String $comment,

  # The login shell, as an absolute path.
  # @property
  # @needs manages_shell
  String $shell,

  # The password, in the form in which the platform keeps it: on Linux a hash. Best a `Sensitive`.
  # @property
  # @needs manages_passwords
  String $password,

  # How many days a password must be kept.
  # @property
  # @needs manages_password_age
  Variant[Integer, String] $password_min_age,

  # How many days a password may be kept.
  # @property
  # @needs manages_password_age
  Variant[Integer, String] $password_max_age,

  # How many days before a password expires there is a warning.
  # @property
  # @needs manages_password_age
  Variant[Integer, String] $password_warn_days,

  # Other groups that the user is in, by name; not the primary one.
  # @property
  Variant[String, Array[String]] $groups,

  # The day on which the user expires, such as `2030-12-31`; `absent` for never.
  # @property
  # @needs manages_expiry
  Variant[Enum['absent'], Pattern[/^\d{4}-\d{2}-\d{2}$/]] $expiry,

  # Roles of Solaris.
  # @property
  # @needs manages_roles
  Variant[String, Array[String]] $roles,

  # Authorizations of Solaris.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Array[String]] $auths,

  # Profiles of Solaris.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Array[String]] $profiles,

  # Attributes of Solaris, as `key=value` or a hash.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Hash, Array] $keys,

  # The project of Solaris.
  # @property
  # @needs manages_solaris_rbac
  String $project,

  # Attributes of AIX, as `key=value` or a hash.
  # @property
  # @needs manages_aix_lam
  Variant[String, Hash, Array] $attributes,

  # The salt of the password, on macOS.
  # @property
  # @needs manages_password_salt
  String $salt,

  # How often the password is hashed, on macOS.
  # @property
  # @needs manages_password_salt
  Variant[Integer, String] $iterations,

  # The login class, on BSD.
  # @property
  # @needs manages_loginclass
  String $loginclass,

  # Whether `groups` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $membership = 'minimum',

  # Whether it is a user of the system, with a low number.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $system = false,

  # Whether the number may be that of another user too.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allowdupe = false,

  # Whether the home folder is made and removed with the user.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $managehome = false,

  # Whether `roles` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $role_membership = 'minimum',

  # Whether `auths` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $auth_membership = 'minimum',

  # Whether `profiles` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $profile_membership = 'minimum',

  # Whether `keys` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $key_membership = 'minimum',

  # The module of AIX that is asked.
  # @needs manages_aix_lam
  $ia_load_module,

  # Whether `attributes` are all that there are, or those that must be there.
  Enum['inclusive', 'minimum'] $attribute_membership = 'minimum',

  # Whether a local user is managed where users come from elsewhere too.
  # @needs manages_local_users_and_groups
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $forcelocal = false,

  # Whether SSH keys of the user that nothing manages are removed; or in which files.
  Variant[Boolean, Enum['true', 'false'], String, Array[String]] $purge_ssh_keys = false,
) { }
