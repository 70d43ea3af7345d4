//! In which cell every document is counted, and how many times.

/// A document that was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) cell: u32,
    /// Not at all with 0.
    pub(crate) times: u32,
}

/// The cell of every document of a spool.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Placement<'a> {
    /// Its own, once: for every reader and every cell number of it, the cell, unless it was left out.
    AsRead(&'a [Vec<Option<u32>>]),
    /// As it was drawn: for every piece and every document of it.
    Drawn(&'a [Vec<Drawn>]),
}

impl Placement<'_> {
    /// Where the document of this number in a piece is counted; `cell` is that of its reader.
    pub(crate) fn of(self, piece: usize, document: usize, reader: usize, cell: u32) -> Drawn {
        match self {
            Self::AsRead(cells) => match cells[reader][cell as usize] {
                Some(cell) => Drawn { cell, times: 1 },
                None => Drawn { cell: 0, times: 0 },
            },
            Self::Drawn(drawn) => drawn[piece][document],
        }
    }

    /// How many times as much as was read a piece holds, at most.
    pub(crate) fn most(self, piece: usize) -> u64 {
        match self {
            Self::AsRead(_) => 1,
            Self::Drawn(drawn) => {
                drawn[piece].iter().map(|drawn| u64::from(drawn.times)).max().unwrap_or(0)
            }
        }
    }
}
