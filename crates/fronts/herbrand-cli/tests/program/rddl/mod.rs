//! Problems in RDDL: the commands, by what they are for. The problems that several tests use are here.

mod analyses;
mod faults;
mod language;
mod plans;
mod policies;
mod walks;

use crate::run::Scratch;

const DOMAIN: &str = "\
// lights that can be pressed
domain lights {
  types { lamp : object; };
  pvariables {
    on(lamp) : { state-fluent, bool, default = false };
    press(lamp) : { action-fluent, bool, default = false };
  };
  cpfs { on'(?l) = on(?l) | press(?l); };
  reward = sum_{?l : lamp} on(?l);
}

";

const EVENING: &str = "\
non-fluents flat { domain = lights; objects { lamp : { hall, attic }; }; }
instance evening { domain = lights; non-fluents = flat; init-state { on(hall); }; horizon = 9; discount = 1.0; }
instance night { domain = lights; non-fluents = flat; horizon = 5; discount = 1.0; }
";

/// A folder with a domain and two instances; the names of the files do not tell the language.
fn lights(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.txt", DOMAIN);
    scratch.write("evening.txt", EVENING);
    scratch
}

const SHOP: &str = "\
domain shop {
  types { product : object; };
  pvariables {
    PRICE(product) : { non-fluent, int, default = 2 };
    stock(product) : { state-fluent, int, default = 5 };
    sold(product) : { interm-fluent, int };
    order(product) : { action-fluent, int, default = 0 };
    open : { action-fluent, bool, default = false };
  };
  cpfs {
    sold(?p) = if (open) then min[stock(?p), Poisson(1.5)] else 0;
    stock'(?p) = min[50, stock(?p) - sold(?p) + order(?p)];
  };
  reward = sum_{?p : product} [PRICE(?p) * sold(?p) - order(?p)];
  action-preconditions {
    forall_{?p : product} [order(?p) >= 0 ^ order(?p) <= 10];
    open => ([sum_{?p : product} stock(?p)] >= 2);
  };
  state-invariants { forall_{?p : product} [stock(?p) >= 0]; };
}

instance corner { domain = shop; objects { product : { apple, pear }; }; horizon = 4; discount = 1.0; }
";

fn shop(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("shop.rddl", SHOP);
    scratch
}

/// One real fluent that this formula changes when `go` is set, and pays.
fn growth(name: &str, formula: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "growth.rddl",
        &format!(
            "domain growth {{
               pvariables {{
                 s : {{ state-fluent, real, default = 1.0 }};
                 go : {{ action-fluent, bool, default = false }};
               }};
               cpfs {{ s' = if (go) then {formula} else s; }};
               reward = s;
             }}
             instance g {{ domain = growth; max-nondef-actions = 1; horizon = 4; discount = 1.0; }}"
        ),
    );
    scratch
}

/// Four lamps to press, and orders of two things; `limit` is a part of the instance.
fn counted(name: &str, limit: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "press.rddl",
        &format!(
            "domain press {{
               types {{ lamp : object; }};
               pvariables {{
                 on(lamp) : {{ state-fluent, bool, default = false }};
                 press(lamp) : {{ action-fluent, bool, default = false }};
               }};
               cpfs {{ on'(?l) = on(?l) | press(?l); }};
               reward = sum_{{?l : lamp}} on(?l);
               action-preconditions {{ forall_{{?l : lamp}} [press(?l) => ~on(?l)]; }};
             }}
             non-fluents four {{ domain = press; objects {{ lamp : {{ a, b, c, e }}; }}; }}
             instance i {{ domain = press; non-fluents = four; {limit} horizon = 1; discount = 1.0; }}"
        ),
    );
    scratch.write(
        "order.rddl",
        "domain shop {
           types { fruit : object; };
           pvariables {
             stock(fruit) : { state-fluent, int, default = 2 };
             order(fruit) : { action-fluent, int, default = 0 };
           };
           cpfs { stock'(?f) = stock(?f) + order(?f); };
           reward = 0;
           action-preconditions { forall_{?f : fruit} [order(?f) >= 0 ^ order(?f) <= 10]; };
         }
         non-fluents two { domain = shop; objects { fruit : { apple, pear }; }; }
         instance bounded { domain = shop; non-fluents = two; horizon = 3; discount = 1.0; }",
    );
    let text = scratch.read("order.rddl");
    let (bounds, free) = ("order(?f) >= 0 ^ order(?f) <= 10", "order(?f) >= 0");
    scratch.write("free.rddl", &text.replace(bounds, free));
    scratch.write(
        "linked.rddl",
        &text.replace(bounds, "order(?f) >= 0 ^ order(?f) <= stock(?f)"),
    );
    scratch
}

/// Burning is allowed in the first two steps. The fifth step breaks the invariant.
const TANK: &str = "\
domain tank {
  pvariables {
    fuel : { state-fluent, int, default = 3 };
    burn : { action-fluent, bool, default = false };
  };
  cpfs { fuel' = fuel - 1; };
  reward = if (burn) then 0.1 else 0.0;
  action-preconditions { burn => (fuel >= 2); };
  state-invariants { fuel >= -1; };
}

";

const FULL: &str = "instance full { domain = tank; horizon = 6; discount = 0.9; }\n";

fn tank(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.rddl", TANK);
    scratch.write("first.rddl", FULL);
    scratch
}
