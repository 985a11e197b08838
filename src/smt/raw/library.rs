//! The Z3 library, loaded when something is asked of it for the first time.
//!
//! Programs are not linked with it, so that one that is missing, broken or too old is a message of ours, and what needs
//! no solver works without it. What `z3-sys` declares is called through [`z3!`], at the address that the library says.
//!
//! A file whose end is missing would be the end of the process when it is loaded (the pages that are not there are a
//! bus error), so its headers are compared with its size before.

use std::env;
use std::ffi::{CStr, OsString, c_char, c_void};
use std::fs::File;
use std::io::Read as _;
use std::mem::{self, size_of};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::OnceLock;

use libloading::Library;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind};

/// The environment variable that names another library than the one the program was built with.
pub(crate) const VARIABLE: &str = "ULT_Z3_LIBRARY";

/// The oldest major version that `ult` works with.
const LEAST_MAJOR: u32 = 5;

/// What the build found: the path of the library, or for programs that bring it along its name alone.
const BUILT: Option<&str> = option_env!("ULT_Z3_BUILT");

/// Calls one of Z3's functions with the types that `z3-sys` says, as [`call`](super::call) does.
macro_rules! z3 {
    (@hole $argument:expr) => { _ };
    (@function $name:ident($($argument:expr),*)) => {
        $crate::raw::library::typed_as(
            $crate::raw::library::functions().$name,
            // Never called, so that no program refers to the function that is declared.
            || -> unsafe extern "C" fn($(z3!(@hole $argument)),*) -> _ { z3_sys::$name },
        )
    };
    // From a thread that the context does not belong to.
    (elsewhere $name:ident($($argument:expr),*)) => {
        z3!(@function $name($($argument),*))($($argument),*)
    };
    ($name:ident($($argument:expr),* $(,)?)) => {
        $crate::raw::call::call(z3!(@function $name($($argument),*)), ($($argument,)*))
    };
}

/// The address of a function.
pub(super) type Address = NonNull<c_void>;

