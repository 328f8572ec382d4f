//! E11xx: names.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::UnknownPvariable,
        "Every fluent and non-fluent is declared in `pvariables`. Case matters. A `-` between letters or \
         digits is a part of the name: `x-1` is one name, and the difference is written `x - 1`. Functions \
         have square brackets: `cos[x]`.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level-1; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level - 1; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownType,
        "Types are declared in the section `types` of the domain, as `object` or with their values. `bool`, \
         `int` and `real` are no types of parameters.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamps) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnboundVariable,
        "A variable is a parameter of the CPF, or a quantifier or aggregation around it binds it.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?k); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownItem,
        "Enum values are declared with their type and written with `@`. Objects belong to instances, so a \
         domain cannot name them: let a non-fluent say which object is meant.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @blue; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownFunction,
        "Functions have square brackets, such as `abs[x]`, and aggregations have variables, such as `sum_{?x \
         : t} […]`. There is no other way to define one than an interm-fluent.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = absolute[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = abs[level]; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DuplicateDeclaration,
        "Two declarations use one name, or two CPFs define one fluent, or an object is listed twice.",
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
        "Words of the language cannot be declared. A prime belongs to no name: `x'` is the next value of the \
         state fluent `x`.",
        "domain lights {\n  pvariables { on' : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::AmbiguousItem,
        "Two enums have a value of this name, and nothing around it says which one is meant. Values take the \
         type of what they are compared with, assigned to or given to.",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { b : { state-fluent, bool, default = false }; };\n  cpfs { b' = @red == @red; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; b : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; b' = colour == @red; };\n  reward = 0;\n}",
    ),
];
