//! E12xx: ranges and arguments.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::TypeMismatch,
        "A bool converts to an int (0 or 1), and an int to a real, but never the other way round: `1.0` is not an int. \
         Enum values and objects can only be compared by `==` and `~=`, with one of the same type. `/` returns a real; \
         `div[a, b]` returns an int.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = count / 2; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = div[count, 2]; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ArityMismatch,
        "A fluent takes one argument for each declared parameter. Each function and distribution takes a fixed number \
         of arguments. For the minimum of three numbers, write `min[a, min[b, c]]`.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit; };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::NumberOutOfRange,
        "Ints are 64-bit, and reals are double-precision. A horizon is at least 1, and a discount is from 0 to 1. The \
         probabilities of a `Discrete` add up to 1, up to a difference of 0.00001.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999999999999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::IncompleteSwitch,
        "A `switch` needs a case for each value of the enum, or a `default`.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green }; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green, default : @red }; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DuplicateCase,
        "Each value can have only one case. In a `Discrete`, one value may have the probability `otherwise`: 1 minus \
         the sum of the others.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @red : 0.5); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @green : 0.5); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedArgument,
        "An argument of a fluent must be a variable, an enum value, another fluent, `argmax`, `argmin` or \
         `Discrete_{…}`. For any other expression, define an interm-fluent and pass that.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; lit'(?h) = lit(if (lit(?h)) then @red else @green); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; pick(hue) : { interm-fluent, hue }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; pick(?h) = if (lit(?h)) then @red else @green; lit'(?h) = lit(pick(?h)); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::VectorIndex,
        "`MultivariateNormal[?i](m(_), C(_, _))` is component `?i` of a random vector. The index is a variable. The \
         parameters are fluents in which `_` stands for the index of a component: a vector such as `m` has one `_` \
         among its arguments, a matrix such as `C` two. The rows and columns of a matrix must have the same type.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(?l)); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(_)); };\n  reward = 0;\n}",
    ),
];
