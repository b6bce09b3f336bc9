//! The methods of the Ruby classes to which Puppet converts values for templates.
//!
//! The list is that of Puppet 7 with Ruby 3.1, and of other versions of Ruby. Operators are left out.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::known_names::is_method_of_objects;

/// The classes that have each method, except for those of all objects.
static CLASSES_OF: LazyLock<FxHashMap<&'static str, Vec<RubyClass>>> = LazyLock::new(|| {
    let mut classes: FxHashMap<_, Vec<_>> = FxHashMap::default();
    for class in RubyClass::ALL {
        for method in class.methods() {
            classes.entry(method).or_default().push(class);
        }
    }
    classes
});

/// The class of a value in a template. Templates test for `nil` and Booleans with conditions, so these are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RubyClass {
    /// `Array`.
    Array,
    /// `Float`.
    Float,
    /// `Hash`.
    Hash,
    /// `Integer`.
    Integer,
    /// `String`.
    String,
}

impl RubyClass {
    /// All classes.
    const ALL: [RubyClass; 5] = [
        RubyClass::Array,
        RubyClass::Float,
        RubyClass::Hash,
        RubyClass::Integer,
        RubyClass::String,
    ];

    /// Checks whether values of any class have a method.
    pub fn any_has_method(name: &str) -> bool {
        is_method_of_values(name) || is_method_of_objects(name)
    }

    /// Returns the methods of all classes that other objects lack.
    pub fn all_methods() -> impl Iterator<Item = &'static str> {
        RubyClass::ALL.into_iter().flat_map(RubyClass::methods)
    }

    /// Checks whether values of the class have a method.
    pub fn has_method(self, name: &str) -> bool {
        let classes = CLASSES_OF.get(name);
        classes.is_some_and(|it| it.contains(&self)) || is_method_of_objects(name)
    }

    /// Returns the methods that other objects lack.
    pub fn methods(self) -> impl Iterator<Item = &'static str> {
        let methods = match self {
            RubyClass::Array => ARRAY,
            RubyClass::Float => FLOAT,
            RubyClass::Hash => HASH,
            RubyClass::Integer => INTEGER,
            RubyClass::String => STRING,
        };
        methods.split_whitespace()
    }
}

/// Checks whether a method belongs to one of the classes, but not to all objects.
pub fn is_method_of_values(name: &str) -> bool {
    CLASSES_OF.contains_key(name)
}

/// The methods of arrays.
const ARRAY: &str = "
    all? any? append assoc at bsearch bsearch_index chain chunk chunk_while clear collect collect!
    collect_concat combination compact compact! concat count cycle deconstruct delete delete_at delete_if
    detect difference dig drop drop_while each each_cons each_entry each_index each_slice each_with_index
    each_with_object empty? entries fetch fetch_values fill filter filter! filter_map find find_all
    find_index first flat_map flatten flatten! grep grep_v group_by include? index inject insert intersect?
    intersection join keep_if last lazy length map map! max max_by member? min min_by minmax minmax_by none?
    one? pack partition permutation pop prepend product push rassoc reduce reject reject!
    repeated_combination repeated_permutation replace reverse reverse! reverse_each rindex rotate rotate!
    sample select select! shift shuffle shuffle! size slice slice! slice_after slice_before slice_when sort
    sort! sort_by sort_by! sum take take_while tally to_a to_ary to_h to_set transpose union uniq uniq!
    unshift values_at zip
";

/// The methods of floating point numbers.
const FLOAT: &str = "
    abs abs2 angle arg between? ceil clamp coerce conj conjugate denominator div divmod fdiv finite? floor i
    imag imaginary infinite? integer? magnitude modulo nan? negative? next_float nonzero? numerator phase
    polar positive? prev_float quo rationalize real real? rect rectangular remainder round step to_c to_f
    to_i to_int to_r truncate zero?
";

/// The methods of hashes.
const HASH: &str = "
    all? any? assoc chain chunk chunk_while clear collect collect_concat compact compact!
    compare_by_identity compare_by_identity? count cycle deconstruct_keys default default_proc delete
    delete_if detect dig drop drop_while each each_cons each_entry each_key each_pair each_slice each_value
    each_with_index each_with_object empty? entries except fetch fetch_values filter filter! filter_map find
    find_all find_index first flat_map flatten grep grep_v group_by has_key? has_value? include? index
    inject invert keep_if key key? keys lazy length map max max_by member? merge merge! min min_by minmax
    minmax_by none? one? partition rassoc reduce rehash reject reject! replace reverse_each select select!
    shift size slice slice_after slice_before slice_when sort sort_by store sum take take_while tally to_a
    to_h to_hash to_proc to_set transform_keys transform_keys! transform_values transform_values! uniq
    update value? values values_at zip
";

/// The methods of integers.
const INTEGER: &str = "
    abs abs2 allbits? angle anybits? arg between? bit_length ceil ceildiv chr clamp coerce conj conjugate
    denominator digits div divmod downto even? fdiv finite? floor gcd gcdlcm i imag imaginary infinite?
    integer? lcm magnitude modulo negative? next nobits? nonzero? numerator odd? ord phase polar positive?
    pow pred quo rationalize real real? rect rectangular remainder round size step succ times to_bn to_c
    to_f to_i to_int to_r truncate upto zero?
";

/// The methods of strings.
const STRING: &str = "
    append_as_bytes ascii_only? b between? byteindex byterindex bytes bytesize byteslice bytesplice
    capitalize capitalize! casecmp casecmp? center chars chomp chomp! chop chop! chr clamp clear codepoints
    concat count crypt dedup delete delete! delete_prefix delete_prefix! delete_suffix delete_suffix!
    downcase downcase! dump each_byte each_char each_codepoint each_grapheme_cluster each_line empty? encode
    encode! encoding end_with? force_encoding getbyte grapheme_clusters gsub gsub! hex include? index insert
    intern length lines ljust lstrip lstrip! match match? next next! oct ord partition prepend replace
    reverse reverse! rindex rjust rpartition rstrip rstrip! scan scrub scrub! setbyte size slice slice!
    split squeeze squeeze! start_with? strip strip! sub sub! succ succ! sum swapcase swapcase! to_c to_f
    to_i to_json_raw to_json_raw_object to_pson_raw to_pson_raw_object to_r to_str to_sym tr tr! tr_s tr_s!
    undump unicode_normalize unicode_normalize! unicode_normalized? unpack unpack1 upcase upcase! upto
    valid_encoding?
";
