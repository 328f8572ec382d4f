//! The texts of the other tests.

use crate::client::Client;

pub(crate) const DOMAIN: &str = "file:///models/domain.pddl";
pub(crate) const PROBLEM: &str = "file:///models/p01.pddl";

pub(crate) const DELIVERY: &str = "\
(define (domain delivery)
  (:requirements :strips :typing)
  (:types truck package - thing
          thing place - object)
  (:constants depot - place)
  (:predicates
    ; where a thing is
    (at ?x - thing ?p - place)
    (road ?from ?to - place)
    (inside ?x - package ?t - truck))
  ; drives to another place
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to)))
  (:action load
    :parameters (?x - package ?t - truck ?p - place)
    :precondition (and (at ?x ?p) (at ?t ?p))
    :effect (and (not (at ?x ?p)) (inside ?x ?t)))
  (:action unload
    :parameters (?x - package ?t - truck ?p - place)
    :precondition (and (inside ?x ?t) (at ?t ?p))
    :effect (and (not (inside ?x ?t)) (at ?x ?p))))
";

pub(crate) const MORNING: &str = "\
(define (problem morning)
  (:domain delivery)
  (:objects lorry - truck
            letter - package
            town - place)
  (:init (at lorry depot) (at letter town) (road depot town) (road town depot))
  (:goal (at letter depot)))
";

pub(crate) const LIGHTS: &str = "file:///models/lights.rddl";
pub(crate) const EVENING: &str = "file:///models/evening.rddl";

pub(crate) const LIGHTS_TEXT: &str = "\
domain lights {
    types {
        lamp : object;
        hue : { @red, @green };
    };
    pvariables {
        // how likely a lamp goes out
        FADE(lamp) : { non-fluent, real, default = 0.1 };
        on(lamp) : { state-fluent, bool, default = false };
        colour : { state-fluent, hue, default = @red };
        press(lamp) : { action-fluent, bool, default = false };
    };
    cpfs {
        on'(?l) = if (press(?l)) then ~on(?l) else on(?l) ^ ~Bernoulli(FADE(?l));
        colour' = if (exists_{?l : lamp} [press(?l)]) then @green else colour;
    };
    reward = sum_{?l : lamp} on(?l);
}
";

pub(crate) const EVENING_TEXT: &str = "\
non-fluents rooms {
    domain = lights;
    objects { lamp : { hall, kitchen }; };
    non-fluents { FADE(hall) = 0.2; };
}
instance evening {
    domain = lights;
    non-fluents = rooms;
    init-state { on(hall); };
    max-nondef-actions = 1;
    horizon = 20;
    discount = 1.0;
}
";

/// A client with all texts open.
pub(crate) fn opened() -> Client {
    let mut client = Client::start(None);
    for (uri, text) in [
        (DOMAIN, DELIVERY),
        (PROBLEM, MORNING),
        (LIGHTS, LIGHTS_TEXT),
        (EVENING, EVENING_TEXT),
    ] {
        client.open(uri, text);
    }
    client
}

/// The texts of a folder: their names and contents.
pub(crate) type Folder = Vec<(&'static str, &'static str)>;

/// Returns the bundled domains in both languages, each with its domain and its shortest problem.
pub(crate) fn bundled() -> Vec<(String, Folder)> {
    let mut folders: std::collections::BTreeMap<&str, Folder> = std::collections::BTreeMap::new();
    let pddl = herbrand_domains::pddl().filter(|(path, _)| path.ends_with(".pddl"));
    let rddl = herbrand_domains::rddl().filter(|(path, _)| path.ends_with(".rddl"));
    for (path, text) in pddl.chain(rddl) {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        folders.entry(folder).or_default().push((path, text));
    }
    let pair = |(folder, files): (&str, Folder)| {
        let is_domain =
            |file: &&(&str, &str)| file.0.ends_with("domain.pddl") || file.0.ends_with("domain.rddl");
        let domain = files.iter().find(is_domain).copied();
        let problem = files
            .iter()
            .filter(|file| !is_domain(file))
            .min_by_key(|(_, text)| text.len())
            .copied();
        (folder.to_owned(), domain.into_iter().chain(problem).collect())
    };
    folders.into_iter().map(pair).collect()
}
