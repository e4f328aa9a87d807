//! The positions of the paper's experiments, and others for tuning.
//!
//! Tournament number 1 of the WTHOR collection is the world championship: it has games in every year from 1977 to 2025 except
//! 2020 and 2021, when none was held. The games of a year are listed from the final down, so the first games of tournament 1
//! between the same two players are the final. Games are numbered from 0 in their file. Players are given by their numbers in
//! the collection.

use crate::paper::{PaperPosition, position};

/// Twenty positions at intervals of three discs from the first two games of the final of the world championship of 2014.
pub fn paper_set() -> &'static [PaperPosition] {
    &PAPER
}

/// Twenty positions of the same kind from the finals of 2012 and 2008, for tuning: nothing is tuned on the paper's positions.
pub fn tuning_set() -> &'static [PaperPosition] {
    &TUNING
}

#[rustfmt::skip]
static PAPER: [PaperPosition; 20] = [
    position("------------OO------OO----XXXO----XXOO----X-OO------O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 12 discs"),
    position("------------OO------OO----XXXOO---XXXXX---X-OOX-----O----------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 15 discs"),
    position("------------OO------OO-X--XXXOO---XXOOOO--XOOOX-----O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 18 discs"),
    position("------------OO----OXXXXX--XXXOX---XXOOXO--XOOOX-----O----------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 21 discs"),
    position("----------OXOO---OOXXXXX--OXOOX---XOOOXO--XOOOX-----O----------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 24 discs"),
    position("----------OXOO---OXXXXXX-XXXOOX--XXOOOXO--XOOOO-----OO---------- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 27 discs"),
    position("----------OXOO---OXXXXOX-XXXOOOO-XXXOXOO--XXXOOO---XOO---------- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 30 discs"),
    position("---X------OXXO-O-OXXXXOO-XXXOOOO-XXXOXOO--XXXOOO---XXO------X--- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 33 discs"),
    position("--XXO-----XXOO-O-OXXOXOO-XXXOOOO-XXXOXOO--XXXOOO---XOO-----OX--- X", "WTH_2014.wtb game 185 (55-1550, 28-36), after 36 discs"),
    position("--XXXX----XXXX-O-OXXOXOOOOOOOOOO-XXXOXOO--XXXOOO---XOO----XXX--- O", "WTH_2014.wtb game 185 (55-1550, 28-36), after 39 discs"),
    position("------------------XO------XXXO-----XXOO----XOOO---XO------------ X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 12 discs"),
    position("------------------XXX-----XXXO----XXOOO---XXOOO---XO------------ O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 15 discs"),
    position("------------------XXX-----XXXO---OOOOOO--OOXOOO---XX-------X---- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 18 discs"),
    position("------------------XXXO---XXXXO---OXOXOO--OOXXOO---XXX------X---- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 21 discs"),
    position("-------------O----XXOO---XXOXO---OOXXOO--OOXXOO---XXXX-----X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 24 discs"),
    position("----------XO-O----XXOO---XXOXO--XXXXXOO--XOXXOO---XXXX-----X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 27 discs"),
    position("--O-----X-OO-O---XOOOO---XXOXO--XXXXXOO--XOXXOO---XXXX-----X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 30 discs"),
    position("--O-----X-OOXO---XOXXO---XXOXO--XXXXOOO--XOOXXXX--OXXX---O-X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 33 discs"),
    position("--OO----X-OOOO---XOXXO---XXOXO--XXXXOOO-XXOOXXXXX-OXXX---O-X--X- X", "WTH_2014.wtb game 186 (1550-55, 28-36), after 36 discs"),
    position("--OO----X-OOOO---XOXXOXX-XXOXOX-XXXXOXO-XXOOXXXXX-OXXX---O-X--X- O", "WTH_2014.wtb game 186 (1550-55, 28-36), after 39 discs"),
];

#[rustfmt::skip]
static TUNING: [PaperPosition; 20] = [
    position("----------X------OXX-O---XXXOO----XOXX-----OO------------------- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 12 discs"),
    position("----------X-O----OXXOO---XXXXXX---XOOX-----OO------------------- O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 15 discs"),
    position("----------XOOO---OXXOXX--XXOXXX---XOOX-----OO------------------- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 18 discs"),
    position("--XO------OOOO---OXOXXX--XXXXXX---XOXX-----OOX------------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 21 discs"),
    position("--XO------OOOO--OOXOOXX--OXOXXX---OOXX---O-OXX-----X------------ X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 24 discs"),
    position("--XO------OOOO--OOXOOXX-XXXXXXX--OOOXX---O-XXX----XX------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 27 discs"),
    position("--XO-----XOOOO--OOXOOXX-OOXXOXX-OOOOXO---O-XXXO---XX------------ X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 30 discs"),
    position("-XXO-----XXOOO--OOXXOXX-OOXXXXX-OOOOXXX--OOOOOO---XX------------ O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 33 discs"),
    position("-XXO-----XXOOO--OOXXOXX-OOXXXXX-OOOXXXX--OOXOOO---OO------OOO--- X", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 36 discs"),
    position("-XXO-----XXOOO--OOXXOXX-OOXXXOX-OOOXXXXX-OOXXXXO--OO-X----OOO--- O", "WTH_2012.wtb game 368 (2668-2594, 22-42), after 39 discs"),
    position("-------------------OOOX----OOXX----OOX-----OOXX-----O----------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 12 discs"),
    position("-------------X-----OOXX----OXXX----XOX----XOOOOO----O----------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 15 discs"),
    position("------------XX-----OXXX----OXXX---OOOX----OOOOOO--O-O----------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 18 discs"),
    position("------------XX-----OXXX----OXXX---OOOOOX--OOOOXO--O-OX---------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 21 discs"),
    position("----O------OOX-----OOXX----OXOX---OOOOOX--OOOOXX--O-OX-X-------- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 24 discs"),
    position("--XXXX-----OOX-----OXXX----OXXX---OOOOXX--OOOOXX--O-OX-X-------- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 27 discs"),
    position("--XXXX-----OOOO----OXOO----OOOOO--OOXOOX--OOXOXX--O-XX-X----X--- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 30 discs"),
    position("--XXXX-----OXOO---OOOOO---OOOOOO--OXXOOX--OOXXXX--O-XXXX----X--- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 33 discs"),
    position("--XXXX-----OXOO---OOOOO---OOOOOO--OXXOOX--OXOXXX--OOXXXX--OXX--- X", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 36 discs"),
    position("--XXXX----XXXOO--XXXOOO---XOXOOO--OXXOOX--OOOOXX--OOOOXX--OOOO-- O", "WTH_2008.wtb game 433 (1966-1162, 34-30), after 39 discs"),
];

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn positions_match_their_sources() {
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
