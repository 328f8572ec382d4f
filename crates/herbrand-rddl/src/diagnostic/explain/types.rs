//! E12xx: ranges and arguments.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::TypeMismatch,
        "A bool counts as 0 or 1 where an int is needed, and an int is a real where a real is needed; never \
         the other way round, and `1.0` is no int. Items of one type are compared with `==` and `~=` only. \
         `/` gives a real; `div[a, b]` gives an int.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = count / 2; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = div[count, 2]; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ArityMismatch,
        "A fluent takes as many arguments as it is declared with parameters, and each function and \
         distribution a fixed number. For the least of three numbers write `min[a, min[b, c]]`.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit; };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::NumberOutOfRange,
        "Ints have 64 bits, and reals are doubles. A horizon is at least 1, and a discount is from 0 to 1.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999999999999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::IncompleteSwitch,
        "A switch has a case for each value of the enum, or a `default`.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green }; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green, default : @red }; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DuplicateCase,
        "A value can have one case, as the other would have no effect. In a `Discrete`, one item may have \
         `otherwise`, which is what the others leave of 1.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @red : 0.5); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @green : 0.5); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedArgument,
        "The arguments of a fluent are variables, enum values, other fluents, `argmax`, `argmin` and \
         `Discrete_{…}`. Give anything else a name with an interm-fluent.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; lit'(?h) = lit(if (lit(?h)) then @red else @green); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; pick(hue) : { interm-fluent, hue }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; pick(?h) = if (lit(?h)) then @red else @green; lit'(?h) = lit(pick(?h)); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::VectorIndex,
        "`MultivariateNormal[?i](m(_), C(_, _))` is component ?i of a vector; each parameter of the \
         distribution is a fluent with `_` where the components are. A matrix has rows and columns over one \
         type.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(?l)); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(_)); };\n  reward = 0;\n}",
    ),
];
