//! Slider attacks by multiplication, for processors that multiply fast but have no PEXT: AArch64.
//!
//! The occupancy of the relevant squares is multiplied by a factor chosen for the square. The topmost bits of the
//! product index the square's part of a table, and no two different attack sets share an index
//! (<https://www.chessprogramming.org/Magic_Bitboards>). The factors were found by trying sparse random numbers. The
//! table is built at compile time, so a wrong factor causes a compile error.
//!
//! The table is as large as the PEXT table.

#![allow(long_running_const_eval)]

use crate::bitboard::Bitboard;
use crate::slider_lines::{GATHER, LINES, TABLE, line};
use crate::square::Square;

/// Maps occupancies to table indices, for a rook or a bishop on one square.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    const NONE: Magic = Magic { mask: 0, factor: 0, offset: 0, shift: 0 };

    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.factor) >> (self.shift & 63)) as usize
    }
}

static ROOKS: [Magic; 64] = magics(&ROOK_FACTORS, true);
static BISHOPS: [Magic; 64] = magics(&BISHOP_FACTORS, false);
static SLIDERS: [u64; TABLE] = sliders();

/// Returns the squares that a rook on `square` attacks, blockers included.
#[inline(always)]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(SLIDERS[ROOKS[square.index()].index(occupied.0) & (TABLE - 1)])
}

/// Returns the squares that a bishop on `square` attacks, blockers included.
#[inline(always)]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(SLIDERS[BISHOPS[square.index()].index(occupied.0) & (TABLE - 1)])
}

const fn magics(factors: &[u64; 64], of_rooks: bool) -> [Magic; 64] {
    let mut table = [Magic::NONE; 64];
    let mut s = 0;
    while s < 64 {
        let gather = GATHER[s];
        let (mask, offset) = match of_rooks {
            true => (gather.rook_mask, gather.rook_offset),
            false => (gather.bishop_mask, gather.bishop_offset),
        };
        table[s] = Magic { mask, factor: factors[s], offset, shift: 64 - mask.count_ones() };
        s += 1;
    }
    table
}

/// Fills the attack table for every subset of every mask.
const fn sliders() -> [u64; TABLE] {
    let mut table = [0; TABLE];
    let mut s = 0;
    while s < 64 {
        let (square, lines) = (Square::new(s as u32), LINES[s]);
        fill(&mut table, square, &ROOKS[s], [lines.file, lines.rank]);
        fill(&mut table, square, &BISHOPS[s], [lines.diagonal, lines.antidiagonal]);
        s += 1;
    }
    table
}

const fn fill(table: &mut [u64; TABLE], square: Square, magic: &Magic, [first, second]: [u64; 2]) {
    let mut occupied = 0_u64;
    loop {
        let attacked = line(square, occupied, first) | line(square, occupied, second);
        let place = &mut table[magic.index(occupied)];
        // Every slider attacks at least one square, so an entry of zero is still unused.
        assert!(*place == 0 || *place == attacked, "two attack sets share an index");
        *place = attacked;
        occupied = occupied.wrapping_sub(magic.mask) & magic.mask;
        if occupied == 0 {
            return;
        }
    }
}

