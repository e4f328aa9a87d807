//! The weights of the evaluation, for the opening and for the ending. Made by
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt` from 9358 games of the
//! American Checker Federation and of Tinsley against Chinook, Boston 1994. The match of London 1992 and every other
//! game with a position of the paper's set are excluded. The logit of the expected result, times 56, is the evaluation
//! in points; a man is worth about 100.

pub(super) const WEIGHTS: [[i16; 2]; 95] = [
    [58, 142],  // man
    [125, 191], // king
    [24, 5],    // man on 1
    [26, 10],   // man on 2
    [22, 13],   // man on 3
    [8, -14],   // man on 4
    [13, 1],    // man on 5
    [23, -7],   // man on 6
    [24, -7],   // man on 7
    [10, -7],   // man on 8
    [4, 1],     // man on 9
    [14, -5],   // man on 10
    [3, 1],     // man on 11
    [-10, 9],   // man on 12
    [-4, 9],    // man on 13
    [-1, 4],    // man on 14
    [2, 4],     // man on 15
    [-8, 8],    // man on 16
    [-1, -3],   // man on 17
    [-18, 12],  // man on 18
    [-14, 12],  // man on 19
    [-17, 12],  // man on 20
    [-41, 1],   // man on 21
    [1, 3],     // man on 22
    [-22, 23],  // man on 23
    [-32, 9],   // man on 24
    [-10, -9],  // man on 25
    [-3, -6],   // man on 26
    [-14, -3],  // man on 27
    [-12, -2],  // man on 28
    [-1, 0],    // king on 1
    [3, 6],     // king on 2
    [-1, -7],   // king on 3
    [-2, -1],   // king on 4
    [-2, -7],   // king on 5
    [2, 15],    // king on 6
    [4, 13],    // king on 7
    [-3, -9],   // king on 8
    [3, 6],     // king on 9
    [1, 19],    // king on 10
    [1, 6],     // king on 11
    [1, 3],     // king on 12
    [-4, -6],   // king on 13
    [1, 17],    // king on 14
    [3, 19],    // king on 15
    [1, 3],     // king on 16
    [9, 1],     // king on 17
    [9, 15],    // king on 18
    [0, 11],    // king on 19
    [-1, -6],   // king on 20
    [-2, 3],    // king on 21
    [6, -3],    // king on 22
    [-1, 10],   // king on 23
    [-5, -5],   // king on 24
    [4, -1],    // king on 25
    [5, -3],    // king on 26
    [-4, -2],   // king on 27
    [3, -10],   // king on 28
    [-14, -29], // king on 29
    [-9, -2],   // king on 30
    [-4, -5],   // king on 31
    [-19, -10], // king on 32
    [-15, 4],   // back rank empty
    [-4, -4],   // back rank 1
    [-5, -2],   // back rank 2
    [5, 4],     // back rank 1 2
    [6, -9],    // back rank 3
    [5, 8],     // back rank 1 3
    [-4, 4],    // back rank 2 3
    [3, 9],     // back rank 1 2 3
    [-12, -3],  // back rank 4
    [-6, -12],  // back rank 1 4
    [2, -1],    // back rank 2 4
    [7, -4],    // back rank 1 2 4
    [-8, 3],    // back rank 3 4
    [6, -1],    // back rank 1 3 4
    [8, -3],    // back rank 2 3 4
    [13, 4],    // back rank 1 2 3 4
    [-10, 20],  // runaway 1 from the king row
    [15, -4],   // runaway 2 from the king row
    [-6, 4],    // runaway 3 from the king row
    [1, 3],     // runaway 4 from the king row
    [-3, 4],    // safe steps of men
    [0, 2],     // safe steps of kings
    [-27, -16], // trapped kings
    [-2, -5],   // men without a safe step
    [2, 6],     // men without a step
    [-21, -19], // man in the dog hole
    [-15, -3],  // the only kings
    [-2, 2],    // pairs, diagonal 1
    [-3, 4],    // pairs, diagonal 2
    [-5, -3],   // threatened by one piece
    [-6, -4],   // threatened by several
    [-1, 2],    // the move
    [-5, 2],    // side to move
];
