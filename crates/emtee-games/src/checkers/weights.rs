//! The weights of the evaluation, for the opening and for the ending, made by
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt`
//! from 9,377 games of the American Checker Federation and those of Tinsley against Chinook, 1992 and 1994.
//! The logit of the expected result, times 55, is the evaluation in points; a man is worth about 100.

pub(super) const WEIGHTS: [[i16; 2]; 95] = [
    [56, 144],  // man
    [124, 189], // king
    [23, 7],    // man on 1
    [26, 10],   // man on 2
    [21, 13],   // man on 3
    [9, -15],   // man on 4
    [13, 0],    // man on 5
    [24, -7],   // man on 6
    [25, -8],   // man on 7
    [10, -6],   // man on 8
    [6, 1],     // man on 9
    [15, -7],   // man on 10
    [3, 2],     // man on 11
    [-9, 8],    // man on 12
    [-4, 7],    // man on 13
    [-2, 4],    // man on 14
    [2, 3],     // man on 15
    [-8, 8],    // man on 16
    [-1, -3],   // man on 17
    [-19, 13],  // man on 18
    [-14, 12],  // man on 19
    [-20, 13],  // man on 20
    [-39, -1],  // man on 21
    [2, 3],     // man on 22
    [-20, 23],  // man on 23
    [-33, 12],  // man on 24
    [-11, -7],  // man on 25
    [-3, -6],   // man on 26
    [-13, 0],   // man on 27
    [-17, 1],   // man on 28
    [-2, -1],   // king on 1
    [2, 4],     // king on 2
    [-1, -2],   // king on 3
    [-3, -3],   // king on 4
    [-3, -9],   // king on 5
    [3, 13],    // king on 6
    [5, 14],    // king on 7
    [-2, -8],   // king on 8
    [2, 10],    // king on 9
    [5, 23],    // king on 10
    [1, 2],     // king on 11
    [3, 6],     // king on 12
    [0, 3],     // king on 13
    [0, 18],    // king on 14
    [5, 18],    // king on 15
    [1, 0],     // king on 16
    [6, 3],     // king on 17
    [9, 14],    // king on 18
    [4, 9],     // king on 19
    [-1, -9],   // king on 20
    [-6, 0],    // king on 21
    [5, -4],    // king on 22
    [0, 10],    // king on 23
    [0, -6],    // king on 24
    [2, -2],    // king on 25
    [-1, -2],   // king on 26
    [-3, -4],   // king on 27
    [5, -11],   // king on 28
    [-24, -26], // king on 29
    [-12, 0],   // king on 30
    [-3, -6],   // king on 31
    [-12, -11], // king on 32
    [-15, 2],   // back rank empty
    [-5, -5],   // back rank 1
    [-4, -1],   // back rank 2
    [6, 4],     // back rank 1 2
    [6, -11],   // back rank 3
    [4, 9],     // back rank 1 3
    [-5, 6],    // back rank 2 3
    [4, 9],     // back rank 1 2 3
    [-12, -3],  // back rank 4
    [-3, -11],  // back rank 1 4
    [1, 2],     // back rank 2 4
    [7, -7],    // back rank 1 2 4
    [-6, 1],    // back rank 3 4
    [3, 4],     // back rank 1 3 4
    [9, -6],    // back rank 2 3 4
    [13, 3],    // back rank 1 2 3 4
    [-10, 20],  // runaway 1 from the king row
    [13, -4],   // runaway 2 from the king row
    [-3, 3],    // runaway 3 from the king row
    [2, 4],     // runaway 4 from the king row
    [-2, 3],    // safe steps of men
    [0, 2],     // safe steps of kings
    [-31, -14], // trapped kings
    [-2, -6],   // men without a safe step
    [2, 6],     // men without a step
    [-27, -13], // man in the dog hole
    [-13, 0],   // the only kings
    [-2, 1],    // pairs, diagonal 1
    [-3, 2],    // pairs, diagonal 2
    [-5, -3],   // threatened by one piece
    [-4, -3],   // threatened by several
    [-1, 3],    // the move
    [-5, 2],    // the right to move
];
