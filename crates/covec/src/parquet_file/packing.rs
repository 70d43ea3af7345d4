//! Numbers of few bits, side by side, as Parquet packs them.

/// Numbers that are packed at once; of differences, those that share their least.
pub(crate) const BLOCK: usize = 128;
/// Numbers that share their width.
pub(crate) const MINI: usize = 32;
/// Bytes of a block of the widest numbers, and what [`pack_narrow`] writes too much.
pub(crate) const ROOM: usize = 4 * BLOCK + 16;

/// Packs at most a block of numbers, 32 of the same width in bits at a time, lowest first.
#[inline(always)]
pub(crate) fn pack(out: &mut Vec<u8>, minis: impl Iterator<Item = ([u32; MINI], usize)>) {
    let mut room = [0_u8; ROOM];
    let mut end = 0;
    for (mini, width) in minis {
        if width <= 16 {
            let mut narrow = [0; MINI];
            narrow.iter_mut().zip(mini).for_each(|(narrow, number)| *narrow = number as u16);
            pack_narrow(&mut room[end..], &narrow, width);
        } else {
            pack_wide(&mut room[end..], &mini, width);
        }
        end += 4 * width;
    }
    out.extend_from_slice(&room[..end]);
}

/// Packs numbers of `width` bits each, at most 16, some multiple of eight. Two are pushed together,
/// then four, in many at the same time (if they are as many as a block, the compiler sees to it); and
/// eight take whole bytes, so that nothing hangs on what was packed before. Zeros that are written
/// too many are overwritten by the next.
#[inline(always)]
pub(crate) fn pack_narrow<const N: usize>(room: &mut [u8], numbers: &[u16; N], width: usize) {
    const TWOS: u64 = 0x0000_ffff_0000_ffff;
    const FOURS: u64 = 0x0000_0000_ffff_ffff;
    if width == 16 {
        // They lie side by side already.
        let room = room.as_chunks_mut().0.iter_mut();
        return room.zip(numbers).for_each(|(bytes, number)| *bytes = number.to_le_bytes());
    }
    let mut fours = [0_u64; BLOCK / 4];
    let fours = &mut fours[..N / 4];
    for (four, &numbers) in fours.iter_mut().zip(numbers.as_chunks::<4>().0) {
        let [a, b, c, d] = numbers.map(u64::from);
        *four = a | b << 16 | c << 32 | d << 48;
    }
    for four in &mut *fours {
        let twos = (*four & TWOS) | ((*four >> 16) & TWOS) << width;
        *four = (twos & FOURS) | (twos >> 32) << (2 * width);
    }
    let mut at = 0;
    for &[low, high] in fours.as_chunks::<2>().0 {
        let eight = u128::from(low) | u128::from(high) << (4 * width);
        room[at..at + 16].copy_from_slice(&eight.to_le_bytes());
        at += width;
    }
}

/// Packs 32 numbers of `width` bits each, more than 16.
#[inline(always)]
fn pack_wide(room: &mut [u8], numbers: &[u32; MINI], width: usize) {
    let (mut held, mut filled, mut at) = (0_u64, 0, 0);
    for &number in numbers {
        held |= u64::from(number) << filled;
        filled += width;
        if filled >= 32 {
            room[at..at + 4].copy_from_slice(&(held as u32).to_le_bytes());
            at += 4;
            held >>= 32;
            filled -= 32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits one by one, as the format describes them.
    fn packed_slowly(numbers: &[u32], width: usize) -> Vec<u8> {
        let mut out = vec![0_u8; numbers.len() * width / 8];
        for (index, number) in numbers.iter().enumerate() {
            for bit in 0..width {
                let at = index * width + bit;
                out[at / 8] |= ((number >> bit & 1) as u8) << (at % 8);
            }
        }
        out
    }

    #[test]
    fn packing_is_that_of_the_format() {
        for width in 1..=32 {
            let mask = (1_u64 << width) - 1;
            let numbers: [u32; MINI] = std::array::from_fn(|i| {
                ((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask) as u32
            });
            if width <= 16 {
                let mut room = [0; ROOM];
                let numbers: [u16; BLOCK] = std::array::from_fn(|i| numbers[i % MINI] as u16);
                pack_narrow(&mut room, &numbers, width);
                let slow = packed_slowly(&numbers.map(u32::from), width);
                assert_eq!(room[..BLOCK * width / 8], slow, "width {width}");
            }
            let mut fast = Vec::new();
            pack(&mut fast, [(numbers, width); 4].into_iter());
            assert_eq!(fast, packed_slowly(&[numbers; 4].concat(), width), "width {width}");
        }
    }
}
