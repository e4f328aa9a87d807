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

use std::io::{BufReader, ErrorKind, Read};

use super::cores;
use super::index::{Index, MOST_PIECES};
use super::runs::{coded, decoded};
use super::value::Wdl;
use super::{Counts, Endings};
use crate::error::Error;

const MAGIC: &[u8; 8] = b"emteeWDL";
const VERSION: u32 = 1;
/// Positions in a block.
const BLOCK: usize = 1 << 20;
/// More bytes than any block has. A position alone is a run of six bits, and no bit takes more than 6.05, for the chances
/// of the coder stay at 31 in 2048 or above.
const LONGEST_BLOCK: usize = 5 * BLOCK;
/// Blocks that are read together, and then decoded on all cores.
const TOGETHER: usize = 64;

/// Four values a byte.
#[derive(Clone)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// Packs values. Where there is none, the one before goes on.
    pub(super) fn new(len: usize, value: impl Fn(usize) -> Option<Wdl> + Sync) -> Packed {
        let mut bytes = vec![0; len.div_ceil(4)];
        cores::map(bytes.chunks_mut(BLOCK / 4).enumerate().collect(), |(at, block)| {
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
    let blocks = cores::map(starts, block);
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
struct Reader<R> {
    from: R,
    /// The checksum of what has been taken.
    sum: Sum,
}

impl<R: Read> Reader<R> {
    fn take<const LEN: usize>(&mut self) -> Result<[u8; LEN], Error> {
        let mut bytes = [0; LEN];
        self.from.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => too_short(),
            _ => Error::new(error.to_string()),
        })?;
        self.sum.add(&bytes);
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, Error> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_le_bytes)
    }

    /// As many bytes, into memory that grows as they come: a length is believed when the bytes are there.
    fn block(&mut self, len: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.from.by_ref().take(len as u64).read_to_end(&mut bytes);
        read.map_err(|error| Error::new(error.to_string()))?;
        if bytes.len() == len { Ok(bytes) } else { Err(too_short()) }
    }
}

fn too_short() -> Error {
    Error::new("the file ends too early")
}

/// How much of a file is read, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// Positions with more pieces are left out.
    pub(super) most: usize,
    /// Whether other cores help.
    pub(super) on_all_cores: bool,
}

/// Reads a database: no further than it is right, and no more than it can need. Says too how many pieces the file has.
pub(super) fn read(from: impl Read, reading: Reading) -> Result<(Endings, usize), Error> {
    let mut reader = Reader { from: BufReader::new(from), sum: Sum::new() };
    match reader.take::<8>() {
        Ok(bytes) if bytes == *MAGIC => {}
        Err(error) if error != too_short() => return Err(error),
        _ => return Err(Error::new("this is no endings database")),
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
    let sum = reader.sum.get();
    if sum != reader.word()? {
        return Err(Error::new("the file is damaged: its header does not match its checksum"));
    }
    if let Some(at) = table.iter().position(|&(len, _)| len > LONGEST_BLOCK) {
        let len = table[at].0;
        return Err(Error::new(format!("the file is damaged: block {} cannot have {len} bytes", at + 1)));
    }
    if reading.most < pieces {
        // Numbers go by pieces: those of a smaller database are the first of a larger one.
        let (part, whole) = (Index::new(reading.most), index.len);
        counts.truncate(part.slices.len());
        let packed = Packed { bytes: blocks(&mut reader, &table, part.len, whole, reading)? };
        return Ok((Endings { index: part, counts, packed }, pieces));
    }
    let packed = Packed { bytes: blocks(&mut reader, &table, index.len, index.len, reading)? };
    match reader.take::<1>() {
        Ok(_) => Err(Error::new("the file is damaged: it goes on after its end")),
        Err(error) if error != too_short() => Err(error),
        Err(_) => Ok((Endings { index, counts, packed }, pieces)),
    }
}

/// A block that was read: its number, what its bytes should sum up to, they themselves, and where its values belong.
struct Block<'b> {
    at: usize,
    sum: u32,
    from: Vec<u8>,
    to: &'b mut [u8],
}

/// The first `len` of all values, four a byte, from the blocks of a table of lengths and checksums.
fn blocks(
    reader: &mut Reader<impl Read>,
    table: &[(usize, u32)],
    len: usize,
    all: usize,
    reading: Reading,
) -> Result<Vec<u8>, Error> {
    let table = &table[..len.div_ceil(BLOCK)];
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact((table.len() * BLOCK).div_ceil(4)).is_err() {
        return Err(Error::new(format!("there is no memory for it, {} MB", len.div_ceil(4) >> 20)));
    }
    for (first, some) in (0..).step_by(TOGETHER).zip(table.chunks(TOGETHER)) {
        let read: Vec<Vec<u8>> = some.iter().map(|&(len, _)| reader.block(len)).collect::<Result<_, Error>>()?;
        let start = bytes.len();
        bytes.resize(all.min((first + some.len()) * BLOCK).div_ceil(4), 0);
        let chunks = bytes[start..].chunks_mut(BLOCK / 4).zip(read);
        let block = |((at, &(_, sum)), (to, from))| Block { at, sum, to, from };
        let together: Vec<Block<'_>> = (first..).zip(some).zip(chunks).map(block).collect();
        let unpacked = |Block { at, sum, to, from }: Block<'_>| {
            let positions = BLOCK.min(all - at * BLOCK);
            if crc(&from) == sum && unpack(&from, positions, to) { Ok(()) } else { Err(at) }
        };
        let done = if reading.on_all_cores {
            cores::try_map(together, unpacked).map(drop)
        } else {
            together.into_iter().try_for_each(unpacked)
        };
        if let Err(at) = done {
            return Err(Error::new(format!("the file is damaged: block {} does not match its checksum", at + 1)));
        }
    }
    bytes.truncate(len.div_ceil(4));
    Ok(bytes)
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
    let mut sum = Sum::new();
    sum.add(bytes);
    sum.get()
}

