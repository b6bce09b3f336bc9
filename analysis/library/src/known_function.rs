//! The functions that mean something to the analysis, as in `KnownFunction` of ty.
//!
//! The only place outside of the evaluator where their names are written down: everything else
//! parses a name once, with [`KnownFunction::from_name`], and matches on variants, or on the
//! properties that the tags of the stubs state (see [`super::functions`]).
//!
//! A variant is about a name: a module may define a function of the same name, so callers that
//! depend on the exact behavior check the definition as well.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::FUNCTIONS_8;
use crate::functions;
use crate::signatures::Doc;
use crate::stub;

macro_rules! known_functions {
    ($($variant:ident: $name:literal,)*) => {
        /// A function of Puppet, Bolt or a common module that the analysis treats specially.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum KnownFunction {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl KnownFunction {
            /// All variants, sorted by name.
            pub const ALL: &'static [KnownFunction] = &[$(KnownFunction::$variant,)*];

            /// Returns the function with exactly this name.
            pub fn from_name(name: &str) -> Option<KnownFunction> {
                match name {
                    STDLIB_ENSURE_PACKAGES => Some(KnownFunction::EnsurePackages),
                    $($name => Some(KnownFunction::$variant),)*
                    _ => None,
                }
            }

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(KnownFunction::$variant => $name,)*
                }
            }
        }
    };
}

/// The name of `ensure_packages` since version 9 of the module `stdlib`, which keeps the old one too.
pub const STDLIB_ENSURE_PACKAGES: &str = "stdlib::ensure_packages";

