//! Removes the sections of a WebAssembly module that browsers do not need.

/// The header of every module: four letters, and the format version in four bytes.
const HEAD: &[u8] = b"\0asm\x01\0\0\0";

/// Removes the custom sections of a module, a tenth of its size: function names and notes of the tools that created it.
/// `None` if `module` is not WebAssembly.
///
/// ```text
///   module    \0asm version | section | section | …
///   section   kind (one byte, 0 for custom) | length (LEB128) | content
/// ```
pub(crate) fn slim(module: &[u8]) -> Option<Vec<u8>> {
    let mut rest = module.strip_prefix(HEAD)?;
    let mut slim = Vec::with_capacity(module.len());
    slim.extend_from_slice(HEAD);
    while let Some((&kind, after)) = rest.split_first() {
        let (length, content) = number(after)?;
        let behind = content.get(length..)?;
        if kind != 0 {
            slim.extend_from_slice(&rest[..rest.len() - behind.len()]);
        }
        rest = behind;
    }
    Some(slim)
}

/// Decodes an LEB128 number of at most 32 bits from the start of a slice; returns it with the remaining bytes.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0u64;
    for (place, &byte) in bytes.iter().enumerate().take(5) {
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let value = u32::try_from(value).ok()?;
            return Some((value as usize, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a section. If `wide`, its length takes five bytes, as with some tools.
    fn section(kind: u8, content: &[u8], wide: bool) -> Vec<u8> {
        let length = content.len() as u32;
        let mut bytes = vec![kind];
        let most = if wide { 5 } else { 1 };
        for place in 0..most {
            let low = (length >> (7 * place)) as u8 & 0x7f;
            bytes.push(if place + 1 < most { low | 0x80 } else { low });
        }
        bytes.extend_from_slice(content);
        bytes
    }

    #[test]
    fn custom_sections_are_left_out_and_others_kept() {
        let types = section(1, b"types", true);
        let code = section(10, &[0; 100], false);
        let names = section(0, b"\x04name and more", false);
        let module = [HEAD, &names, &types, &names, &code, &names].concat();
        assert_eq!(slim(&module), Some([HEAD, &types, &code].concat()));
        assert_eq!(slim(HEAD), Some(HEAD.to_vec()));
    }

    #[test]
    fn what_is_no_module_is_refused() {
        let code = section(10, b"code", false);
        let module = [HEAD, &code].concat();
        for cut in (0..module.len()).filter(|&cut| cut != HEAD.len()) {
            assert_eq!(slim(&module[..cut]), None, "cut after {cut} bytes");
        }
        for text in [
            &b"not wasm"[..],
            b"\0asm\x02\0\0\0",
            b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\xff\x01",
        ] {
            assert_eq!(slim(text), None);
        }
    }
}
