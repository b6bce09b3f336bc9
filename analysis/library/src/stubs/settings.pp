# The settings of the server, as variables. Some exist only in one release.

class settings (
  # A hash of all settings and their values.
  Hash[String, Any] $all_local,

  # The lock file that indicates that an agent run is in progress.
  String $agent_catalog_run_lockfile,

  # The lock file that indicates that the agent is disabled, with the reason.
  String $agent_disabled_lockfile,

  # Whether a new certificate request replaces an existing one.
  Boolean $allow_duplicate_certs,

  # Whether to fall back to PSON for data that JSON cannot represent.
  Boolean $allow_pson_serialization,

  # Whether to retry loading plugins that were not found.
  Boolean $always_retry_plugins,

  # Whether to write log messages immediately.
  Boolean $autoflush,

  # Whether to sign certificate requests automatically, or the file or program that decides it.
  $autosign,

  # The directories of modules for all environments, joined with the path separator of the platform.
  String $basemodulepath,

  # The configuration of the removed data bindings.
  $binder_config,

  # The directory of filebucket content on the server.
  String $bucketdir,

  # The expected fingerprint of the CA certificate.
  $ca_fingerprint,

  # The name of the certificate authority.
  String $ca_name,

  # The port of the certificate authority.
  $ca_port,

  # The interval at which the agent refreshes the CA certificate.
  $ca_refresh_interval,

  # The host of the certificate authority.
  String $ca_server,

  # The lifetime of certificates.
  $ca_ttl,

  # The CA certificate on the CA server.
  String $cacert,

  # The certificate revocation list on the CA server.
  String $cacrl,

  # The directory of the certificate authority.
  String $cadir,

  # The private key of the certificate authority.
  String $cakey,

  # The public key of the certificate authority.
  String $capub,

  # The terminus that caches catalogs.
  $catalog_cache_terminus,

  # The terminus that provides catalogs.
  $catalog_terminus,

  # The file that lists all signed certificates.
  String $cert_inventory,

  # The directory of certificates.
  String $certdir,

  # Whether and how to check for revoked certificates.
  $certificate_revocation,

  # The name of this host in its certificate.
  String $certname,

  # The TLS ciphers.
  String $ciphers,

  # The file that lists the classes of the last catalog.
  String $classfile,

  # The data directory of the agent.
  String $client_datadir,

  # The directory of filebucket content on the agent.
  String $clientbucketdir,

  # The directory of YAML data on the agent.
  String $clientyamldir,

  # The code to compile instead of manifests.
  String $code,

  # The directory of code: environments and modules.
  String $codedir,

  # Whether and how to use color in the terminal.
  String $color,

  # The directory of configuration files.
  String $confdir,

  # The configuration file.
  String $config,

  # The name of the configuration file.
  String $config_file_name,

  # The program that prints the version of the code.
  String $config_version,

  # A setting to print instead of running.
  String $configprint,

  # The interval at which the agent refreshes the certificate revocation list.
  $crl_refresh_interval,

  # The file with additional attributes for certificate requests.
  String $csr_attributes,

  # The directory of certificate requests.
  String $csrdir,

  # Whether to run in the background.
  Boolean $daemonize,

  # The terminus that provides data for class parameters.
  $data_binding_terminus,

  # The terminus for files whose URI does not name a server.
  $default_file_terminus,

  # The main manifest of environments that do not configure one.
  String $default_manifest,

  # Whether to create the predefined schedules, such as `daily`.
  Boolean $default_schedules,

  # The directory of device configuration files.
  String $deviceconfdir,

  # The file that lists devices.
  String $deviceconfig,

  # The directory of device data.
  String $devicedir,

  # The command that shows differences between files.
  String $diff,

  # The arguments of the `diff` command.
  String $diff_args,

  # The digest algorithm for files and the filebucket.
  String $digest_algorithm,

  # Whether to turn off the translation of messages.
  Boolean $disable_i18n,

  # Whether to ignore the main manifests of environments.
  Boolean $disable_per_environment_manifest,

  # The categories of warnings to suppress.
  $disable_warnings,

  # Alternative DNS names for the certificate of this host.
  String $dns_alt_names,

  # Whether to document all resources.
  Boolean $document_all,

  # The environment.
  String $environment,

  # The removed data provider for environments.
  $environment_data_provider,

  # The time that environments are cached.
  $environment_timeout,

  # The directories of environments, joined with the path separator of the platform.
  String $environmentpath,

  # Whether to log the evaluation of each resource.
  Boolean $evaltrace,

  # Whether to omit unchanged resources from reports.
  Boolean $exclude_unchanged_resources,

  # The external node classifier.
  String $external_nodes,

  # The maximum length of a fact name before Puppet warns.
  Integer $fact_name_length_soft_limit,

  # The maximum length of a fact value before Puppet warns.
  Integer $fact_value_length_soft_limit,

  # The directories to search for facts.
  String $factpath,

  # The terminus that provides facts.
  String $facts_terminus,

  # The configuration file of the file server.
  String $fileserverconfig,

  # The minimum time between checks for changed configuration files.
  $filetimeout,

  # The authorization key for the Puppet Forge.
  $forge_authorization,

  # Whether to freeze the class `main`, so that only the main manifest can contain top-scope code.
  Boolean $freeze_main,

  # Whether to print an example configuration instead of running.
  Boolean $genconfig,

  # Whether to print an example manifest instead of running.
  Boolean $genmanifest,

  # Whether to write graphs of catalogs.
  Boolean $graph,

  # The directory of graphs.
  String $graphdir,

  # The group that the server runs as.
  String $group,

  # The configuration file of Hiera.
  String $hiera_config,

  # The certificate of this host.
  String $hostcert,

  # The time before the expiry of the host certificate at which it is renewed.
  $hostcert_renewal_interval,

  # The certificate revocation list on this host.
  String $hostcrl,

  # The certificate request of this host.
  String $hostcsr,

  # The private key of this host.
  String $hostprivkey,

  # The public key of this host.
  String $hostpubkey,

  # The timeout for HTTP connections.
  $http_connect_timeout,

  # Whether to print HTTP requests and responses.
  Boolean $http_debug,

  # Additional headers for HTTP requests.
  $http_extra_headers,

  # The time that idle HTTP connections are kept open.
  $http_keepalive_timeout,

  # The host of the HTTP proxy.
  String $http_proxy_host,

  # The password for the HTTP proxy.
  String $http_proxy_password,

  # The port of the HTTP proxy.
  $http_proxy_port,

  # The user name for the HTTP proxy.
  String $http_proxy_user,

  # The timeout for HTTP responses.
  $http_read_timeout,

  # The user agent for HTTP requests.
  String $http_user_agent,

  # Whether to continue a run if plugins cannot be downloaded.
  Boolean $ignore_plugin_errors,

  # Whether to skip searching for types that were not found.
  Boolean $ignoremissingtypes,

  # Whether to ignore schedules.
  Boolean $ignoreschedules,

  # Whether to send legacy facts.
  Boolean $include_legacy_facts,

  # The type of the private key.
  String $key_type,

  # The size of keys in bits.
  Integer $keylength,

  # The file with the summary of the last run.
  String $lastrunfile,

  # The file with the report of the last run.
  String $lastrunreport,

  # The LDAP attributes of nodes to include.
  String $ldapattrs,

  # The base of LDAP searches.
  String $ldapbase,

  # The LDAP attributes that contain classes.
  String $ldapclassattrs,

  # The LDAP attribute that contains the parent of a node.
  String $ldapparentattr,

  # The password for LDAP.
  String $ldappassword,

  # The port of the LDAP server.
  $ldapport,

  # The host of the LDAP server.
  String $ldapserver,

  # Whether to use SSL for LDAP.
  Boolean $ldapssl,

  # The LDAP attributes that extend those of parents.
  String $ldapstackedattrs,

  # The search string for nodes in LDAP.
  String $ldapstring,

  # Whether to use TLS for LDAP.
  Boolean $ldaptls,

  # The user name for LDAP.
  String $ldapuser,

  # The directory of plugins.
  String $libdir,

  # The CA certificate on this host.
  String $localcacert,

  # The directory of translations.
  String $localedest,

  # The source of translations.
  String $localesource,

  # Whether to send credentials to other hosts after a redirect.
  Boolean $location_trusted,

  # The minimum level of log messages.
  String $log_level,

  # The destination of log messages.
  $logdest,

  # The directory of log files.
  String $logdir,

  # Whether Puppet manages the permissions of its own files.
  Boolean $manage_internal_file_permissions,

  # The main manifest, or a directory of manifests.
  $manifest,

  # The port of the server. Newer releases call it `serverport`.
  $masterport,

  # The maximum number of deprecation warnings of one kind.
  Integer $max_deprecations,

  # The maximum number of errors reported for one file.
  Integer $max_errors,

  # The maximum number of warnings reported for one file.
  Integer $max_warnings,

  # The maximum UID.
  Integer $maximum_uid,

  # The maximum time that the agent waits for its certificate.
  $maxwaitforcert,

  # The maximum time that the agent waits for another run.
  $maxwaitforlock,

  # Whether to merge warnings about failed dependencies by class.
  Boolean $merge_dependency_warnings,

  # Whether to create the user and group of Puppet.
  Boolean $mkusers,

  # The groups of modules on the Puppet Forge.
  $module_groups,

  # The URL of the Puppet Forge.
  String $module_repository,

  # The working directory of the module tool.
  String $module_working_dir,

  # The directories of modules, joined with the path separator of the platform.
  String $modulepath,

  # The elliptic curve of private keys of type `ec`.
  String $named_curve,

  # Hosts that bypass the HTTP proxy.
  String $no_proxy,

  # The terminus that caches nodes.
  $node_cache_terminus,

  # The fact that contains the node name for requests.
  String $node_name_fact,

  # The node name for requests.
  String $node_name_value,

  # The terminus that provides nodes.
  $node_terminus,

  # Whether to run in no-op mode.
  Boolean $noop,

  # The maximum number of facts before Puppet warns.
  Integer $number_of_facts_soft_limit,

  # Whether the agent runs only once.
  Boolean $onetime,

  # The file with the password of the private key.
  String $passfile,

  # The search path for commands.
  String $path,

  # The maximum size of a payload before Puppet warns.
  Integer $payload_soft_limit,

  # The file with the process ID.
  String $pidfile,

  # The directory of downloaded plugins.
  String $plugindest,

  # The directory of downloaded external facts.
  String $pluginfactdest,

  # The source of external facts.
  String $pluginfactsource,

  # The glob patterns of files to ignore when downloading plugins.
  String $pluginsignore,

  # The source of plugins.
  String $pluginsource,

  # Whether to download plugins.
  Boolean $pluginsync,

  # The command to run after each agent run.
  String $postrun_command,

  # The preferred serialization format.
  String $preferred_serialization_format,

  # Whether to call deferred functions before applying the catalog.
  Boolean $preprocess_deferred,

  # The command to run before each agent run.
  String $prerun_command,

  # The directory of catalog previews.
  String $preview_outputdir,

  # The scheduling priority of the process.
  $priority,

  # The directory of private data.
  String $privatedir,

  # The directory of private keys.
  String $privatekeydir,

  # Whether to profile performance.
  Boolean $profile,

  # The directory of public data.
  String $publicdir,

  # The directory of public keys.
  String $publickeydir,

  # Whether to show the Puppet stack trace of errors.
  Boolean $puppet_trace,

  # The fallback log file.
  String $puppetdlog,

  # Whether to send reports.
  Boolean $report,

  # Whether reports contain the configured environment path.
  Boolean $report_configured_environmentpath,

  # Whether to trust the system certificate store when sending reports.
  Boolean $report_include_system_store,

  # The port to send reports to.
  $report_port,

  # The host to send reports to.
  String $report_server,

  # The directory of reports.
  String $reportdir,

  # The report processors.
  String $reports,

  # The URL that the `http` report processor sends reports to.
  String $reporturl,

  # The directory of the certificate requests of this host.
  String $requestdir,

  # The file that lists the resources of the last catalog.
  String $resourcefile,

  # Whether to send facts again after a run.
  Boolean $resubmit_facts,

  # Whether to send values that JSON cannot represent.
  Boolean $rich_data,

  # The configuration file of indirection routes.
  String $route_file,

  # The directory of PID files.
  String $rundir,

  # The interval between agent runs.
  $runinterval,

  # The maximum duration of an agent run.
  $runtimeout,

  # The file with the next certificate serial number.
  String $serial,

  # The host of the server.
  String $server,

  # The data directory of the server.
  String $server_datadir,

  # The list of servers. The agent uses the first that responds.
  $server_list,

  # The port of the server.
  $serverport,

  # Whether Puppet creates and manages its own files and directories.
  Boolean $settings_catalog,

  # Whether to show differences.
  Boolean $show_diff,

  # The directory of signed certificates.
  String $signeddir,

  # Whether to omit the log message about the source of catalogs.
  Boolean $skip_logging_catalog_request_destination,

  # The tags of resources to skip.
  String $skip_tags,

  # The source address of outgoing connections.
  $sourceaddress,

  # Whether the agent waits a random time before a run.
  Boolean $splay,

  # The maximum random wait time.
  $splaylimit,

  # The domain of the SRV records that list servers.
  $srv_domain,

  # The HTTP header with the subject of the client certificate.
  String $ssl_client_header,

  # The HTTP header with the verification status of the client certificate.
  String $ssl_client_verify_header,

  # The lock file that indicates that certificates are being set up.
  String $ssl_lockfile,

  # A file with additional trusted CA certificates.
  $ssl_trust_store,

  # The directory of certificates and keys.
  String $ssldir,

  # The directory of state files.
  String $statedir,

  # The file with the state of resources.
  String $statefile,

  # The time that the state of resources is kept.
  $statettl,

  # Whether to compile static catalogs, which contain the checksums of files.
  Boolean $static_catalogs,

  # Whether to store catalogs and facts in a database.
  Boolean $storeconfigs,

  # The backend for stored catalogs and facts.
  $storeconfigs_backend,

  # Whether questionable code is an error, a warning, or ignored.
  $strict,

  # Whether an agent that requests a different environment than the server assigns fails.
  Boolean $strict_environment_mode,

  # Whether unknown variables are errors.
  Boolean $strict_variables,

  # Whether to print a summary of the run.
  Boolean $summarize,

  # The checksum algorithms that the agent supports.
  $supported_checksum_types,

  # The syslog facility.
  String $syslogfacility,

  # The tags of the resources to apply.
  String $tags,

  # Whether to enable tasks and plans.
  Boolean $tasks,

  # The maximum number of top-level facts before Puppet warns.
  Integer $top_level_facts_soft_limit,

  # Whether to show the stack trace of errors.
  Boolean $trace,

  # The file with the changes of the last run.
  String $transactionstorefile,

  # The program that provides external trusted data about a node.
  $trusted_external_command,

  # The file that maps the OIDs of certificate extensions to names.
  String $trusted_oid_mapping_file,

  # Whether to apply the cached catalog.
  Boolean $use_cached_catalog,

  # Whether the agent requests the environment of its last run.
  Boolean $use_last_environment,

  # Whether to find servers with SRV records.
  Boolean $use_srv_records,

  # Whether to apply the cached catalog if no new one is available.
  Boolean $usecacheonfailure,

  # The user that the server runs as.
  String $user,

  # The directory of variable data.
  String $vardir,

  # The directory of modules that are part of the Puppet packages.
  String $vendormoduledir,

  # Whether environments are symbolic links to versioned directories.
  Boolean $versioned_environment_dirs,

  # The interval at which the agent requests its certificate.
  $waitforcert,

  # The interval at which the agent retries while another run is in progress.
  $waitforlock,

  # Whether to write the classes and resources of a catalog to files.
  Boolean $write_catalog_summary,

  # The directory of YAML data on the server.
  String $yamldir,
) { }