macro_rules! functions {
    ($($(#[$when:meta])? $name:ident)*) => {
        /// The addresses of all functions that are called.
        #[allow(non_snake_case)]
        pub(super) struct Functions {
            $($(#[$when])? pub(super) $name: Address,)*
        }

        impl Functions {
            /// # Errors
            /// The name of the first one that is missing.
            fn of(library: &Library) -> Result<Functions, &'static str> {
                Ok(Functions {
                    $($(#[$when])? $name: address(library, stringify!($name)).ok_or(stringify!($name))?,)*
                })
            }
        }
    };
}

functions! {
    Z3_global_param_set Z3_mk_config Z3_del_config Z3_mk_context_rc Z3_del_context Z3_inc_ref Z3_dec_ref Z3_interrupt
    Z3_mk_params Z3_params_inc_ref Z3_params_dec_ref Z3_params_set_bool Z3_params_set_uint Z3_params_set_symbol
    Z3_mk_string_symbol Z3_mk_uninterpreted_sort Z3_mk_bool_sort Z3_mk_int_sort Z3_mk_real_sort Z3_mk_bv_sort
    Z3_mk_array_sort_n Z3_del_constructor Z3_mk_constructor_list Z3_del_constructor_list Z3_mk_datatypes Z3_mk_func_decl Z3_mk_app Z3_mk_true Z3_mk_false Z3_mk_eq
    Z3_mk_distinct Z3_mk_not Z3_mk_ite Z3_mk_implies Z3_mk_and Z3_mk_or Z3_mk_add Z3_mk_mul Z3_mk_div Z3_mk_mod
    Z3_mk_lt Z3_mk_le Z3_mk_int2real Z3_mk_real2int Z3_mk_bvnot Z3_mk_bvand Z3_mk_bvor Z3_mk_bvxor Z3_mk_bvnand
    Z3_mk_bvnor Z3_mk_bvxnor Z3_mk_bvneg Z3_mk_bvadd Z3_mk_bvsub Z3_mk_bvmul Z3_mk_bvudiv Z3_mk_bvsdiv Z3_mk_bvurem
    Z3_mk_bvsrem Z3_mk_bvsmod Z3_mk_bvult Z3_mk_bvslt Z3_mk_bvule Z3_mk_bvsle Z3_mk_concat Z3_mk_extract
    Z3_mk_sign_ext Z3_mk_zero_ext Z3_mk_bvshl Z3_mk_bvlshr Z3_mk_bvashr Z3_mk_select_n Z3_mk_store_n Z3_mk_const_array
    Z3_mk_numeral Z3_mk_pattern Z3_mk_forall_const Z3_mk_exists_const Z3_mk_lambda_const Z3_get_symbol_string
    Z3_get_sort_id Z3_sort_to_ast Z3_get_sort_kind Z3_get_bv_sort_size Z3_get_datatype_sort_num_constructors
    Z3_get_datatype_sort_constructor Z3_get_datatype_sort_recognizer Z3_get_datatype_sort_constructor_accessor
    Z3_func_decl_to_ast Z3_get_func_decl_id Z3_get_decl_name Z3_get_decl_kind Z3_get_arity Z3_get_decl_num_parameters
    Z3_get_decl_parameter_kind Z3_get_decl_int_parameter Z3_get_decl_func_decl_parameter Z3_get_app_decl
    Z3_get_app_num_args Z3_get_app_arg Z3_get_ast_id Z3_get_sort Z3_get_ast_kind Z3_to_app Z3_get_numeral_string
    Z3_pattern_to_ast Z3_get_index_value Z3_is_quantifier_forall Z3_is_quantifier_exists Z3_is_lambda
    Z3_get_quantifier_num_bound Z3_get_quantifier_bound_sort Z3_get_quantifier_body Z3_substitute Z3_translate
    Z3_model_inc_ref Z3_model_dec_ref Z3_model_eval Z3_model_get_func_interp Z3_model_translate Z3_func_interp_inc_ref
    Z3_func_interp_dec_ref Z3_func_interp_get_num_entries Z3_func_interp_get_entry Z3_func_interp_get_else
    Z3_func_entry_inc_ref Z3_func_entry_dec_ref Z3_func_entry_get_value Z3_func_entry_get_num_args
    Z3_func_entry_get_arg Z3_ast_to_string Z3_get_error_code Z3_set_error_handler Z3_get_error_msg Z3_mk_goal
    Z3_goal_inc_ref Z3_goal_dec_ref Z3_goal_assert Z3_goal_size Z3_goal_formula Z3_mk_tactic Z3_tactic_inc_ref
    Z3_tactic_dec_ref Z3_tactic_and_then Z3_tactic_apply Z3_apply_result_inc_ref Z3_apply_result_dec_ref
    Z3_apply_result_get_num_subgoals Z3_apply_result_get_subgoal Z3_mk_solver Z3_mk_simple_solver
    Z3_mk_solver_for_logic Z3_solver_set_params Z3_solver_inc_ref Z3_solver_dec_ref Z3_solver_interrupt Z3_solver_push
    Z3_solver_pop Z3_solver_assert #[cfg(test)] Z3_solver_from_string Z3_solver_check Z3_solver_check_assumptions
    Z3_solver_get_model Z3_solver_get_unsat_core Z3_solver_get_reason_unknown
    Z3_solver_get_statistics Z3_stats_inc_ref Z3_stats_dec_ref Z3_stats_size Z3_stats_get_key Z3_stats_is_uint
    Z3_stats_get_uint_value Z3_ast_vector_inc_ref
    Z3_ast_vector_dec_ref Z3_ast_vector_size Z3_ast_vector_get Z3_mk_fixedpoint Z3_fixedpoint_inc_ref
    Z3_fixedpoint_dec_ref Z3_fixedpoint_query Z3_fixedpoint_get_answer Z3_fixedpoint_get_reason_unknown
    Z3_fixedpoint_register_relation Z3_fixedpoint_set_params Z3_mk_fpa_rounding_mode_sort Z3_mk_fpa_rne Z3_mk_fpa_rna
    Z3_mk_fpa_rtp Z3_mk_fpa_rtn Z3_mk_fpa_rtz Z3_mk_fpa_sort Z3_mk_fpa_nan Z3_mk_fpa_inf Z3_mk_fpa_zero Z3_mk_fpa_fp
    Z3_mk_fpa_abs Z3_mk_fpa_neg Z3_mk_fpa_add Z3_mk_fpa_sub Z3_mk_fpa_mul Z3_mk_fpa_div Z3_mk_fpa_fma Z3_mk_fpa_sqrt
    Z3_mk_fpa_rem Z3_mk_fpa_round_to_integral Z3_mk_fpa_min Z3_mk_fpa_max Z3_mk_fpa_leq Z3_mk_fpa_lt Z3_mk_fpa_geq
    Z3_mk_fpa_gt Z3_mk_fpa_eq Z3_mk_fpa_is_normal Z3_mk_fpa_is_subnormal Z3_mk_fpa_is_zero Z3_mk_fpa_is_infinite
    Z3_mk_fpa_is_nan Z3_mk_fpa_is_negative Z3_mk_fpa_is_positive Z3_mk_fpa_to_fp_bv Z3_mk_fpa_to_fp_float
    Z3_mk_fpa_to_fp_real Z3_mk_fpa_to_fp_signed Z3_mk_fpa_to_fp_unsigned Z3_mk_fpa_to_ubv Z3_mk_fpa_to_sbv
    Z3_mk_fpa_to_real Z3_fpa_get_ebits Z3_fpa_get_sbits Z3_fpa_is_numeral Z3_fpa_is_numeral_nan Z3_fpa_is_numeral_inf
    Z3_fpa_is_numeral_zero Z3_fpa_get_numeral_significand_bv Z3_fpa_get_numeral_sign Z3_fpa_get_numeral_exponent_bv
    Z3_mk_seq_sort Z3_mk_string_sort Z3_mk_re_sort Z3_mk_string Z3_mk_seq_empty Z3_mk_seq_unit Z3_mk_seq_concat
    Z3_mk_seq_prefix Z3_mk_seq_suffix Z3_mk_seq_contains Z3_mk_str_lt Z3_mk_str_le Z3_mk_seq_extract Z3_mk_seq_replace
    Z3_mk_seq_at Z3_mk_seq_nth Z3_mk_seq_length Z3_mk_seq_index Z3_mk_str_to_int Z3_mk_int_to_str Z3_mk_seq_to_re
    Z3_mk_seq_in_re Z3_mk_re_plus Z3_mk_re_star Z3_mk_re_option Z3_mk_re_union Z3_mk_re_concat Z3_mk_re_range
    Z3_mk_re_allchar Z3_mk_re_loop Z3_mk_re_intersect Z3_mk_re_complement Z3_mk_re_diff Z3_mk_re_empty Z3_mk_re_full
    Z3_fixedpoint_get_rule_names_along_trace Z3_qe_model_project Z3_mk_constructor Z3_fixedpoint_add_rule
}

// SAFETY: addresses of code, which is never unloaded.
unsafe impl Send for Functions {}
// SAFETY: see above.
unsafe impl Sync for Functions {}

/// A function at an address.
///
/// # Safety
/// `F` is the type of a pointer to the function there.
pub(super) unsafe fn typed<F: Copy>(address: Address) -> F {
    const { assert!(size_of::<F>() == size_of::<Address>()) };
    // SAFETY: the caller says so.
    unsafe { mem::transmute_copy(&address) }
}

/// A function at an address, of the type of what `_declared` would return if it was called.
///
/// # Safety
/// See [`typed`].
pub(super) unsafe fn typed_as<F: Copy>(address: Address, _declared: impl FnOnce() -> F) -> F {
    // SAFETY: the caller says so.
    unsafe { typed(address) }
}

/// What was loaded.
struct Loaded {
    version: String,
    functions: Functions,
}

static LOADED: OnceLock<Result<Loaded, String>> = OnceLock::new();

/// Loads the library if that was not tried yet.
///
/// # Errors
/// Why it cannot be used, in words for the user.
pub(super) fn loaded() -> Result<(), &'static str> {
    of_the_process().map(drop)
}

/// The version that the library says, as in `Z3 5.4.0.0`.
///
/// # Errors
/// Why there is none that can be used, in words for the user.
pub(crate) fn version() -> Result<&'static str, &'static str> {
    of_the_process().map(|loaded| &*loaded.version)
}

fn of_the_process() -> Result<&'static Loaded, &'static str> {
    let loaded = LOADED.get_or_init(|| load(&places(env::var_os(VARIABLE), BUILT)?));
    loaded.as_ref().map_err(|why| &**why)
}

/// The functions of the library, which [`loaded`] has loaded.
pub(super) fn functions() -> &'static Functions {
    match LOADED.get() {
        Some(Ok(loaded)) => &loaded.functions,
        _ => panic!("Z3 is called before it is loaded"),
    }
}

/// Where the library may be, the best place first.
///
/// A name without a folder is looked for where programs that bring their library along have it, and then where the
/// system's loader looks.
fn places(named: Option<OsString>, built: Option<&str>) -> Result<Vec<PathBuf>, String> {
    let named = named.filter(|named| !named.is_empty()).map(PathBuf::from);
    let Some(library) = named.or_else(|| built.map(PathBuf::from)) else {
        return Err(format!(
            "this program was built without Z3; name the library with {VARIABLE}"
        ));
    };
    if library.components().count() > 1 || library.is_absolute() {
        return Ok(vec![library]);
    }
    let beside = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.join("lib").join("ult")));
    let listed = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = env::split_paths(&listed).filter(|folder| folder.is_absolute());
    let mut places: Vec<PathBuf> = beside
        .into_iter()
        .chain(folders)
        .map(|folder| folder.join(&library))
        .filter(|place| place.is_file())
        .collect();
    places.push(library);
    Ok(places)
}

/// Loads the library from the first place. The others are for when there is none before.
fn load(places: &[PathBuf]) -> Result<Loaded, String> {
    let place = places.first().ok_or("there is no place for Z3")?;
    let failed = |why: String| format!("the Z3 library {} {why}", place.display());
    if place.is_absolute() || place.components().count() > 1 {
        let file = File::open(place).map_err(|error| failed(format!("cannot be read: {error}")))?;
        if let Some(missing) = missing_end(file) {
            return Err(failed(format!(
                "is cut off: {missing} bytes of it are missing"
            )));
        }
    }
    // SAFETY: whoever runs the program chooses the library, as with any program that is linked with one.
    let library = unsafe { Library::new(place) }
        .map_err(|error| failed(format!("cannot be loaded: {}", reason(&error))))?;
    // The code stays where it is until the process ends.
    let library: &Library = Box::leak(Box::new(library));
    let version = address(library, "Z3_get_full_version")
        .ok_or_else(|| failed("is no Z3: it does not say its version".into()))?;
    // SAFETY: the function takes nothing and gives a text that lives as long as the library, in every version of Z3.
    let version = unsafe {
        let version: unsafe extern "C" fn() -> *const c_char = typed(version);
        let version = version();
        match version.is_null() {
            true => String::new(),
            false => CStr::from_ptr(version).to_string_lossy().into_owned(),
        }
    };
    match major_version(&version) {
        Some(major) if major >= LEAST_MAJOR => {}
        _ => {
            return Err(format!(
                "Z3 {LEAST_MAJOR}.0 or newer is needed, found `{version}` in {}",
                place.display()
            ));
        }
    }
    let functions = Functions::of(library)
        .map_err(|name| failed(format!("({version}) does not have the function {name}")))?;
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        use super::faults::{code_around, listen, listen_to_exceptions};
        listen(code_around(functions.Z3_solver_check.as_ptr() as usize));
        // C++'s `std::set_terminate`. Where the library brings its own C++ along, it does not show it.
        if let Some(set_terminate) = address(library, "_ZSt13set_terminatePFvvE") {
            // SAFETY: it is that.
            unsafe { listen_to_exceptions(typed(set_terminate)) };
        }
    }
    Ok(Loaded { version, functions })
}

