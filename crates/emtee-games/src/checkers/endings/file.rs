//! The file format of a database.
//!
//! All numbers are little-endian. Values are encoded in independent blocks of 2^20 positions, so that all cores can
//! decode them.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `emteeWDL` |
//! | 4 | the version, 1 |
//! | 4 | the highest number of pieces |
//! | 24 for each slice | the numbers of its positions that are won, drawn and lost |
//! | 8 for each block | its length in bytes, and its CRC-32 |
//! | 4 | the CRC-32 of everything above |
//! | the rest | the blocks |

use std::io::{BufReader, ErrorKind, Read};

use super::cores;
use super::index::{Index, MOST_PIECES};
use super::runs::{decode, encode};
use super::value::Wdl;
use super::{Counts, Endings};
use crate::error::{Error, ErrorKind as Kind};

const MAGIC: &[u8; 8] = b"emteeWDL";
const VERSION: u32 = 1;
/// Positions in a block.
const BLOCK: usize = 1 << 20;
/// An upper bound for the bytes of a block. A run of one position has six coded bits, and no bit takes more than 6.05
/// bits, because the probabilities of the coder stay at 31 in 2048 or above.
const MAX_BLOCK_BYTES: usize = 5 * BLOCK;
/// Blocks that are read, and then decoded on all cores, at a time.
const BATCH: usize = 64;

/// Values, four per byte.
#[derive(Clone)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// Packs values. `None` repeats the previous value.
    pub(super) fn new(len: usize, value: impl Fn(usize) -> Option<Wdl> + Sync) -> Packed {
        let mut bytes = vec![0; len.div_ceil(4)];
        cores::map(bytes.chunks_mut(BLOCK / 4).enumerate().collect(), |(block_index, block)| {
            let mut last = Wdl::Draw;
            for number in block_index * BLOCK..len.min((block_index + 1) * BLOCK) {
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
    let block = |start: usize| encode((start..index.len.min(start + BLOCK)).map(|number| packed.get(number)));
    let blocks = cores::map(starts, block);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((index.pieces as u32).to_le_bytes());
    for counts in counts {
        bytes.extend([counts.wins, counts.draws, counts.losses].into_iter().flat_map(u64::to_le_bytes));
    }
    for block in &blocks {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(crc32(block).to_le_bytes());
    }
    bytes.extend(crc32(&bytes).to_le_bytes());
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes
}

/// Reads a file from its start.
struct Reader<R> {
    from: R,
    /// The checksum of the bytes read so far, blocks excluded.
    crc: Crc32,
}

impl<R: Read> Reader<R> {
    fn take<const LEN: usize>(&mut self) -> Result<[u8; LEN], Error> {
        let mut bytes = [0; LEN];
        self.from.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => too_short(),
            _ => Error::new(Kind::Io, error.to_string()),
        })?;
        self.crc.add(&bytes);
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, Error> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_le_bytes)
    }

    /// Reads `len` bytes. Memory is allocated as the bytes arrive, because a damaged file can state any length.
    fn block(&mut self, len: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.from.by_ref().take(len as u64).read_to_end(&mut bytes);
        read.map_err(|error| Error::new(Kind::Io, error.to_string()))?;
        if bytes.len() == len { Ok(bytes) } else { Err(too_short()) }
    }
}

fn too_short() -> Error {
    Error::new(Kind::InvalidFile, "the file ends too early")
}

/// How to read a file.
#[derive(Clone, Copy)]
pub(super) struct ReadOptions {
    /// Positions with more pieces are not read.
    pub(super) max_pieces: usize,
    /// Whether to decode on all cores.
    pub(super) on_all_cores: bool,
}