known_functions! {
    Abs: "abs",
    Alert: "alert",
    All: "all",
    Annotate: "annotate",
    Any: "any",
    Any2array: "any2array",
    Any2bool: "any2bool",
    AssertPrivate: "assert_private",
    AssertType: "assert_type",
    Base64: "base64",
    Basename: "basename",
    BinaryFile: "binary_file",
    Bool2num: "bool2num",
    Bool2str: "bool2str",
    Break: "break",
    Call: "call",
    Camelcase: "camelcase",
    Capitalize: "capitalize",
    Ceiling: "ceiling",
    Chomp: "chomp",
    Chop: "chop",
    Compare: "compare",
    Concat: "concat",
    Contain: "contain",
    ConvertBase: "convert_base",
    ConvertTo: "convert_to",
    Count: "count",
    CreateResources: "create_resources",
    Crit: "crit",
    Debug: "debug",
    DeepMerge: "deep_merge",
    Defined: "defined",
    DefinedWithParams: "defined_with_params",
    Delete: "delete",
    DeleteAt: "delete_at",
    DeleteUndefValues: "delete_undef_values",
    DeleteValues: "delete_values",
    Difference: "difference",
    Dig: "dig",
    Digest: "digest",
    Dirname: "dirname",
    Downcase: "downcase",
    Each: "each",
    Emerg: "emerg",
    Empty: "empty",
    EncloseIpv6: "enclose_ipv6",
    EnsurePackages: "ensure_packages",
    EnsureResource: "ensure_resource",
    EnsureResources: "ensure_resources",
    Epp: "epp",
    Err: "err",
    Extlookup: "extlookup",
    EyamlLookupKey: "eyaml_lookup_key",
    Fact: "fact",
    Fail: "fail",
    File: "file",
    Filter: "filter",
    FindFile: "find_file",
    FindTemplate: "find_template",
    Flatten: "flatten",
    Floor: "floor",
    FqdnRand: "fqdn_rand",
    FqdnRandString: "fqdn_rand_string",
    FqdnRotate: "fqdn_rotate",
    Generate: "generate",
    Get: "get",
    Getvar: "getvar",
    Grep: "grep",
    GroupBy: "group_by",
    HasInterfaceWith: "has_interface_with",
    HasKey: "has_key",
    Hash: "hash",
    Hiera: "hiera",
    HieraArray: "hiera_array",
    HieraHash: "hiera_hash",
    HieraInclude: "hiera_include",
    HoconData: "hocon_data",
    Import: "import",
    Include: "include",
    Index: "index",
    Inet6Prefix: "inet6_prefix",
    Info: "info",
    InlineEpp: "inline_epp",
    InlineTemplate: "inline_template",
    Intersection: "intersection",
    IsA: "is_a",
    IsArray: "is_array",
    IsBool: "is_bool",
    IsFloat: "is_float",
    IsFunctionAvailable: "is_function_available",
    IsHash: "is_hash",
    IsInteger: "is_integer",
    IsNumeric: "is_numeric",
    IsServiceDefault: "is_service_default",
    IsString: "is_string",
    Join: "join",
    JoinKeysToValues: "join_keys_to_values",
    JsonData: "json_data",
    Keys: "keys",
    Length: "length",
    Lest: "lest",
    LoadModuleMetadata: "load_module_metadata",
    Lookup: "lookup",
    Lstrip: "lstrip",
    Map: "map",
    Match: "match",
    Max: "max",
    Md5: "md5",
    Member: "member",
    Merge: "merge",
    Min: "min",
    ModuleDirectory: "module_directory",
    New: "new",
    Next: "next",
    NormalizeIpForUri: "normalize_ip_for_uri",
    Notice: "notice",
    Num2bool: "num2bool",
    OsVersionGte: "os_version_gte",
    Parsejson: "parsejson",
    Partition: "partition",
    Pick: "pick",
    PickDefault: "pick_default",
    Prefix: "prefix",
    Range: "range",
    Realize: "realize",
    Reduce: "reduce",
    Regexpescape: "regexpescape",
    Regsubst: "regsubst",
    Reject: "reject",
    Require: "require",
    Return: "return",
    Reverse: "reverse",
    ReverseEach: "reverse_each",
    Round: "round",
    Rstrip: "rstrip",
    RunPlan: "run_plan",
    RunTask: "run_task",
    RunTaskWith: "run_task_with",
    Scanf: "scanf",
    Scope: "scope",
    Search: "search",
    SeededRand: "seeded_rand",
    SeededRandString: "seeded_rand_string",
    Sha1: "sha1",
    Sha256: "sha256",
    ShellEscape: "shell_escape",
    ShellJoin: "shell_join",
    ShellSplit: "shell_split",
    Shellquote: "shellquote",
    Shuffle: "shuffle",
    Size: "size",
    Slice: "slice",
    Sort: "sort",
    Split: "split",
    Sprintf: "sprintf",
    SprintfHash: "sprintf_hash",
    Squeeze: "squeeze",
    StdlibEndWith: "stdlib::end_with",
    StdlibFqdnRotate: "stdlib::fqdn_rotate",
    StdlibMerge: "stdlib::merge",
    StdlibNestedValues: "stdlib::nested_values",
    StdlibSeededRand: "stdlib::seeded_rand",
    StdlibSha256: "stdlib::sha256",
    StdlibShellEscape: "stdlib::shell_escape",
    StdlibStartWith: "stdlib::start_with",
    StdlibToJson: "stdlib::to_json",
    StdlibToJsonPretty: "stdlib::to_json_pretty",
    StdlibToYaml: "stdlib::to_yaml",
    Step: "step",
    Str2bool: "str2bool",
    Strftime: "strftime",
    Strip: "strip",
    Suffix: "suffix",
    Swapcase: "swapcase",
    Tag: "tag",
    Tagged: "tagged",
    Template: "template",
    Then: "then",
    ToJson: "to_json",
    ToJsonPretty: "to_json_pretty",
    ToYaml: "to_yaml",
    TreeEach: "tree_each",
    Type: "type",
    TypeOf: "type_of",
    Union: "union",
    Unique: "unique",
    Unwrap: "unwrap",
    Upcase: "upcase",
    Uriescape: "uriescape",
    ValidateArray: "validate_array",
    ValidateBool: "validate_bool",
    ValidateHash: "validate_hash",
    ValidateLegacy: "validate_legacy",
    ValidateRe: "validate_re",
    ValidateString: "validate_string",
    Values: "values",
    ValuesAt: "values_at",
    Versioncmp: "versioncmp",
    Warning: "warning",
    With: "with",
    YamlData: "yaml_data",
    Zip: "zip",
}

/// The entities that arguments of a function name: all arguments, or the first, depending on the
/// function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NamedEntity {
    /// Classes, which the function declares.
    Class,
    /// A resource type or defined type.
    ResourceType,
    /// A function.
    Function,
    /// A plan.
    Plan,
    /// A task.
    Task,
    /// A variable, or a part of it in dotted notation.
    Variable,
    /// A fact, or a part of it in dotted notation.
    Fact,
    /// A key of Hiera.
    DataKey,
    /// A file in `templates`, with Ruby code.
    Template,
    /// A file in `templates`, with Puppet code.
    EppTemplate,
    /// A file in `files`.
    File,
}

impl NamedEntity {
    fn from_tag(text: &str) -> Option<NamedEntity> {
        Some(match text {
            "class" => NamedEntity::Class,
            "resource_type" => NamedEntity::ResourceType,
            "function" => NamedEntity::Function,
            "plan" => NamedEntity::Plan,
            "task" => NamedEntity::Task,
            "variable" => NamedEntity::Variable,
            "fact" => NamedEntity::Fact,
            "data_key" => NamedEntity::DataKey,
            "template" => NamedEntity::Template,
            "epp_template" => NamedEntity::EppTemplate,
            "file" => NamedEntity::File,
            _ => return None,
        })
    }
}

