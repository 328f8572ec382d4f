//! W11xx: text that is accepted but may not mean what was intended.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DifferenceName,
        "The declared name reads as a difference of two other names, or of a name and a number. Whoever \
         writes it without spaces gets this name, whatever is meant.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; level-1 : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = level-1; };\n  reward = level;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; first : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = first; };\n  reward = level;\n}",
    ),
    Explanation::new(
        Code::ScientificNotation,
        "The original language has no exponents, so that other programs refuse the number.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1.5e3; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1500.0; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::GreedyBody,
        "The body of an aggregation or a quantifier reaches as far right as it can, past brackets that it \
         begins with: `sum_{?x : t} [1] + 10` over two objects is 22. Put brackets around the whole, or \
         around the body.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = sum_{?l : lamp} [lit(?l)] - 10;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = (sum_{?l : lamp} [lit(?l)]) - 10;\n}",
    ),
    Explanation::new(
        Code::BareValue,
        "Enum values are written with `@`. Without it, a fluent of the same name would be meant instead.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = green; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ShadowedVariable,
        "Inside of this construct the outer variable cannot be read. Other programs refuse it.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?l : lamp} lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?k : lamp} lit(?k); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownRequirement,
        "Requirements have no effect: everything that the language has is supported. This one is not known at \
         all.",
        "domain lights {\n  requirements = { reward-determinstic };\n  reward = 0;\n}",
        "domain lights {\n  requirements = { reward-deterministic };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TightNot,
        "`~` applies to the operand right behind it, before any comparison: `~a == b` is `(~a) == b`.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on == true; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~(on == true); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::RepeatedSetting,
        "The same value is given twice, which has no effect.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::UnusedPvariable,
        "No formula reads this non-fluent or action fluent, so that its value has no effect.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::MissingDefault,
        "The default of an action fluent is its value when it is not acted with. Without one it is false, 0, \
         or the first item of its type.",
        "domain lights {\n  pvariables { press : { action-fluent, bool }; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::DomainMismatch,
        "An instance and its non-fluents name the domain that they are for, and are read with another one. Everything \
         in them is checked against the domain that is there.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = light; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
];