#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x4480_0020_9040_0082, 0x0140_0490_0040_2000, 0x1100_2000_1100_4019, 0x0180_1800_0410_0280,
    0x0200_0820_1082_0005, 0x0200_2200_0110_2408, 0x0080_0880_1100_0600, 0x0080_10c0_8000_2900,
    0x0940_8005_2140_0180, 0x8016_4000_5000_2009, 0x1032_0010_2042_0088, 0x3220_8018_0080_5000,
    0x0011_0028_0014_1101, 0x0062_0024_100a_00a8, 0x0001_00b9_0002_0004, 0x0002_0002_0100_c484,
    0x2080_0040_2000_4000, 0x2c10_0040_0040_2004, 0x0081_0900_2002_4010, 0x0045_0100_08a0_5000,
    0x4046_8080_0c00_2800, 0x808a_8080_0400_8200, 0x0800_4101_0002_0004, 0x0804_0200_0064_0881,
    0x0040_c002_8000_8820, 0x0620_0046_4000_3005, 0x8042_4011_0020_0300, 0x8880_1001_000d_0021,
    0x0020_8800_8004_0081, 0x1102_1028_0120_0440, 0x0000_0544_0010_0228, 0x2008_0042_0004_1081,
    0x2050_4004_8080_0020, 0x0400_4010_0040_2000, 0x4820_8090_0080_2008, 0x0401_0020_0900_1000,
    0x0400_0800_8280_0400, 0x1840_8022_0080_4400, 0x0044_0203_0400_5038, 0x0400_0041_8200_0104,
    0x0100_4000_6c88_8000, 0x020c_4020_1000_4002, 0x8040_8200_10c2_0020, 0x0c88_c092_000a_0020,
    0x8402_0038_1022_0005, 0x0082_0010_0842_0004, 0xcc82_0001_0402_0008, 0x0001_0020_9041_0002,
    0x0100_4202_8021_0200, 0x0610_8940_0060_0880, 0x0001_a004_8010_0080, 0x0002_0020_1040_0a00,
    0x0004_0084_1800_8080, 0x248c_0022_0080_0480, 0x100a_0008_0405_0200, 0x0780_88d9_018c_0200,
    0x0001_4012_0100_208a, 0x0301_0011_2080_c001, 0x8311_0008_2000_1041, 0x0010_0020_5100_6409,
    0x0812_0120_08b4_1002, 0x4049_0008_0224_0001, 0x0160_1008_1281_420c, 0x8400_1400_2104_8242,
];

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x0810_8121_0302_0200, 0x2504_d004_8204_8280, 0x3004_0428_8204_3840, 0x5024_4040_8010_1204,
    0x2012_0210_0281_2821, 0x20b3_0402_4042_0024, 0x1004_2104_302c_0002, 0x0000_1103_0110_4002,
    0x0200_2802_1024_012c, 0x0000_1004_0802_5340, 0x0100_0808_0040_8a08, 0x2080_0404_0480_0000,
    0x4221_0404_a100_0094, 0x4082_2202_300c_0012, 0x0080_1244_0258_4000, 0x0200_0100_8814_0240,
    0x00c0_0411_0208_0100, 0x8002_4030_4208_0100, 0x4910_0808_0080_208a, 0x8004_0201_2400_8030,
    0x0008_8104_00a0_4000, 0x1202_8084_1004_2310, 0x0a86_0835_0801_0500, 0x4200_2201_0401_0402,
    0x0820_1088_0810_0900, 0x5802_2201_2008_0200, 0x0002_0101_0808_0020, 0x020c_0800_4401_5110,
    0x0001_0010_5500_4000, 0x0008_0080_0110_0480, 0x0010_8100_c414_0201, 0x0060_4090_0101_8800,
    0x0008_2008_0014_0808, 0x8012_1030_0803_0200, 0x6400_3804_0002_0408, 0x0040_0404_0208_0210,
    0x0030_5100_4084_0040, 0x2030_0405_2001_1000, 0x00a4_0401_8014_2080, 0xc000_8110_4001_0c00,
    0x0018_0144_a080_9000, 0x0114_2088_1800_2410, 0x8101_0018_0410_8200, 0x0024_c042_0080_9800,
    0x0000_1006_0200_0090, 0x0040_0110_4101_0082, 0x0a10_8408_0084_0860, 0x4804_0414_0128_0041,
    0x0800_4410_4808_0404, 0x0140_4404_0108_00a1, 0x2860_8061_0808_2000, 0x0000_0240_2188_0000,
    0x1004_2630_4212_1000, 0x0084_0850_0102_0080, 0x0210_2002_04a2_0000, 0x048a_0808_0100_4020,
    0x2331_0108_1482_1802, 0x6294_1088_8801_1004, 0x0140_0840_2603_1000, 0x000a_1020_0242_0622,
    0x0080_0000_0520_8200, 0x0000_8012_2009_2100, 0x0280_0808_0178_0200, 0x8010_0200_9802_0040,
];
