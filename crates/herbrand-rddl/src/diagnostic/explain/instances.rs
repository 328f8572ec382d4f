//! E14xx: instances.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MissingBlock,
        "The instance uses a block of non-fluents by name, and no text that was given has one of that name.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\nnon-fluents lamps { domain = lights; }\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::WrongKind,
        "`non-fluents` sets values of non-fluents, and `init-state` those of state fluents. Other fluents are \
         computed, or chosen by whoever acts.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents { on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::ConflictingValues,
        "One ground fluent is given two different values, of which one would have no effect.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; ~on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::MissingObjects,
        "A type without objects leaves nothing to speak of: fluents over it have no ground variables, and a \
         least or greatest value does not exist.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; objects { lamp : { l1 }; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::TooManyGround,
        "A fluent has one ground variable for each combination of objects. There are more than 2^32 of them.",
        "",
        "",
    ),
    Explanation::new(
        Code::MissingSetting,
        "An instance states its domain, a horizon and a discount. `max-nondef-actions` may be left out: there \
         is no limit then.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
];
