//! Names beside points, without overlaps.
//!
//! Greedy: names are placed in order of importance, each at the place around its point that
//! covers the fewest points among those that touch no name placed before. A name that finds no
//! place is left out, and one of lesser rank may be written instead if it stands on free ground. Cost: names × places, plus one pass over the points.

use super::canvas::{Anchor, Frame, Style, extent};

/// A name beside its point.
pub(crate) struct Placed {
    /// Which of the points.
    pub(crate) point: usize,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) anchor: Anchor,
    /// Where a thin line from the point to the name ends, if the name is not beside it.
    pub(crate) leader: Option<(f64, f64)>,
}

/// How many points lie in each small square.
struct Density {
    columns: usize,
    counts: Vec<f64>,
    area: Frame,
}

const SQUARE: f64 = 6.0;
/// Ground with no more points than this is free.
const FREE: f64 = 4.0;

impl Density {
    fn of(points: &[(f64, f64)], area: Frame) -> Self {
        let columns = (area.width() / SQUARE).ceil() as usize + 1;
        let rows = (area.height() / SQUARE).ceil() as usize + 1;
        let mut it = Self { columns, counts: vec![0.0; columns * rows], area };
        for &(x, y) in points {
            let square = it.square(x, y);
            it.counts[square] += 1.0;
        }
        it
    }

    fn square(&self, x: f64, y: f64) -> usize {
        let column = ((x - self.area.left).max(0.0) / SQUARE) as usize;
        let row = ((y - self.area.top).max(0.0) / SQUARE) as usize;
        (row * self.columns + column.min(self.columns - 1)).min(self.counts.len() - 1)
    }

    /// Points under a frame inside the area; a square full of points counts little more than one.
    fn under(&self, frame: &Frame) -> f64 {
        let mut sum = 0.0;
        let mut y = frame.top;
        while y < frame.bottom {
            let from = self.square(frame.left, y);
            let to = self.square(frame.right, y);
            sum += self.counts[from..=to.max(from)].iter().map(|c| c.min(3.0)).sum::<f64>();
            y += SQUARE;
        }
        sum
    }
}

/// Places at most `most` of the `names`, which are those of the first points. What lies in
/// `spots` after the named points is only to be kept free if possible; `reserved` must be.
pub(crate) fn place(
    spots: &[(f64, f64)],
    names: &[String],
    radius: f64,
    style: Style,
    area: Frame,
    most: usize,
    reserved: &[Frame],
) -> Vec<Placed> {
    let density = Density::of(spots, area);
    // No name may cover one of the most important points; of the others, as few as possible.
    let first = most.min(names.len());
    let mut taken: Vec<Frame> = spots[..first].iter().map(|&(x, y)| around(x, y, radius)).collect();
    taken.extend_from_slice(reserved);
    let mut leaders: Vec<[(f64, f64); 2]> = Vec::new();
    let mut placed = Vec::new();
    for (point, (&(x, y), name)) in spots.iter().zip(names).enumerate() {
        if placed.len() >= most {
            break;
        }
        if name.is_empty() {
            continue;
        }
        let own = around(x, y, radius);
        let mut best: Option<(f64, Placed, Frame)> = None;
        for candidate in candidates(point, x, y, radius, style) {
            let style = Style { anchor: candidate.anchor, ..style };
            let frame = extent(candidate.x, candidate.y, name, style);
            let free = |other: &Frame| *other == own || !other.overlaps(&frame);
            if !area.holds(&frame)
                || !taken.iter().all(free)
                || leaders.iter().any(|leader| crosses(*leader, &frame))
            {
                continue;
            }
            let mut cost = density.under(&frame);
            if let Some(end) = candidate.leader {
                let line = [(x, y), end];
                if point >= first
                    || taken[first..].iter().any(|frame| crosses(line, frame))
                    || leaders.iter().any(|other| meet(line, *other))
                {
                    continue;
                }
                // A far name must be worth its line.
                cost += 10.0 + 0.1 * f64::hypot(end.0 - x, end.1 - y);
            }
            if point >= first && cost > FREE {
                continue;
            }
            if best.as_ref().is_none_or(|(lowest, _, _)| cost < *lowest) {
                best = Some((cost, candidate, frame));
            }
        }
        if let Some((_, candidate, frame)) = best {
            taken.push(frame);
            leaders.extend(candidate.leader.map(|end| [(x, y), end]));
            placed.push(candidate);
        }
    }
    placed
}