/// Reads a database. Stops at the first error, and reads no more than a valid file can need. Also returns the number of
/// pieces of the file.
pub(super) fn read(from: impl Read, options: ReadOptions) -> Result<(Endings, usize), Error> {
    let mut reader = Reader { from: BufReader::new(from), crc: Crc32::new() };
    match reader.take::<8>() {
        Ok(bytes) if bytes == *MAGIC => {}
        Err(error) if error != too_short() => return Err(error),
        _ => return Err(Error::new(Kind::InvalidFile, "this is not an endings database")),
    }
    let version = reader.word()?;
    if version != VERSION {
        return Err(Error::new(
            Kind::Unsupported,
            format!("the file has version {version}, and only version {VERSION} is known"),
        ));
    }
    let pieces = reader.word()? as usize;
    if !(2..=MOST_PIECES).contains(&pieces) {
        return Err(Error::new(
            Kind::InvalidFile,
            format!("the file is damaged: there are no databases of {pieces} pieces"),
        ));
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
    let crc = reader.crc.get();
    if crc != reader.word()? {
        return Err(Error::new(Kind::InvalidFile, "the file is damaged: its header does not match its checksum"));
    }
    if let Some(index) = table.iter().position(|&(len, _)| len > MAX_BLOCK_BYTES) {
        let len = table[index].0;
        return Err(Error::new(
            Kind::InvalidFile,
            format!("the file is damaged: block {} cannot have {len} bytes", index + 1),
        ));
    }
    if options.max_pieces < pieces {
        // Positions are numbered by pieces, so a smaller database is the start of a larger one.
        let (part, whole) = (Index::new(options.max_pieces), index.len);
        counts.truncate(part.slices.len());
        let packed = Packed { bytes: blocks(&mut reader, &table, part.len, whole, options)? };
        return Ok((Endings { index: part, counts, packed }, pieces));
    }
    let packed = Packed { bytes: blocks(&mut reader, &table, index.len, index.len, options)? };
    match reader.take::<1>() {
        Ok(_) => Err(Error::new(Kind::InvalidFile, "the file is damaged: there are bytes after its end")),
        Err(error) if error != too_short() => Err(error),
        Err(_) => Ok((Endings { index, counts, packed }, pieces)),
    }
}

/// A block that is read but not decoded.
struct Block<'b> {
    index: usize,
    /// The checksum in the header.
    crc: u32,
    from: Vec<u8>,
    /// The place of its values.
    to: &'b mut [u8],
}

/// Reads the first `len` of `all` values, four per byte. `table` has the length and the checksum of each block.
fn blocks(
    reader: &mut Reader<impl Read>,
    table: &[(usize, u32)],
    len: usize,
    all: usize,
    options: ReadOptions,
) -> Result<Vec<u8>, Error> {
    let table = &table[..len.div_ceil(BLOCK)];
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact((table.len() * BLOCK).div_ceil(4)).is_err() {
        return Err(Error::new(Kind::OutOfMemory, format!("there is no memory for it, {} MB", len.div_ceil(4) >> 20)));
    }
    for (first, batch) in (0..).step_by(BATCH).zip(table.chunks(BATCH)) {
        let read: Vec<Vec<u8>> = batch.iter().map(|&(len, _)| reader.block(len)).collect::<Result<_, Error>>()?;
        let start = bytes.len();
        bytes.resize(all.min((first + batch.len()) * BLOCK).div_ceil(4), 0);
        let chunks = bytes[start..].chunks_mut(BLOCK / 4).zip(read);
        let block = |((index, &(_, crc)), (to, from))| Block { index, crc, to, from };
        let blocks: Vec<Block<'_>> = (first..).zip(batch).zip(chunks).map(block).collect();
        let decode_block = |block: Block<'_>| {
            let positions = BLOCK.min(all - block.index * BLOCK);
            let is_valid = crc32(&block.from) == block.crc && decode_into(&block.from, positions, block.to);
            if is_valid { Ok(()) } else { Err(block.index) }
        };
        let done = if options.on_all_cores {
            cores::try_map(blocks, decode_block).map(drop)
        } else {
            blocks.into_iter().try_for_each(decode_block)
        };
        if let Err(index) = done {
            return Err(Error::new(
                Kind::InvalidFile,
                format!("the file is damaged: block {} does not match its checksum", index + 1),
            ));
        }
    }
    bytes.truncate(len.div_ceil(4));
    Ok(bytes)
}

/// Decodes a block into zeroed bytes, four values per byte. Returns false if the block is invalid.
fn decode_into(from: &[u8], len: usize, to: &mut [u8]) -> bool {
    let mut position = 0;
    decode(from, len as u32, |value, length| {
        let (bits, end) = (value as u8, position + length as usize);
        while position < end {
            if position % 4 == 0 && end - position >= 4 {
                let whole = (end - position) / 4;
                to[position / 4..][..whole].fill(bits * 0b0101_0101);
                position += 4 * whole;
            } else {
                to[position / 4] |= bits << (position % 4 * 2);
                position += 1;
            }
        }
    })
}

/// The CRC-32 (IEEE 802.3) of bytes.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc32::new();
    crc.add(bytes);
    crc.get()
}

/// A CRC-32 that is computed incrementally.
struct Crc32(u32);