/// What the system says.
fn reason(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    source.unwrap_or_else(|| error.to_string())
}

fn address(library: &Library, name: &str) -> Option<Address> {
    // SAFETY: it is only an address so far.
    let symbol = unsafe { library.get::<*mut c_void>(name.as_bytes()) };
    NonNull::new(*symbol.ok()?)
}

/// How many bytes a shared library in ELF lacks of what its headers say. `None` if it is whole, or of another kind.
fn missing_end(file: File) -> Option<u64> {
    let length = file.metadata().ok()?.len();
    let mut start = Vec::new();
    file.take(1 << 16).read_to_end(&mut start).ok()?;
    let end = match FileKind::parse(&*start).ok()? {
        FileKind::Elf32 => end_of::<FileHeader32<Endianness>>(&start),
        FileKind::Elf64 => end_of::<FileHeader64<Endianness>>(&start),
        _ => return None,
    };
    end.and_then(|end| end.checked_sub(length))
        .filter(|&missing| missing > 0)
}

/// Where the last of its segments and its table of sections end.
fn end_of<Elf: FileHeader<Endian = Endianness>>(start: &[u8]) -> Option<u64> {
    let header = Elf::parse(start).ok()?;
    let endian = header.endian().ok()?;
    let table: u64 = header.e_shoff(endian).into();
    let sections = u64::from(header.e_shentsize(endian)) * u64::from(header.e_shnum(endian));
    let segments = header
        .program_headers(endian, start)
        .ok()?
        .iter()
        .map(|segment| {
            let (offset, size): (u64, u64) = (
                segment.p_offset(endian).into(),
                segment.p_filesz(endian).into(),
            );
            offset.saturating_add(size)
        });
    segments.chain([table.saturating_add(sections)]).max()
}

