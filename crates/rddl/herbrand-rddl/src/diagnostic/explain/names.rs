//! E11xx: names.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::UnknownPvariable,
        "Declare every fluent and non-fluent in `pvariables`. Names are case-sensitive. A `-` between letters or digits \
         is part of a name: `x-1` is one name; write a difference as `x - 1`. Functions take square brackets: `cos[x]`.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level-1; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level - 1; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownType,
        "Declare types in the section `types` of the domain, as `object` or with a list of values. A parameter cannot \
         have the type `bool`, `int` or `real`.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamps) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnboundVariable,
        "A variable must be a parameter of the CPF, or be bound by an enclosing quantifier or aggregation.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?k); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownItem,
        "Enum values are declared with their type and written with `@`. Objects belong to instances, so a domain cannot \
         name them. Use a non-fluent to mark the object instead.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @blue; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownFunction,
        "Functions take square brackets, as in `abs[x]`; aggregations bind variables, as in `sum_{?x : t} […]`. New \
         functions cannot be declared. Define an interm-fluent instead.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = absolute[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = abs[level]; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DuplicateDeclaration,
        "Two types or two pvariables have the same name, two CPFs define the same fluent, or a value or object is \
         listed twice. A type and a pvariable may share a name.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DuplicateVariable,
        "The variables of one list must have different names.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { near(lamp, lamp) : { state-fluent, bool, default = false }; };\n  cpfs { near'(?l, ?l) = near(?l, ?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { near(lamp, lamp) : { state-fluent, bool, default = false }; };\n  cpfs { near'(?l, ?k) = near(?l, ?k); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ReservedName,
        "Reserved words cannot be declared as names. A prime is not part of a name: `x'` is the next value of the state \
         fluent `x`.",
        "domain lights {\n  pvariables { on' : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::AmbiguousItem,
        "Two enums have a value of this name, and the context does not decide between them. A value gets its type \
         from the expression on the other side of a comparison, the fluent that it is assigned to, or the parameter \
         that it is passed to.",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { b : { state-fluent, bool, default = false }; };\n  cpfs { b' = @red == @red; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; b : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; b' = colour == @red; };\n  reward = 0;\n}",
    ),
];
