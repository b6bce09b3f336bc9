# The settings of the server, as variables. Some are of one release only.

class settings (
  # All settings by their names.
  Hash[String, Any] $all_local,

  # The file that says that a run of the agent is going on.
  String $agent_catalog_run_lockfile,

  # The file that says that the agent is disabled, and why.
  String $agent_disabled_lockfile,

  # Whether a new request for a certificate replaces an old one.
  Boolean $allow_duplicate_certs,

  # Whether PSON may be used where JSON does not do.
  Boolean $allow_pson_serialization,

  # Whether plugins that were not found are searched for again.
  Boolean $always_retry_plugins,

  # Whether logs are written at once.
  Boolean $autoflush,

  # Whether requests for certificates are signed without being looked at, or what decides that.
  $autosign,

  # Where modules are for all environments: folders, with the separator of the platform.
  String $basemodulepath,

  # The configuration of bindings, of old.
  $binder_config,

  # The folder of old contents of files, on the server.
  String $bucketdir,

  # The fingerprint that the certificate of the authority must have.
  $ca_fingerprint,

  # The name of the certificate authority.
  String $ca_name,

  # The port of the certificate authority.
  $ca_port,

  # How often the agent gets the certificate of the authority anew.
  $ca_refresh_interval,

  # The host of the certificate authority.
  String $ca_server,

  # How long certificates last.
  $ca_ttl,

  # The certificate of the authority, on its host.
  String $cacert,

  # The list of revoked certificates, on the host of the authority.
  String $cacrl,

  # The folder of the certificate authority.
  String $cadir,

  # The private key of the certificate authority.
  String $cakey,

  # The public key of the certificate authority.
  String $capub,

  # Where catalogs are cached.
  $catalog_cache_terminus,

  # Where catalogs come from.
  $catalog_terminus,

  # The list of all certificates that were signed.
  String $cert_inventory,

  # The folder of certificates.
  String $certdir,

  # Whether it is checked that certificates were not revoked.
  $certificate_revocation,

  # The name in the certificate of this host.
  String $certname,

  # The ciphers for TLS.
  String $ciphers,

  # The file with the classes of the last catalog.
  String $classfile,

  # The folder of data on the agent.
  String $client_datadir,

  # The folder of old contents of files, on the agent.
  String $clientbucketdir,

  # The folder of YAML data on the agent.
  String $clientyamldir,

  # Code that is compiled instead of manifests.
  String $code,

  # The folder of code: environments and modules.
  String $codedir,

  # Whether and how the console is coloured.
  String $color,

  # The folder of configuration.
  String $confdir,

  # The file of configuration.
  String $config,

  # The name of the file of configuration.
  String $config_file_name,

  # The program that says which version the code has.
  String $config_version,

  # A setting to print, and no more.
  String $configprint,

  # How often the agent gets the list of revoked certificates anew.
  $crl_refresh_interval,

  # The file with what is added to requests for certificates.
  String $csr_attributes,

  # The folder of requests for certificates.
  String $csrdir,

  # Whether the program goes into the background.
  Boolean $daemonize,

  # Where data for parameters comes from.
  $data_binding_terminus,

  # Where files come from if their URI names no server.
  $default_file_terminus,

  # The main manifest of environments that name none.
  String $default_manifest,

  # Whether there are schedules such as `daily` without declaring them.
  Boolean $default_schedules,

  # The folder of configuration of devices.
  String $deviceconfdir,

  # The file of devices.
  String $deviceconfig,

  # The folder of data of devices.
  String $devicedir,

  # The command that shows differences.
  String $diff,

  # The arguments of the command that shows differences.
  String $diff_args,

  # The algorithm of digests of files.
  String $digest_algorithm,

  # Whether messages are not translated.
  Boolean $disable_i18n,

  # Whether environments may not have a main manifest of their own.
  Boolean $disable_per_environment_manifest,

  # Kinds of warnings that are not shown.
  $disable_warnings,

  # Other names of this host in its certificate.
  String $dns_alt_names,

  # Whether all resources are documented.
  Boolean $document_all,

  # The environment.
  String $environment,

  # Where data of environments comes from, of old.
  $environment_data_provider,

  # How long environments are kept in memory.
  $environment_timeout,

  # Where environments are: folders, with the separator of the platform.
  String $environmentpath,

  # Whether it is logged when each resource is evaluated.
  Boolean $evaltrace,

  # Whether resources that did not change are left out of reports.
  Boolean $exclude_unchanged_resources,

  # The program that classifies hosts.
  String $external_nodes,

  # How long a fact's name may be before there is a warning.
  Integer $fact_name_length_soft_limit,

  # How long a fact's value may be before there is a warning.
  Integer $fact_value_length_soft_limit,

  # Where facts are searched for.
  String $factpath,

  # Where facts come from.
  String $facts_terminus,

  # The configuration of the file server.
  String $fileserverconfig,

  # How long it takes at least until changed configuration is seen.
  $filetimeout,

  # The key for the Forge.
  $forge_authorization,

  # Whether nothing may be added to the class `main`.
  Boolean $freeze_main,

  # Whether an example of configuration is printed, and no more.
  Boolean $genconfig,

  # Whether a manifest is printed, and no more.
  Boolean $genmanifest,

  # Whether graphs of catalogs are written.
  Boolean $graph,

  # The folder of graphs.
  String $graphdir,

  # The group that the server runs as.
  String $group,

  # The configuration of Hiera.
  String $hiera_config,

  # The certificate of this host.
  String $hostcert,

  # How long before its end the certificate of this host is renewed.
  $hostcert_renewal_interval,

  # The list of revoked certificates on this host.
  String $hostcrl,

  # The request for a certificate of this host.
  String $hostcsr,

  # The private key of this host.
  String $hostprivkey,

  # The public key of this host.
  String $hostpubkey,

  # How long making a connection may take.
  $http_connect_timeout,

  # Whether requests and answers are printed.
  Boolean $http_debug,

  # Headers that are sent with every request.
  $http_extra_headers,

  # How long an idle connection is kept.
  $http_keepalive_timeout,

  # The host of the proxy.
  String $http_proxy_host,

  # The password for the proxy.
  String $http_proxy_password,

  # The port of the proxy.
  $http_proxy_port,

  # The user for the proxy.
  String $http_proxy_user,

  # How long to wait for an answer.
  $http_read_timeout,

  # How requests say who they are from.
  String $http_user_agent,

  # Whether a run goes on if plugins cannot be fetched.
  Boolean $ignore_plugin_errors,

  # Whether types that were not found are not searched for again.
  Boolean $ignoremissingtypes,

  # Whether schedules have no effect.
  Boolean $ignoreschedules,

  # Whether legacy facts are sent.
  Boolean $include_legacy_facts,

  # The kind of private key.
  String $key_type,

  # How many bits keys have.
  Integer $keylength,

  # The file with a summary of the last run.
  String $lastrunfile,

  # The file with the report of the last run.
  String $lastrunreport,

  # Attributes of hosts in the directory.
  String $ldapattrs,

  # The base of searches in the directory.
  String $ldapbase,

  # Attributes of the directory that have classes.
  String $ldapclassattrs,

  # The attribute of the directory that has the parent of a host.
  String $ldapparentattr,

  # The password for the directory.
  String $ldappassword,

  # The port of the directory.
  $ldapport,

  # The host of the directory.
  String $ldapserver,

  # Whether SSL is used for the directory.
  Boolean $ldapssl,

  # Attributes of the directory that add to those of parents.
  String $ldapstackedattrs,

  # How a host is searched for in the directory.
  String $ldapstring,

  # Whether TLS is used for the directory.
  Boolean $ldaptls,

  # The user for the directory.
  String $ldapuser,

  # The folder of plugins.
  String $libdir,

  # The certificate of the authority, on this host.
  String $localcacert,

  # The folder of translations.
  String $localedest,

  # Where translations come from.
  String $localesource,

  # Whether passwords are sent along when a request is sent elsewhere.
  Boolean $location_trusted,

  # The level from which on messages are logged.
  String $log_level,

  # Where messages are logged.
  $logdest,

  # The folder of logs.
  String $logdir,

  # Whether Puppet sets who may do what with its own files.
  Boolean $manage_internal_file_permissions,

  # The main manifest, or a folder of them.
  $manifest,

  # The port of the server, by its old name.
  $masterport,

  # How many deprecations are shown of one kind.
  Integer $max_deprecations,

  # How many errors are shown of one file.
  Integer $max_errors,

  # How many warnings are shown of one file.
  Integer $max_warnings,

  # The highest number of a user.
  Integer $maximum_uid,

  # How long the agent waits for its certificate at most.
  $maxwaitforcert,

  # How long the agent waits for another run at most.
  $maxwaitforlock,

  # Whether warnings of failed dependencies are put together by class.
  Boolean $merge_dependency_warnings,

  # Whether the user and group of Puppet are made.
  Boolean $mkusers,

  # Groups of modules in the Forge.
  $module_groups,

  # The URL of the Forge.
  String $module_repository,

  # The folder of data of the module tool.
  String $module_working_dir,

  # Where modules are: folders, with the separator of the platform.
  String $modulepath,

  # The curve of private keys of the kind `ec`.
  String $named_curve,

  # Hosts that are reached without the proxy.
  String $no_proxy,

  # Where what is known of hosts is cached.
  $node_cache_terminus,

  # The fact that names this host in requests.
  String $node_name_fact,

  # The name of this host in requests.
  String $node_name_value,

  # Where what is known of hosts comes from.
  $node_terminus,

  # Whether it is only looked at what would be changed.
  Boolean $noop,

  # How many facts there may be before there is a warning.
  Integer $number_of_facts_soft_limit,

  # Whether the agent runs once.
  Boolean $onetime,

  # The file with the password of the private key.
  String $passfile,

  # The path that commands are searched in.
  String $path,

  # How much may be sent before there is a warning.
  Integer $payload_soft_limit,

  # The file with the number of the process.
  String $pidfile,

  # The folder of plugins.
  String $plugindest,

  # The folder of external facts.
  String $pluginfactdest,

  # Where external facts come from.
  String $pluginfactsource,

  # Files that are no plugins, as file patterns.
  String $pluginsignore,

  # Where plugins come from.
  String $pluginsource,

  # Whether plugins are fetched.
  Boolean $pluginsync,

  # The command after each run.
  String $postrun_command,

  # How data is sent.
  String $preferred_serialization_format,

  # Whether deferred functions are called before the catalog is applied.
  Boolean $preprocess_deferred,

  # The command before each run.
  String $prerun_command,

  # The folder of previews of catalogs.
  String $preview_outputdir,

  # How much the process counts among others.
  $priority,

  # The folder of what is private.
  String $privatedir,

  # The folder of private keys.
  String $privatekeydir,

  # Whether it is measured what takes how long.
  Boolean $profile,

  # The folder of what is public.
  String $publicdir,

  # The folder of public keys.
  String $publickeydir,

  # Whether the stack of Puppet code is shown with errors.
  Boolean $puppet_trace,

  # The file of logs where nothing else is said.
  String $puppetdlog,

  # Whether reports are sent.
  Boolean $report,

  # Whether reports say which environments were configured.
  Boolean $report_configured_environmentpath,

  # Whether reports may go to hosts whose certificates the system trusts.
  Boolean $report_include_system_store,

  # The port that reports are sent to.
  $report_port,

  # The host that reports are sent to.
  String $report_server,

  # The folder of reports.
  String $reportdir,

  # What becomes of reports.
  String $reports,

  # The URL that reports are sent on to.
  String $reporturl,

  # The folder of this host's requests for certificates.
  String $requestdir,

  # The file with the resources of the last catalog.
  String $resourcefile,

  # Whether facts are sent again after a run.
  Boolean $resubmit_facts,

  # Whether values may be sent that JSON has not.
  Boolean $rich_data,

  # The file that says where what comes from.
  String $route_file,

  # The folder of files with numbers of processes.
  String $rundir,

  # How often the agent runs.
  $runinterval,

  # How long a run may take.
  $runtimeout,

  # The file with the number of the next certificate.
  String $serial,

  # The server.
  String $server,

  # The folder of data on the server.
  String $server_datadir,

  # Servers, the first of which that answers is used.
  $server_list,

  # The port of the server.
  $serverport,

  # Whether Puppet sees to its own files and folders.
  Boolean $settings_catalog,

  # Whether differences are shown.
  Boolean $show_diff,

  # The folder of signed certificates.
  String $signeddir,

  # Whether it is not logged where catalogs are asked for.
  Boolean $skip_logging_catalog_request_destination,

  # Tags of resources that are left out.
  String $skip_tags,

  # The address that connections are made from.
  $sourceaddress,

  # Whether the agent waits for a random time before it runs.
  Boolean $splay,

  # How long the agent waits at most.
  $splaylimit,

  # The domain whose SRV records name servers.
  $srv_domain,

  # The header that says whose certificate was shown.
  String $ssl_client_header,

  # The header that says whether the certificate was right.
  String $ssl_client_verify_header,

  # The file that says that certificates are being made.
  String $ssl_lockfile,

  # A file with more certificates that are trusted.
  $ssl_trust_store,

  # The folder of certificates and keys.
  String $ssldir,

  # The folder of what is known of the last run.
  String $statedir,

  # The file of what is known of resources.
  String $statefile,

  # How long it is known when resources were last checked.
  $statettl,

  # Whether catalogs say which contents files have.
  Boolean $static_catalogs,

  # Whether catalogs and facts are kept in a database.
  Boolean $storeconfigs,

  # Which database.
  $storeconfigs_backend,

  # Whether doubtful code is an error, a warning, or nothing.
  $strict,

  # Whether a host that asks for the wrong environment gets an error.
  Boolean $strict_environment_mode,

  # Whether unknown variables are errors.
  Boolean $strict_variables,

  # Whether a summary of the run is printed.
  Boolean $summarize,

  # The algorithms of digests that the agent knows.
  $supported_checksum_types,

  # Where in syslog messages are logged.
  String $syslogfacility,

  # Tags of the only resources that are applied.
  String $tags,

  # Whether the code is of tasks and plans.
  Boolean $tasks,

  # How many facts of the first level there may be before there is a warning.
  Integer $top_level_facts_soft_limit,

  # Whether the stack is shown with errors.
  Boolean $trace,

  # The file of what was changed in the last run.
  String $transactionstorefile,

  # The program that says more of a host that can be trusted.
  $trusted_external_command,

  # The file with names of what is in certificates.
  String $trusted_oid_mapping_file,

  # Whether the last catalog is applied again.
  Boolean $use_cached_catalog,

  # Whether the agent asks for the environment of its last run.
  Boolean $use_last_environment,

  # Whether SRV records name servers.
  Boolean $use_srv_records,

  # Whether the last catalog is applied again if there is no new one.
  Boolean $usecacheonfailure,

  # The user that the server runs as.
  String $user,

  # The folder of data that grows.
  String $vardir,

  # The folder of modules that come with Puppet.
  String $vendormoduledir,

  # Whether environments are links to their versions.
  Boolean $versioned_environment_dirs,

  # How often the agent asks for its certificate.
  $waitforcert,

  # How often the agent tries again while another run is going on.
  $waitforlock,

  # Whether the classes and resources of a catalog are written to files.
  Boolean $write_catalog_summary,

  # The folder of YAML data on the server.
  String $yamldir,
) { }