impl Crc32 {
    fn new() -> Crc32 {
        Crc32(!0)
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

    /// The file with a change and matching checksums.
    fn forged(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
        let mut bytes = FILE.clone();
        change(&mut bytes);
        let slices = Index::new(3).slices.len();
        let table = 16 + 24 * slices;
        let sum = crc32(&bytes[table + 12..]);
        bytes[table + 4..table + 8].copy_from_slice(&sum.to_le_bytes());
        let sum = crc32(&bytes[..table + 8]);
        bytes[table + 8..table + 12].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn databases_round_trip() {
        let (built, read) = (Endings::build(3), Endings::from_bytes(&FILE).unwrap());
        assert_eq!(read.pieces(), 3);
        assert!(read.counts().eq(built.counts()));
        assert_eq!(read.packed.bytes, built.packed.bytes);
        assert_eq!(read.to_bytes(), *FILE);
        assert_eq!(forged(|_| ()), *FILE);
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        assert_eq!(refused(b""), "this is not an endings database");
        assert_eq!(refused(b"%PDF-1.4 and so on"), "this is not an endings database");
        assert_eq!(refused(&forged(|bytes| bytes[8] = 2)), "the file has version 2, and only version 1 is known");
        assert_eq!(refused(&forged(|bytes| bytes[12] = 9)), "the file is damaged: there are no databases of 9 pieces");
        assert_eq!(refused(&FILE[..40]), "the file ends too early");
        let mut longer = FILE.clone();
        longer.push(0);
        assert_eq!(refused(&longer), "the file is damaged: there are bytes after its end");
    }

    /// A file without an end, and the number of bytes read from it.
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
    fn endless_files_are_not_read_to_the_end() {
        let header = 16 + 24 * Index::new(3).slices.len();
        let mut long = FILE[..header + 12].to_vec();
        long[header..header + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let sum = crc32(&long[..header + 8]);
        long[header + 8..].copy_from_slice(&sum.to_le_bytes());
        for (first, most, why) in [
            (&[][..], 8, "this is not an endings database"),
            (&FILE[..8], 12, "the file has version 0, and only version 1 is known"),
            (&FILE[..12], 16, "the file is damaged: there are no databases of 0 pieces"),
            (&FILE[..header], header + 12, "the file is damaged: its header does not match its checksum"),
            (&long, long.len(), "the file is damaged: block 1 cannot have 4294967295 bytes"),
            (&FILE[..FILE.len() - 9], FILE.len(), "the file is damaged: block 1 does not match its checksum"),
            (&FILE, FILE.len() + 1, "the file is damaged: there are bytes after its end"),
        ] {
            let mut endless = Endless { first, read: 0 };
            assert_eq!(Endings::read(&mut endless).unwrap_err().to_string(), why);
            // What is needed, plus at most one buffer.
            assert!(endless.read <= most + 8192, "{why}: {} bytes", endless.read);
        }
    }

    /// A header for the most pieces and the longest blocks, without the blocks.
    #[test]
    fn missing_blocks_take_no_memory() {
        let index = Index::new(MOST_PIECES);
        let mut bytes = FILE[..16].to_vec();
        bytes[12] = MOST_PIECES as u8;
        bytes.resize(16 + 24 * index.slices.len(), 0);
        assert_eq!(refused(&bytes), "the file ends too early");
        for _ in 0..index.len.div_ceil(BLOCK) {
            bytes.extend((MAX_BLOCK_BYTES as u32).to_le_bytes());
            bytes.extend([0; 4]);
        }
        bytes.extend(crc32(&bytes).to_le_bytes());
        assert_eq!(refused(&bytes), "the file ends too early");
    }

    #[test]
    fn the_start_of_a_database_is_a_smaller_one() {
        let four = Endings::build(4);
        let file = four.to_bytes();
        for pieces in 2..=4 {
            let (part, all) = Endings::read_up_to(&*file, pieces).unwrap();
            assert_eq!((part.pieces(), all), (pieces, 4));
            assert_eq!(part.to_bytes(), Endings::build(pieces).to_bytes());
        }
        assert_eq!(Endings::read_up_to(&*file, 9).unwrap().0, four);
        assert_eq!(Endings::read_on_one_core(&*file).unwrap().to_bytes(), file);
        // Only the blocks that are needed are read and checked.
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(Endings::read_up_to(&*damaged, 3).is_ok());
        let refused = "the file is damaged: block 7 does not match its checksum";
        assert_eq!(Endings::read_on_one_core(&*damaged).unwrap_err().to_string(), refused);
        assert_eq!(Endings::read_up_to(&*damaged, 4).unwrap_err().to_string(), refused);
    }

    #[test]
    fn io_errors_are_returned() {
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
        fn any_changed_byte_is_found(offset in 0..FILE.len(), by in 1u8..) {
            let mut bytes = FILE.clone();
            bytes[offset] ^= by;
            prop_assert!(Endings::from_bytes(&bytes).is_err());
        }

        #[test]
        fn any_truncation_is_found(len in 0..FILE.len()) {
            prop_assert!(Endings::from_bytes(&FILE[..len]).is_err());
        }

        #[test]
        fn no_bytes_panic(offset in 16..FILE.len(), by in 1u8.., bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            // Reading can fail, but must not panic.
            _ = Endings::from_bytes(&forged(|file| file[offset] ^= by));
            _ = Endings::from_bytes(&bytes);
            _ = Endings::from_bytes(&[MAGIC.as_slice(), &bytes].concat());
        }
    }
}
