# @summary A user account.
# @provider aix Manages users on AIX.
# @provider directoryservice Manages users with the directory service of macOS.
# @provider hpuxuseradd Manages users on HP-UX.
# @provider ldap Manages users in an LDAP directory.
# @provider openbsd Manages users on OpenBSD.
# @provider pw Uses the `pw` command on FreeBSD.
# @provider user_role_add Manages users and roles on Solaris.
# @provider useradd Uses the commands `useradd`, `usermod`, `userdel` and `chage`, on Linux and
#   other platforms.
# @provider windows_adsi Manages local users on Windows.
# @feature allows_duplicates The provider allows several users with the same UID.
# @feature manages_aix_lam The provider can manage the attributes of the AIX Loadable Authentication
#   Module.
# @feature manages_expiry The provider can manage the expiry date of users.
# @feature manages_homedir The provider can create and remove home directories.
# @feature manages_local_users_and_groups The provider can manage local users on a host that uses
#   another name service.
# @feature manages_loginclass The provider can manage login classes.
# @feature manages_password_age The provider can manage the age of passwords.
# @feature manages_password_salt The provider can manage the salt of passwords.
# @feature manages_passwords The provider can set passwords.
# @feature manages_roles The provider can manage Solaris roles.
# @feature manages_shell The provider can set login shells.
# @feature manages_solaris_rbac The provider can manage Solaris role-based access control.
# @feature system_users The provider can create system users.
# @autorequires group, user
# @example A user with a home directory
#   user { 'ann':
#     ensure     => present,
#     uid        => 1001,
#     shell      => '/bin/bash',
#     managehome => true,
#   }
define user (
  # The user name.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the user should exist. `role` creates a Solaris role.
  # @property
  Enum['present', 'absent', 'role'] $ensure,

  # The home directory. To create it, set `managehome`.
  # @property
  String $home,

  # The user ID.
  # @property
  Variant[Integer, String] $uid,

  # The primary group, as a name or GID.
  # @property
  Variant[Integer, String] $gid,

  # The full name of the user, or another description.
  # @property
  String $comment,

  # The login shell. It must be an absolute path.
  # @property
  # @needs manages_shell
  String $shell,

  # The password, in the encrypted format that the platform requires. Use a `Sensitive` value to
  # keep it out of logs.
  # @property
  # @needs manages_passwords
  # @accepts Variant[Numeric, Boolean, Hash, Pattern[/\A[^:]*\z/]]
  # @expects a string without `:`
  String $password,

  # The minimum number of days between password changes.
  # @property
  # @needs manages_password_age
  # @accepts Variant[Integer, Pattern[/^-?[0-9]+$/]]
  # @expects a number of days
  Variant[Integer, String] $password_min_age,

  # The maximum number of days before the password must change.
  # @property
  # @needs manages_password_age
  # @accepts Variant[Integer, Pattern[/^-?[0-9]+$/]]
  # @expects a number of days
  Variant[Integer, String] $password_max_age,

  # The number of days before the password expires when the user is warned.
  # @property
  # @needs manages_password_age
  # @accepts Variant[Integer, Pattern[/^-?[0-9]+$/]]
  # @expects a number of days
  Variant[Integer, String] $password_warn_days,

  # The supplementary groups of the user, by name.
  # @property
  # @accepts Variant[Hash, Pattern[/\A[^,]*[^,0-9][^,]*\z/]]
  # @expects a group name
  Variant[String, Array[String]] $groups,

  # The date on which the account expires, such as `2030-12-31`, or `absent` for never.
  # @property
  # @needs manages_expiry
  Variant[Enum['absent'], Pattern[/^\d{4}-\d{2}-\d{2}$/]] $expiry,

  # The Solaris roles of the user.
  # @property
  # @needs manages_roles
  Variant[String, Array[String]] $roles,

  # The Solaris authorizations of the user.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Array[String]] $auths,

  # The Solaris profiles of the user.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Array[String]] $profiles,

  # Solaris attributes, as `key=value` strings or a hash.
  # @property
  # @needs manages_solaris_rbac
  Variant[String, Hash, Array] $keys,

  # The Solaris project of the user.
  # @property
  # @needs manages_solaris_rbac
  String $project,

  # AIX attributes, as `key=value` strings or a hash.
  # @property
  # @needs manages_aix_lam
  Variant[String, Hash, Array] $attributes,

  # The salt of the password (macOS only).
  # @property
  # @needs manages_password_salt
  String $salt,

  # The number of iterations of the password hash (macOS only).
  # @property
  # @needs manages_password_salt
  Variant[Integer, String] $iterations,

  # The login class of the user (BSD only).
  # @property
  # @needs manages_loginclass
  String $loginclass,

  # Whether `groups` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $membership = 'minimum',

  # Whether the user is a system user with a low UID.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $system = false,

  # Whether to allow a UID that another user uses.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allowdupe = false,

  # Whether to create and remove the home directory together with the user.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $managehome = false,

  # Whether `roles` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $role_membership = 'minimum',

  # Whether `auths` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $auth_membership = 'minimum',

  # Whether `profiles` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $profile_membership = 'minimum',

  # Whether `keys` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $key_membership = 'minimum',

  # The AIX authentication module that manages the user.
  # @needs manages_aix_lam
  $ia_load_module,

  # Whether `attributes` is the complete list (`inclusive`) or the minimum (`minimum`).
  Enum['inclusive', 'minimum'] $attribute_membership = 'minimum',

  # Whether to manage a local user on a host that uses another name service.
  # @needs manages_local_users_and_groups
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $forcelocal = false,

  # Whether to remove SSH keys of the user that Puppet does not manage, or the files to remove them
  # from.
  # @accepts Variant[Boolean, Enum['true', 'false'], Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/, /^~\//, /^%h\//]]
  # @expects a Boolean or an absolute path
  Variant[Boolean, Enum['true', 'false'], String, Array[String]] $purge_ssh_keys = false,
) { }
