//! The positions that the paper's experiments run on, and others to tune on.
//!
//! Tournament number 1 of the WTHOR collection is the world championship: it is the one that has games in every year from
//! 1977 to 2025 but 2020 and 2021, when none was held. The games of a year are listed from the final down, so the first
//! games of tournament 1 between the same two players are the final. Games are counted from 0 in their file; players are
//! named by their numbers in the collection.

use crate::paper::{PaperPosition, at};

/// Twenty positions that follow one another, three discs apart, in the first two games of the final of the world
/// championship of 2014.
pub fn paper_set() -> &'static [PaperPosition] {
    &PAPER
}

/// Twenty positions of the same kind from the finals of 2012 and 2008, for tuning, so that the paper's stay unseen.
pub fn tuning_set() -> &'static [PaperPosition] {
    &TUNING
}

#[rustfmt::skip]
static PAPER: [PaperPosition; 20] = [
    at("------------OO------OO----XXXO----XXOO----X-OO------O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 12 discs"),
    at("------------OO------OO----XXXOO---XXXXX---X-OOX-----O----------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 15 discs"),
    at("------------OO------OO-X--XXXOO---XXOOOO--XOOOX-----O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 18 discs"),
    at("------------OO----OXXXXX--XXXOX---XXOOXO--XOOOX-----O----------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 21 discs"),
    at("----------OXOO---OOXXXXX--OXOOX---XOOOXO--XOOOX-----O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 24 discs"),
    at("----------OXOO---OXXXXXX-XXXOOX--XXOOOXO--XOOOO-----OO---------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 27 discs"),
    at("----------OXOO---OXXXXOX-XXXOOOO-XXXOXOO--XXXOOO---XOO---------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 30 discs"),
    at("---X------OXXO-O-OXXXXOO-XXXOOOO-XXXOXOO--XXXOOO---XXO------X--- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 33 discs"),
    at("--XXO-----XXOO-O-OXXOXOO-XXXOOOO-XXXOXOO--XXXOOO---XOO-----OX--- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 36 discs"),
    at("--XXXX----XXXX-O-OXXOXOOOOOOOOOO-XXXOXOO--XXXOOO---XOO----XXX--- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 39 discs"),
    at("------------------XO------XXXO-----XXOO----XOOO---XO------------ X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 12 discs"),
    at("------------------XXX-----XXXO----XXOOO---XXOOO---XO------------ O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 15 discs"),
    at("------------------XXX-----XXXO---OOOOOO--OOXOOO---XX-------X---- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 18 discs"),
    at("------------------XXXO---XXXXO---OXOXOO--OOXXOO---XXX------X---- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 21 discs"),
    at("-------------O----XXOO---XXOXO---OOXXOO--OOXXOO---XXXX-----X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 24 discs"),
    at("----------XO-O----XXOO---XXOXO--XXXXXOO--XOXXOO---XXXX-----X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 27 discs"),
    at("--O-----X-OO-O---XOOOO---XXOXO--XXXXXOO--XOXXOO---XXXX-----X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 30 discs"),
    at("--O-----X-OOXO---XOXXO---XXOXO--XXXXOOO--XOOXXXX--OXXX---O-X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 33 discs"),
    at("--OO----X-OOOO---XOXXO---XXOXO--XXXXOOO-XXOOXXXXX-OXXX---O-X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 36 discs"),
    at("--OO----X-OOOO---XOXXOXX-XXOXOX-XXXXOXO-XXOOXXXXX-OXXX---O-X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 39 discs"),
];

#[rustfmt::skip]
static TUNING: [PaperPosition; 20] = [
    at("----------X------OXX-O---XXXOO----XOXX-----OO------------------- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 12 discs"),
    at("----------X-O----OXXOO---XXXXXX---XOOX-----OO------------------- O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 15 discs"),
    at("----------XOOO---OXXOXX--XXOXXX---XOOX-----OO------------------- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 18 discs"),
    at("--XO------OOOO---OXOXXX--XXXXXX---XOXX-----OOX------------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 21 discs"),
    at("--XO------OOOO--OOXOOXX--OXOXXX---OOXX---O-OXX-----X------------ X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 24 discs"),
    at("--XO------OOOO--OOXOOXX-XXXXXXX--OOOXX---O-XXX----XX------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 27 discs"),
    at("--XO-----XOOOO--OOXOOXX-OOXXOXX-OOOOXO---O-XXXO---XX------------ X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 30 discs"),
    at("-XXO-----XXOOO--OOXXOXX-OOXXXXX-OOOOXXX--OOOOOO---XX------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 33 discs"),
    at("-XXO-----XXOOO--OOXXOXX-OOXXXXX-OOOXXXX--OOXOOO---OO------OOO--- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 36 discs"),
    at("-XXO-----XXOOO--OOXXOXX-OOXXXOX-OOOXXXXX-OOXXXXO--OO-X----OOO--- O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 39 discs"),
    at("-------------------OOOX----OOXX----OOX-----OOXX-----O----------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 12 discs"),
    at("-------------X-----OOXX----OXXX----XOX----XOOOOO----O----------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 15 discs"),
    at("------------XX-----OXXX----OXXX---OOOX----OOOOOO--O-O----------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 18 discs"),
    at("------------XX-----OXXX----OXXX---OOOOOX--OOOOXO--O-OX---------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 21 discs"),
    at("----O------OOX-----OOXX----OXOX---OOOOOX--OOOOXX--O-OX-X-------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 24 discs"),
    at("--XXXX-----OOX-----OXXX----OXXX---OOOOXX--OOOOXX--O-OX-X-------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 27 discs"),
    at("--XXXX-----OOOO----OXOO----OOOOO--OOXOOX--OOXOXX--O-XX-X----X--- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 30 discs"),
    at("--XXXX-----OXOO---OOOOO---OOOOOO--OXXOOX--OOXXXX--O-XXXX----X--- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 33 discs"),
    at("--XXXX-----OXOO---OOOOO---OOOOOO--OXXOOX--OXOXXX--OOXXXX--OXX--- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 36 discs"),
    at("--XXXX----XXXOO--XXXOOO---XOXOOO--OXXOOX--OOOOXX--OOOOXX--OOOO-- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 39 discs"),
];

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn positions_are_what_they_say() {
        for set in [paper_set(), tuning_set()] {
            let texts: std::collections::HashSet<_> = set.iter().map(|position| position.text).collect();
            assert_eq!((set.len(), texts.len()), (20, 20));
            for position in set {
                let board: Board = position.text.parse().unwrap();
                let (_, placed) = position.source.rsplit_once("after ").unwrap();
                assert_eq!(format!("{} discs", 60 - board.empties()), placed);
                assert!(board.placements() != 0, "{}", position.text);
            }
        }
    }
}