/// The CRC-32 of bytes that come one after the other.
struct Sum(u32);

impl Sum {
    fn new() -> Sum {
        Sum(!0)
    }

    fn add(&mut self, bytes: &[u8]) {
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
        self.0 = bytes.iter().fold(self.0, |word, &byte| word >> 8 ^ TABLE[(word as u8 ^ byte) as usize]);
    }

    fn get(&self) -> u32 {
        !self.0
    }
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
        assert_eq!(refused(&longer), "the file is damaged: it goes on after its end");
    }

    /// Something that never ends, and how much of it was read.
    struct Endless<'b> {
        first: &'b [u8],
        read: usize,
    }

    impl Read for Endless<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let len = self.first.read(to)?;
            to[len..].fill(0);
            self.read += to.len();
            Ok(to.len())
        }
    }

    #[test]
    fn what_never_ends_is_not_read_on() {
        let header = 16 + 24 * Index::new(3).slices.len();
        let mut long = FILE[..header + 12].to_vec();
        long[header..header + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let sum = crc(&long[..header + 8]);
        long[header + 8..].copy_from_slice(&sum.to_le_bytes());
        for (first, most, why) in [
            (&[][..], 8, "this is no endings database"),
            (&FILE[..8], 12, "the file has version 0, and only version 1 is known"),
            (&FILE[..12], 16, "the file is damaged: there are no databases of 0 pieces"),
            (&FILE[..header], header + 12, "the file is damaged: its header does not match its checksum"),
            (&long, long.len(), "the file is damaged: block 1 cannot have 4294967295 bytes"),
            (&FILE[..FILE.len() - 9], FILE.len(), "the file is damaged: block 1 does not match its checksum"),
            (&FILE, FILE.len() + 1, "the file is damaged: it goes on after its end"),
        ] {
            let mut endless = Endless { first, read: 0 };
            assert_eq!(Endings::read(&mut endless).unwrap_err().to_string(), why);
            // As much as is needed, and what comes along with it.
            assert!(endless.read <= most + 8192, "{why}: {} bytes", endless.read);
        }
    }

    /// A file that claims the most pieces and the longest blocks, and has none of them.
    #[test]
    fn what_is_not_there_takes_no_memory() {
        let index = Index::new(MOST_PIECES);
        let mut bytes = FILE[..16].to_vec();
        bytes[12] = MOST_PIECES as u8;
        bytes.resize(16 + 24 * index.slices.len(), 0);
        assert_eq!(refused(&bytes), "the file ends too early");
        for _ in 0..index.len.div_ceil(BLOCK) {
            bytes.extend((LONGEST_BLOCK as u32).to_le_bytes());
            bytes.extend([0; 4]);
        }
        bytes.extend(crc(&bytes).to_le_bytes());
        assert_eq!(refused(&bytes), "the file ends too early");
    }

    #[test]
    fn the_first_of_a_database_are_a_smaller_one() {
        let four = Endings::build(4);
        let file = four.to_bytes();
        for pieces in 2..=4 {
            let (part, all) = Endings::read_up_to(&*file, pieces).unwrap();
            assert_eq!((part.pieces(), all), (pieces, 4));
            assert_eq!(part.to_bytes(), Endings::build(pieces).to_bytes());
        }
        assert_eq!(Endings::read_up_to(&*file, 9).unwrap().0, four);
        assert_eq!(Endings::read_on_one_core(&*file).unwrap().to_bytes(), file);
        // What is wanted is checked, and what is not wanted is not looked at.
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(Endings::read_up_to(&*damaged, 3).is_ok());
        let refused = "the file is damaged: block 7 does not match its checksum";
        assert_eq!(Endings::read_on_one_core(&*damaged).unwrap_err().to_string(), refused);
        assert_eq!(Endings::read_up_to(&*damaged, 4).unwrap_err().to_string(), refused);
    }

    /// A reader that fails says why.
    #[test]
    fn failures_are_passed_on() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the disk is on fire"))
            }
        }
        let refused = |from: &mut dyn Read| Endings::read(from).unwrap_err().to_string();
        assert_eq!(refused(&mut Failing), "the disk is on fire");
        assert_eq!(refused(&mut FILE[..20].chain(Failing)), "the disk is on fire");
        assert_eq!(refused(&mut FILE[..FILE.len() - 1].chain(Failing)), "the disk is on fire");
        assert_eq!(refused(&mut FILE.chain(Failing)), "the disk is on fire");
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
