//! W11xx: text that is accepted but may not mean what was intended.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DifferenceName,
        "The declared name looks like a difference of two other names, or of a name and a number. In formulas, \
         `level-1` without spaces is this name, even if you mean a difference. Choose another name.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; level-1 : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = level-1; };\n  reward = level;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; first : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = first; };\n  reward = level;\n}",
    ),
    Explanation::new(
        Code::ScientificNotation,
        "The original RDDL has no exponents, so other programs may reject this number. Write it without one.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1.5e3; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1500.0; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::GreedyBody,
        "The body of an aggregation or quantifier extends as far right as possible, even past a closing bracket. So \
         `sum_{?x : t} [1] + 10` is the sum of `[1] + 10`, which is 22 for two objects. Put brackets around the whole \
         aggregation, or around the whole body.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = sum_{?l : lamp} [lit(?l)] - 10;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = (sum_{?l : lamp} [lit(?l)]) - 10;\n}",
    ),
    Explanation::new(
        Code::BareValue,
        "Write enum values with `@`. Without it, the name could also be a fluent's.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = green; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ShadowedVariable,
        "The inner variable has the same name as an outer one. Inside this construct, the name refers to the inner \
         variable, so the outer one cannot be used there. Other programs reject such text. Rename one of them.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?l : lamp} lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?k : lamp} lit(?k); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownRequirement,
        "The requirement is not part of RDDL. It is ignored, like all requirements: they do not change how a text is \
         read.",
        "domain lights {\n  requirements = { reward-determinstic };\n  reward = 0;\n}",
        "domain lights {\n  requirements = { reward-deterministic };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TightNot,
        "`~` applies only to the operand directly after it: `~a == b` is read as `(~a) == b`. Write `(~a) == b` or \
         `~(a == b)`, whichever you mean.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on == true; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~(on == true); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::RepeatedSetting,
        "The same value is given twice. The second one has no effect; remove it.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::UnusedPvariable,
        "No formula reads this non-fluent or action fluent, so its value has no effect.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::MissingDefault,
        "The default of an action fluent is its value in steps where the agent does not set it. Without one, the \
         default is `false`, 0, or the first value of its type. A non-fluent with neither a default nor a value in \
         the instance is 0, or the first object or enum value. A bool non-fluent is then `false`, and there is no \
         warning.",
        "domain lights {\n  pvariables { press : { action-fluent, bool }; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::DomainMismatch,
        "The instance or its non-fluents name a domain other than the given one. They are checked against the given \
         domain all the same. Check that they belong together.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = light; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::ParameterOutOfRange,
        "The distribution is not defined for this number, so a step that draws from it fails. Correct the number.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(1.5); };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(0.5); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ChainedComparison,
        "Comparisons do not chain: `0 <= level <= 9` is read as `(0 <= level) <= 9`, which compares a bool with 9, and so it \
         always holds. Write two comparisons with `^` between them. To compare the truth value of a comparison, put brackets \
         around it.",
        "domain lights {\n  pvariables { level : { state-fluent, int, default = 0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n  state-invariants { 0 <= level <= 9; };\n}",
        "domain lights {\n  pvariables { level : { state-fluent, int, default = 0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n  state-invariants { 0 <= level ^ level <= 9; };\n}",
    ),
    Explanation::new(
        Code::TruthAsNumber,
        "The fluent has numbers, but its value is `true` or `false`. It is read as 1 or 0. Write the number, or declare the \
         fluent as a bool.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = true }; };\n  cpfs { level' = level; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 1.0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::NoActions,
        "With `max-nondef-actions = 0`, no joint action may set an action fluent, so every step takes no action. Write \
         `pos-inf` for no limit.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n  cpfs { on' = press; };\n  reward = on;\n}\ninstance evening { domain = lights; max-nondef-actions = 0; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n  cpfs { on' = press; };\n  reward = on;\n}\ninstance evening { domain = lights; max-nondef-actions = 1; horizon = 10; discount = 1.0; }",
    ),
];
