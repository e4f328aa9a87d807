//! A database as bytes.
//!
//! All numbers are little-endian. Values are coded in blocks of 2^20 positions, each by itself, so that they are read on all
//! cores.
//!
//! | bytes | hold |
//! |---|---|
//! | 8 | `emteeWDL` |
//! | 4 | the version, 1 |
//! | 4 | the most pieces |
//! | 24 for each slice | how many of its positions are won, drawn and lost |
//! | 8 for each block | its length in bytes, and its CRC-32 |
//! | 4 | the CRC-32 of all this |
//! | the rest | the blocks |

use rayon::prelude::*;

use super::index::{Index, MOST_PIECES};
use super::runs::{coded, decoded};
use super::value::Wdl;
use super::{Counts, Endings};
use crate::error::Error;

const MAGIC: &[u8; 8] = b"emteeWDL";
const VERSION: u32 = 1;
/// Positions in a block.
const BLOCK: usize = 1 << 20;

/// Four values a byte.
#[derive(Clone)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// Packs values. Where there is none, the one before goes on.
    pub(super) fn new(len: usize, value: impl Fn(usize) -> Option<Wdl> + Sync) -> Packed {
        let mut bytes = vec![0; len.div_ceil(4)];
        bytes.par_chunks_mut(BLOCK / 4).enumerate().for_each(|(at, block)| {
            let mut last = Wdl::Draw;
            for number in at * BLOCK..len.min((at + 1) * BLOCK) {
                last = value(number).unwrap_or(last);
                block[number % BLOCK / 4] |= (last as u8) << (number % 4 * 2);
            }
        });
        Packed { bytes }
    }

    #[cfg(test)]
    pub(super) fn put(&mut self, number: usize, value: Wdl) {
        let (byte, shift) = (&mut self.bytes[number / 4], number % 4 * 2);
        *byte = *byte & !(3 << shift) | (value as u8) << shift;
    }

    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> Wdl {
        match self.bytes[number / 4] >> (number % 4 * 2) & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        }
    }
}

/// The database as bytes.
pub(super) fn write(endings: &Endings) -> Vec<u8> {
    let Endings { index, counts, packed } = endings;
    let starts: Vec<usize> = (0..index.len).step_by(BLOCK).collect();
    let block = |start: usize| coded((start..index.len.min(start + BLOCK)).map(|number| packed.get(number)));
    let blocks: Vec<Vec<u8>> = starts.into_par_iter().map(block).collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((index.pieces as u32).to_le_bytes());
    for counts in counts {
        bytes.extend([counts.wins, counts.draws, counts.losses].into_iter().flat_map(u64::to_le_bytes));
    }
    for block in &blocks {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(crc(block).to_le_bytes());
    }
    bytes.extend(crc(&bytes).to_le_bytes());
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes
}

/// The parts of a file, taken from its beginning.
struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, len: usize) -> Result<&'b [u8], Error> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or_else(|| Error::new("the file ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, Error> {
        Ok(self.take(4)?.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn long(&mut self) -> Result<u64, Error> {
        Ok(u64::from(self.word()?) | u64::from(self.word()?) << 32)
    }
}

/// Reads a database.
pub(super) fn read(bytes: &[u8]) -> Result<Endings, Error> {
    let mut reader = Reader { bytes };
    if reader.take(MAGIC.len()).ok() != Some(MAGIC) {
        return Err(Error::new("this is no endings database"));
    }
    let version = reader.word()?;
    if version != VERSION {
        return Err(Error::new(format!("the file has version {version}, and only version {VERSION} is known")));
    }
    let pieces = reader.word()? as usize;
    if !(2..=MOST_PIECES).contains(&pieces) {
        return Err(Error::new(format!("the file is damaged: there are no databases of {pieces} pieces")));
    }
    let index = Index::new(pieces);
    let mut counts = Vec::new();
    for _ in &index.slices {
        counts.push(Counts { wins: reader.long()?, draws: reader.long()?, losses: reader.long()? });
    }
    let mut table = Vec::new();
    for _ in 0..index.len.div_ceil(BLOCK) {
        table.push((reader.word()? as usize, reader.word()?));
    }
    let header = bytes.len() - reader.bytes.len();
    if crc(&bytes[..header]) != reader.word()? {
        return Err(Error::new("the file is damaged: its header does not match its checksum"));
    }
    let mut blocks = Vec::new();
    for (len, sum) in table {
        blocks.push((reader.take(len)?, sum));
    }
    if !reader.bytes.is_empty() {
        return Err(Error::new(format!("the file is damaged: {} bytes follow its end", reader.bytes.len())));
    }
    let mut packed = Packed { bytes: vec![0; index.len.div_ceil(4)] };
    let read =
        packed.bytes.par_chunks_mut(BLOCK / 4).zip(&blocks).enumerate().try_for_each(|(at, (to, (from, sum)))| {
            let len = BLOCK.min(index.len - at * BLOCK);
            if crc(from) == *sum && unpack(from, len, to) { Ok(()) } else { Err(at) }
        });
    match read {
        Ok(()) => Ok(Endings { index, counts, packed }),
        Err(at) => Err(Error::new(format!("the file is damaged: block {} does not match its checksum", at + 1))),
    }
}