/// The properties that are tags without text.
#[derive(Clone, Copy)]
enum Property {
    CatalogOperation,
    ExternalResult,
    FormatArgument,
    Pure,
    ReadsVariables,
    RegexArgument,
    TestsDefinedness,
    UntypedBlock,
}

impl Property {
    /// The properties by tag.
    const TAGS: [(&'static str, Property); 8] = [
        ("needs_catalog", Property::CatalogOperation),
        ("external", Property::ExternalResult),
        ("takes_format", Property::FormatArgument),
        ("pure", Property::Pure),
        ("reads_variables", Property::ReadsVariables),
        ("takes_regex", Property::RegexArgument),
        ("tests_definedness", Property::TestsDefinedness),
        ("untyped_block", Property::UntypedBlock),
    ];
}

/// The meaning of a function, as the tags of its stub state it.
#[derive(Clone, Copy, Default)]
pub(super) struct Semantics {
    names: Option<NamedEntity>,
    /// A bit for each [`Property`].
    properties: u8,
}

impl Semantics {
    /// Removes the tags from the documentation of a stub.
    pub(super) fn take(doc: &mut Doc) -> Semantics {
        let names = stub::take(doc, "names");
        let mut semantics = Semantics {
            names: names.and_then(|it| NamedEntity::from_tag(&it)),
            properties: 0,
        };
        for (tag, property) in Property::TAGS {
            if stub::take_mark(doc, tag) {
                semantics.properties |= 1 << property as u8;
            }
        }
        semantics
    }

    /// Checks whether no tag states anything.
    pub(super) fn is_empty(self) -> bool {
        self.names.is_none() && self.properties == 0
    }

    fn has(self, property: Property) -> bool {
        self.properties & 1 << property as u8 != 0
    }
}

/// The semantics by name.
pub(super) type SemanticsTable = FxHashMap<String, Semantics>;

/// The meaning of each function, in the order of [`KnownFunction::ALL`].
static SEMANTICS: LazyLock<Vec<Semantics>> = LazyLock::new(|| {
    let of_modules = functions::read_module_functions();
    let all = KnownFunction::ALL.iter().map(|it| it.name());
    let known = all.map(|it| FUNCTIONS_8.semantics.get(it).or_else(|| of_modules.get(it)));
    known.map(|it| it.copied().unwrap_or_default()).collect()
});

impl KnownFunction {
    fn semantics(self) -> Semantics {
        SEMANTICS.get(self as usize).copied().unwrap_or_default()
    }

    fn has(self, property: Property) -> bool {
        self.semantics().has(property)
    }

    /// Returns the entities that the arguments name.
    pub fn names(self) -> Option<NamedEntity> {
        self.semantics().names
    }

    /// Checks whether the arguments name classes, which the function declares: `include`.
    pub fn names_classes(self) -> bool {
        self.names() == Some(NamedEntity::Class)
    }

    /// Checks whether the function may read any variable of its caller: a template.
    pub fn reads_caller_variables(self) -> bool {
        self.has(Property::ReadsVariables)
    }

    /// Checks whether the function works only while a catalog is compiled, and so not in a plan.
    pub fn needs_catalog(self) -> bool {
        self.has(Property::CatalogOperation)
    }

    /// Checks whether the result comes from outside of the manifests, from data, facts or
    /// templates.
    pub fn has_external_result(self) -> bool {
        self.has(Property::ExternalResult)
    }

    /// Checks whether the function tests if a name is defined, so that the name may be missing.
    pub fn tests_definedness(self) -> bool {
        self.has(Property::TestsDefinedness)
    }

    /// Checks whether the function does not constrain the types of the parameters of its lambda.
    pub fn accepts_any_lambda(self) -> bool {
        self.has(Property::UntypedBlock)
    }

    /// Checks whether the result depends only on the arguments, without side effects.
    pub fn is_pure(self) -> bool {
        self.has(Property::Pure)
    }

    /// Checks whether the second argument is a regular expression, also as a string.
    pub fn takes_regex(self) -> bool {
        self.has(Property::RegexArgument)
    }