/// Whether two lines cut each other.
fn meet(a: [(f64, f64); 2], b: [(f64, f64); 2]) -> bool {
    let side = |[p, q]: [(f64, f64); 2], r: (f64, f64)| {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    };
    side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0
}

/// Whether a line passes through a frame, looked at every three pixels.
fn crosses([from, to]: [(f64, f64); 2], frame: &Frame) -> bool {
    let steps = (f64::hypot(to.0 - from.0, to.1 - from.1) / 3.0).ceil().max(1.0) as usize;
    (0..=steps).any(|k| {
        let part = k as f64 / steps as f64;
        let (x, y) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        frame.left < x && x < frame.right && frame.top < y && y < frame.bottom
    })
}

fn around(x: f64, y: f64, radius: f64) -> Frame {
    Frame { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }
}

/// Places for a name, the best first: right, left, above, below, the corners; then farther away.
fn candidates(point: usize, x: f64, y: f64, radius: f64, style: Style) -> Vec<Placed> {
    let (up, down) = (0.25 * style.size, 0.8 * style.size);
    let middle = 0.3 * style.size;
    let mut all = Vec::with_capacity(24);
    for far in [0.0, 14.0, 30.0] {
        let gap = radius + 3.0 + far;
        let corner = 0.7 * gap;
        let sides = [
            (gap, middle, Anchor::Start),
            (-gap, middle, Anchor::End),
            (0.0, -gap - up + 2.0, Anchor::Middle),
            (0.0, gap + down - 2.0, Anchor::Middle),
            (corner, -corner - up + 2.0, Anchor::Start),
            (-corner, -corner - up + 2.0, Anchor::End),
            (corner, corner + down - 2.0, Anchor::Start),
            (-corner, corner + down - 2.0, Anchor::End),
        ];
        for (dx, dy, anchor) in sides {
            let length = f64::hypot(dx, dy).max(1.0);
            let reach = (gap - 2.0) / length;
            let leader = (far > 0.0).then_some((x + dx * reach, y + dy * reach));
            all.push(Placed { point, x: x + dx, y: y + dy, anchor, leader });
        }
    }
    all
}

/// Places as near as possible to `wanted` (rising), at least `gap` apart, between `top` and
/// `bottom`: least squares, by pooling neighbours that would come too close.
pub(crate) fn spread(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    // Of each pool: the sum of what its members want of the first place, and how many there are.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (k, want) in wanted.iter().enumerate() {
        pools.push((want - k as f64 * gap, 1));
        while let [.., (sum, count), (last_sum, last_count)] = pools[..] {
            if sum / count as f64 <= last_sum / last_count as f64 {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push((sum + last_sum, count + last_count));
        }
    }
    let highest = (bottom - top - gap * wanted.len().saturating_sub(1) as f64).max(0.0) + top;
    let starts =
        pools.iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / *count as f64, *count));
    starts.enumerate().map(|(k, s)| s.clamp(top, highest) + k as f64 * gap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_places_keep_their_gap_and_stay_inside() {
        let places = spread(&[10.0, 10.0, 10.0, 50.0], 5.0, 0.0, 100.0);
        assert_eq!(places, [5.0, 10.0, 15.0, 50.0]);
        let places = spread(&[99.0, 99.5, 100.0], 5.0, 0.0, 100.0);
        assert_eq!(places, [90.0, 95.0, 100.0]);
        assert!(spread(&[], 5.0, 0.0, 1.0).is_empty());
    }

    #[test]
    fn names_overlap_neither_each_other_nor_named_points() {
        let area = Frame { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        let points: Vec<_> =
            (0..60).map(|k| (f64::from(k * 37 % 290), f64::from(k * 53 % 190))).collect();
        let names: Vec<String> = (0..60).map(|k| format!("word {k}")).collect();
        let style = Style::new(12.0);
        let placed = place(&points, &names, 3.0, style, area, 40, &[]);
        assert!((15..=40).contains(&placed.len()), "{}", placed.len());
        let frames: Vec<Frame> = placed
            .iter()
            .map(|p| extent(p.x, p.y, &names[p.point], Style { anchor: p.anchor, ..style }))
            .collect();
        for (k, a) in frames.iter().enumerate() {
            assert!(area.holds(a));
            assert!(frames[..k].iter().all(|b| !a.overlaps(b)));
            for (point, &(x, y)) in points[..40].iter().enumerate() {
                assert!(point == placed[k].point || !a.overlaps(&around(x, y, 3.0)));
            }
        }
    }
}
