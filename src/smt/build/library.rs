//! What a library says about itself: its name, which programs that are linked with it ask for.

use std::path::Path;

use object::elf::{DT_SONAME, FileHeader32, FileHeader64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, FileKind};

use super::{Machine, fetch};

/// The major version in the name that a shared library carries inside (`libz3.so.5.4`, `libz3.5.4.dylib`), if any.
pub(crate) fn major(bytes: &[u8]) -> Option<u32> {
    let mut rest = bytes;
    while let Some(at) = find(rest, b"libz3.") {
        rest = &rest[at + b"libz3.".len()..];
        let number = rest.strip_prefix(b"so.").unwrap_or(rest);
        let digits = number.iter().take_while(|b| b.is_ascii_digit()).count();
        // The number of a version ends at a dot or at the end of the string, never inside a word.
        if (1..=4).contains(&digits) && matches!(number.get(digits), None | Some(b'.' | 0)) {
            return std::str::from_utf8(&number[..digits]).ok()?.parse().ok();
        }
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

/// The name that a shared library in ELF carries (`DT_SONAME`), if it has one.
///
/// # Errors
/// When this is no such library.
pub(crate) fn soname(file: &[u8]) -> Result<Option<String>, String> {
    let read = match FileKind::parse(file) {
        Ok(FileKind::Elf32) => soname_in::<FileHeader32<Endianness>>(file),
        Ok(FileKind::Elf64) => soname_in::<FileHeader64<Endianness>>(file),
        Ok(other) => return Err(format!("this is {other:?}, not ELF")),
        Err(e) => Err(e),
    };
    read.map_err(|e| e.to_string())
}

/// A shared library in ELF without the name that it carries: linkers then write down the path that they found it by.
///
/// # Errors
/// When this is no such library.
pub(crate) fn without_soname(file: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = file.to_owned();
    while soname(&bytes)?.is_some() {
        bytes = match FileKind::parse(&*bytes) {
            Ok(FileKind::Elf32) => without_one::<FileHeader32<Endianness>>(bytes)?,
            _ => without_one::<FileHeader64<Endianness>>(bytes)?,
        };
    }
    Ok(bytes)
}

fn soname_in<Elf: FileHeader<Endian = Endianness>>(
    file: &[u8],
) -> object::read::Result<Option<String>> {
    let header = Elf::parse(file)?;
    let endian = header.endian()?;
    let table = header.sections(endian, file)?.dynamic_table(endian, file)?;
    let mut name = None;
    for entry in table.dynamics() {
        if entry.tag(endian) == DT_SONAME {
            let value = entry.string(endian, *table.strings())?;
            name = Some(String::from_utf8_lossy(value).into_owned());
        }
    }
    Ok(name)
}

/// Removes the first `DT_SONAME` from the dynamic section. The entries behind it move up, and the section, which ends
/// with an entry of zeros, gets one more of them.
fn without_one<Elf: FileHeader<Endian = Endianness>>(mut file: Vec<u8>) -> Result<Vec<u8>, String> {
    let (start, index, count) = soname_entry::<Elf>(&file)
        .map_err(|e| e.to_string())?
        .ok_or("its dynamic section and its dynamic segment differ")?;
    let start = usize::try_from(start).map_err(|e| e.to_string())?;
    let size = size_of::<Elf::Dyn>();
    let (entry, end) = (start + index * size, start + count * size);
    file.copy_within(entry + size..end, entry);
    file[end - size..end].fill(0);
    Ok(file)
}

/// Where the dynamic section starts in the file, which of its entries is the first `DT_SONAME`, and how many it has.
fn soname_entry<Elf: FileHeader<Endian = Endianness>>(
    file: &[u8],
) -> object::read::Result<Option<(u64, usize, usize)>> {
    let header = Elf::parse(file)?;
    let endian = header.endian()?;
    for segment in header.program_headers(endian, file)? {
        if let Some(entries) = segment.dynamic(endian, file)?
            && let Some(index) = entries.iter().position(|e| e.tag(endian) == DT_SONAME)
        {
            return Ok(Some((
                segment.p_offset(endian).into(),
                index,
                entries.len(),
            )));
        }
    }
    Ok(None)
}

/// The counterpart of [`without_soname`] on macOS: the library's name becomes the path that it will have.
pub(super) fn rename_on_mac(file: &Path, place: &Path, machine: &Machine) -> Result<(), String> {
    let (file, place) = (file.as_os_str(), place.as_os_str());
    fetch::run_tool("install_name_tool", &["-id".as_ref(), place, file], machine)?;
    // The change makes the signature invalid, and the system starts nothing with an invalid one.
    fetch::run_tool(
        "codesign",
        &["-f".as_ref(), "-s".as_ref(), "-".as_ref(), file],
        machine,
    )
}