    /// Checks whether an argument is a format string.
    pub fn takes_format(self) -> bool {
        self.has(Property::FormatArgument)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use syntax::validation::PuppetVersion;

    use super::*;

    #[test]
    fn every_variant_has_a_stub_and_every_function_a_variant() {
        let of_modules = functions::module_function_names();
        let shipped = [PuppetVersion::V7, PuppetVersion::V8];
        let shipped = shipped.into_iter().flat_map(crate::functions);
        let mut stubs: Vec<&str> = shipped.map(|it| it.name.as_str()).collect();
        assert!(of_modules.iter().all(|it| !stubs.contains(&it.as_str())));
        stubs.extend(of_modules.iter().map(String::as_str));
        stubs.sort_unstable();
        stubs.dedup();
        let known: Vec<&str> = KnownFunction::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(known, stubs);
        for known in KnownFunction::ALL {
            assert_eq!(KnownFunction::from_name(known.name()), Some(*known));
        }
    }

    #[test]
    fn reads_the_tags_of_stubs() {
        let with = |test: fn(KnownFunction) -> bool| {
            let all = KnownFunction::ALL.iter().copied();
            all.filter(|it| test(*it)).collect::<Vec<_>>()
        };
        use KnownFunction as F;
        assert_eq!(
            with(KnownFunction::names_classes),
            [F::Contain, F::Include, F::Require]
        );
        assert_eq!(
            with(|it| it.names() == Some(NamedEntity::ResourceType)),
            [F::CreateResources, F::EnsureResource, F::EnsureResources]
        );
        assert_eq!(
            with(KnownFunction::takes_regex),
            [F::Match, F::Regsubst, F::Split]
        );
        assert_eq!(with(KnownFunction::takes_format), [F::Sprintf, F::Strftime]);
        assert!(F::Epp.reads_caller_variables() && !F::Include.reads_caller_variables());
        assert!(F::Defined.tests_definedness() && F::DefinedWithParams.tests_definedness());
        assert!(F::Each.accepts_any_lambda() && !F::Slice.accepts_any_lambda());
        assert!(F::Concat.is_pure() && !F::Notice.is_pure());
        assert!(F::HieraArray.has_external_result() && !F::Join.has_external_result());
    }

    #[test]
    fn tags_are_not_documentation() {
        for version in [PuppetVersion::V7, PuppetVersion::V8] {
            for function in crate::functions(version) {
                let overloads = function.overloads.iter().map(|it| &it.doc);
                for doc in overloads.chain([&function.doc]) {
                    let mut left = doc.clone();
                    let found = Semantics::take(&mut left);
                    assert!(found.is_empty() && left == *doc, "{}", function.name);
                }
            }
        }
    }

    /// Names of functions that are also words of something else, how often the later crates have
    /// them as strings, and as what.
    const OTHER_WORDS: &[(&str, usize, &str)] = &[
        ("all", 1, "a value of the metaparameter `audit`"),
        ("concat", 3, "a resource type"),
        ("convert_to", 8, "an option of `lookup`"),
        ("epp", 1, "an extension of files"),
        ("fact", 2, "a kind of name"),
        (
            "file",
            24,
            "a resource type, a kind of path, a value of `ensure`",
        ),
        ("hash", 4, "a merge strategy, a data type"),
        ("include", 1, "a method of Ruby"),
        ("md5", 1, "the start of a hash"),
        ("merge", 13, "an option of `lookup`"),
        ("require", 4, "a metaparameter"),
        ("return", 4, "a tag of documentation"),
        ("size", 2, "an attribute"),
        ("tag", 3, "a metaparameter, an option of modules"),
        ("template", 4, "a kind of path"),
        (
            "type",
            9,
            "a keyword, a key of metadata, a kind of name, an option of modules",
        ),
        ("unique", 3, "a merge strategy"),
    ];

    /// Names of functions are written down in this module only.
    #[test]
    fn names_are_not_repeated() {
        let mut found: FxHashMap<&str, Vec<String>> = FxHashMap::default();
        let analysis = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["hir", "infer", "catalog", "rules", "ide"] {
            for path in sources_in(&analysis.join(name).join("src")) {
                let text = fs::read_to_string(&path).expect("a source is readable");
                for (number, line) in without_tests(&text).lines().enumerate() {
                    for known in KnownFunction::ALL {
                        if line.contains(&format!("\"{}\"", known.name())) {
                            let place = format!("{}:{}: {line}", path.display(), number + 1);
                            found.entry(known.name()).or_default().push(place);
                        }
                    }
                }
            }
        }
        let other_words = OTHER_WORDS.iter().map(|it| (it.0, it.1));
        let allowed: FxHashMap<&str, usize> = other_words.collect();
        let wrong: Vec<_> = found
            .iter()
            .filter(|(name, places)| places.len() > allowed.get(*name).copied().unwrap_or(0))
            .collect();
        assert!(wrong.is_empty(), "use `KnownFunction` instead: {wrong:#?}");
    }

    fn sources_in(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).expect("a folder is readable") {
            let path = entry.expect("an entry is readable").path();
            let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or("");
            if matches!(name, "tests" | "testing" | "test_support") {
                continue;
            }
            if path.is_dir() {
                found.extend(sources_in(&path));
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
        found
    }

    /// Returns the source up to its tests, without comments.
    fn without_tests(text: &str) -> String {
        let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        let lines = text[..end].lines();
        let lines = lines.map(|it| it.split_once("//").map_or(it, |(code, _)| code));
        lines.collect::<Vec<_>>().join("\n")
    }
}
