//! Colours. Each algorithm has the same colour in all figures. The colours are distinguishable for colour-blind readers, in
//! print and on dark pages.

use emtee::Algorithm;
use emtee::research::Strategy;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// The colour of the text.
    Text,
    Blue,
    Vermilion,
    Green,
    Pink,
    Orange,
    Brown,
    Violet,
    Sky,
    Grey,
}

impl Colour {
    /// The name of its CSS class.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Colour::Text => "t",
            Colour::Blue => "b",
            Colour::Vermilion => "v",
            Colour::Green => "g",
            Colour::Pink => "p",
            Colour::Orange => "o",
            Colour::Brown => "n",
            Colour::Violet => "i",
            Colour::Sky => "k",
            Colour::Grey => "y",
        }
    }

    /// The colour of an algorithm.
    pub(crate) const fn of(algorithm: Algorithm) -> Colour {
        match algorithm {
            Algorithm::MtdF => Colour::Blue,
            Algorithm::MtdFFigure8 => Colour::Sky,
            Algorithm::MtdGallop { .. } => Colour::Vermilion,
            Algorithm::Sss | Algorithm::StockmanSss => Colour::Pink,
            Algorithm::Dual | Algorithm::StockmanDual => Colour::Green,
            Algorithm::MtdBi => Colour::Orange,
            Algorithm::MtdStep { .. } => Colour::Brown,
            Algorithm::MtdBest(Strategy::ProveBest) => Colour::Violet,
            Algorithm::MtdBest(Strategy::DisproveRest) => Colour::Orange,
            Algorithm::MtdBest(Strategy::Separate) => Colour::Brown,
            Algorithm::NegaScout | Algorithm::Scout => Colour::Grey,
            _ => Colour::Text,
        }
    }
}

/// The style sheet of every figure. The colours are lighter on dark pages.
pub(crate) const STYLE: &str = "\
.emtee{color:#1d1d1f;font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;font-size:11px}\
.emtee text{fill:currentColor}.emtee .h{font-size:13px;font-weight:600}.emtee .q{font-size:10.5px;fill-opacity:.72}\
.emtee .a{stroke:currentColor;stroke-width:.8;fill:none}.emtee .r{stroke:currentColor;stroke-opacity:.13;stroke-width:.7}\
.emtee .z{stroke:currentColor;stroke-opacity:.75;stroke-width:.9;stroke-dasharray:1.5 2.5}\
.emtee .l{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}.emtee .w{stroke-width:2.8}\
.emtee .d{stroke-dasharray:5 3.2}.emtee .c{stroke-width:.7;stroke-opacity:.6;fill:none}\
.emtee .e{stroke-width:1.1;fill:none;stroke-opacity:.7}.emtee .m{stroke:none}.emtee .u{stroke:none;fill-opacity:.14}\
.emtee .s-t{stroke:currentColor}.emtee .f-t{fill:currentColor}\
.emtee .s-b{stroke:#0068a8}.emtee .f-b,.emtee text.f-b{fill:#0068a8}\
.emtee .s-v{stroke:#c64a00}.emtee .f-v,.emtee text.f-v{fill:#c64a00}\
.emtee .s-g{stroke:#00805c}.emtee .f-g,.emtee text.f-g{fill:#00805c}\
.emtee .s-p{stroke:#b8568c}.emtee .f-p,.emtee text.f-p{fill:#b8568c}\
.emtee .s-o{stroke:#c07f00}.emtee .f-o,.emtee text.f-o{fill:#a86f00}\
.emtee .s-n{stroke:#7a5230}.emtee .f-n,.emtee text.f-n{fill:#7a5230}\
.emtee .s-i{stroke:#6a4fb3}.emtee .f-i,.emtee text.f-i{fill:#6a4fb3}\
.emtee .s-k{stroke:#3a9bd0}.emtee .f-k,.emtee text.f-k{fill:#2b86b8}\
.emtee .s-y{stroke:#7b7b80}.emtee .f-y,.emtee text.f-y{fill:#6b6b70}\
@media (prefers-color-scheme:dark){.emtee{color:#e6e6e9}\
.emtee .s-b{stroke:#5eb3f0}.emtee .f-b,.emtee text.f-b{fill:#5eb3f0}\
.emtee .s-v{stroke:#ff8a47}.emtee .f-v,.emtee text.f-v{fill:#ff8a47}\
.emtee .s-g{stroke:#35c79b}.emtee .f-g,.emtee text.f-g{fill:#35c79b}\
.emtee .s-p{stroke:#ea94c2}.emtee .f-p,.emtee text.f-p{fill:#ea94c2}\
.emtee .s-o{stroke:#f0b23d}.emtee .f-o,.emtee text.f-o{fill:#f0b23d}\
.emtee .s-n{stroke:#c99a6f}.emtee .f-n,.emtee text.f-n{fill:#c99a6f}\
.emtee .s-i{stroke:#b09cf0}.emtee .f-i,.emtee text.f-i{fill:#b09cf0}\
.emtee .s-k{stroke:#8fd0f5}.emtee .f-k,.emtee text.f-k{fill:#8fd0f5}\
.emtee .s-y{stroke:#a5a5ab}.emtee .f-y,.emtee text.f-y{fill:#a5a5ab}}";