/// Writes the values of a block, four a byte.
fn unpack(from: &[u8], len: usize, to: &mut [u8]) -> bool {
    let mut at = 0;
    decoded(from, len as u32, |value, length| {
        let (bits, end) = (value as u8, at + length as usize);
        while at < end {
            if at % 4 == 0 && end - at >= 4 {
                let whole = (end - at) / 4;
                to[at / 4..][..whole].fill(bits * 0b0101_0101);
                at += 4 * whole;
            } else {
                to[at / 4] |= bits << (at % 4 * 2);
                at += 1;
            }
        }
    })
}

/// CRC-32, the common one.
fn crc(bytes: &[u8]) -> u32 {
    static TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut word = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                word = word >> 1 ^ if word & 1 == 1 { 0xedb8_8320 } else { 0 };
                bit += 1;
            }
            table[byte] = word;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |word, &byte| word >> 8 ^ TABLE[(word as u8 ^ byte) as usize])
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;

    static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| Endings::build(3).to_bytes());

    #[track_caller]
    fn refused(bytes: &[u8]) -> String {
        Endings::from_bytes(bytes).err().unwrap().to_string()
    }

    /// The file with a change, and with the checksums that it would need.
    fn forged(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
        let mut bytes = FILE.clone();
        change(&mut bytes);
        let slices = Index::new(3).slices.len();
        let table = 16 + 24 * slices;
        let sum = crc(&bytes[table + 12..]);
        bytes[table + 4..table + 8].copy_from_slice(&sum.to_le_bytes());
        let sum = crc(&bytes[..table + 8]);
        bytes[table + 8..table + 12].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn the_checksum_is_the_common_one() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let (built, read) = (Endings::build(3), Endings::from_bytes(&FILE).unwrap());
        assert_eq!(read.pieces(), 3);
        assert!(read.counts().eq(built.counts()));
        assert_eq!(read.packed.bytes, built.packed.bytes);
        assert_eq!(read.to_bytes(), *FILE);
        assert_eq!(forged(|_| ()), *FILE);
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        assert_eq!(refused(b""), "this is no endings database");
        assert_eq!(refused(b"%PDF-1.4 and so on"), "this is no endings database");
        assert_eq!(refused(&forged(|bytes| bytes[8] = 2)), "the file has version 2, and only version 1 is known");
        assert_eq!(refused(&forged(|bytes| bytes[12] = 9)), "the file is damaged: there are no databases of 9 pieces");
        assert_eq!(refused(&FILE[..40]), "the file ends too early");
        let mut longer = FILE.clone();
        longer.push(0);
        assert_eq!(refused(&longer), "the file is damaged: 1 bytes follow its end");
    }

    proptest! {
        #[test]
        fn any_changed_byte_is_found(at in 0..FILE.len(), by in 1u8..) {
            let mut bytes = FILE.clone();
            bytes[at] ^= by;
            prop_assert!(Endings::from_bytes(&bytes).is_err());
        }

        #[test]
        fn any_missing_end_is_found(len in 0..FILE.len()) {
            prop_assert!(Endings::from_bytes(&FILE[..len]).is_err());
        }

        #[test]
        fn nothing_breaks_the_reader(at in 16..FILE.len(), by in 1u8.., bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            // Whether it can be read or not, it is not worse than that.
            _ = Endings::from_bytes(&forged(|file| file[at] ^= by));
            _ = Endings::from_bytes(&bytes);
            _ = Endings::from_bytes(&[MAGIC.as_slice(), &bytes].concat());
        }
    }
}