/// The first number in `Z3 5.4.0.0` or `5.4.0`.
pub(crate) fn major_version(version: &str) -> Option<u32> {
    let digits = version
        .trim_start_matches("Z3")
        .trim_start()
        .split('.')
        .next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Why the file cannot be used.
    fn refused(content: &[u8]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("libz3.so");
        fs::write(&file, content).unwrap();
        load(&[file]).err().expect("it is no library")
    }

    /// The library that the tests run with.
    fn own() -> Vec<u8> {
        fs::read(BUILT.expect("a path")).unwrap()
    }

    #[test]
    fn a_missing_library_is_named() {
        let why = load(&["/nowhere/libz3.so".into()]).err().unwrap();
        assert!(why.contains("/nowhere/libz3.so cannot be read"), "{why}");
        let why = load(&["libz3.so.of.nobody".into()]).err().unwrap();
        assert!(
            why.contains("libz3.so.of.nobody cannot be loaded: "),
            "{why}"
        );
        assert!(places(None, None).unwrap_err().contains(VARIABLE));
    }

    #[test]
    fn garbage_is_refused() {
        for content in [&b""[..], b"no library", &[0; 5000]] {
            assert!(refused(content).contains("cannot be loaded: "));
        }
    }

    /// Each would be a bus error, at another place.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_library_that_is_cut_off_is_refused() {
        let own = own();
        for length in [own.len() - 1, own.len() / 2, 100_000, 5000] {
            assert!(refused(&own[..length]).contains("is cut off: "), "{length}");
        }
        // Without its program headers it is no library at all.
        assert!(
            refused(&own[..64]).contains("cannot be loaded: ")
                || refused(&own[..64]).contains("cut off")
        );
    }

    #[test]
    fn a_variable_goes_before_what_was_built() {
        let own = |named: &str| places(Some(named.into()), Some("/built/libz3.so")).unwrap();
        assert_eq!(own("/other/z3.so"), [PathBuf::from("/other/z3.so")]);
        assert_eq!(own(""), [PathBuf::from("/built/libz3.so")]);
        assert_eq!(own("./z3.so"), [PathBuf::from("./z3.so")]);
    }

    #[test]
    fn versions() {
        assert_eq!(major_version("Z3 5.4.0.0"), Some(5));
        assert_eq!(major_version("4.8.12"), Some(4));
        assert_eq!(major_version("something"), None);
        assert_eq!(major_version(""), None);
        assert!(version().unwrap().contains('.'));
    }
}
