//! English from names: default templates, plurals, articles and negations.

use crate::vocabulary::{Parameter, TextObject, TextSymbol};

const PREPOSITIONS: &[&str] = &[
    "above", "against", "along", "around", "at", "behind", "below", "beneath", "beside", "between", "by",
    "for", "from", "in", "inside", "into", "near", "of", "on", "onto", "outside", "over", "through", "to",
    "under", "with", "within",
];
/// Words after *at* that are no things.
const PLACES_OF_STATE: &[&str] = &["base", "goal", "home", "rest", "target", "work"];
/// Words for places, as which types and parameters begin.
const PLACES: &[&str] = &[
    "area", "building", "cell", "city", "floor", "harbour", "house", "loc", "node", "place", "pos", "region",
    "room", "shop", "site", "spot", "station", "street", "tile", "ward", "waypoint",
];
const ADJECTIVES: &[&str] = &[
    "available",
    "busy",
    "calm",
    "clean",
    "clear",
    "closed",
    "cold",
    "dirty",
    "empty",
    "flat",
    "free",
    "full",
    "hot",
    "off",
    "on",
    "open",
    "ready",
    "safe",
    "shut",
    "tired",
];
/// Verbs whose only argument is the thing in the agent's hand.
const HOLDING: &[&str] = &["carrying", "grasping", "holding", "lifting", "wearing"];
/// Adjectives that are followed by *to*.
const TO: &[&str] = &[
    "adjacent",
    "attached",
    "connected",
    "joined",
    "linked",
    "next",
    "tied",
    "wired",
];
/// Participles that are followed by *to*, as those between things of one type are.
const GIVEN_TO: &[&str] = &[
    "allocated",
    "assigned",
    "bound",
    "fastened",
    "glued",
    "mapped",
    "matched",
    "sent",
    "moved",
];
/// Participles of verbs without an object, for sentences such as *the bus has arrived*.
const HAPPENED: &[&str] = &[
    "arrived",
    "collapsed",
    "crashed",
    "departed",
    "died",
    "escaped",
    "failed",
    "happened",
    "landed",
    "succeeded",
    "vanished",
    "won",
];
/// Verbs without an object, as participles and as commands.
const STAYING: &[&str] = &[
    "hiding", "living", "lying", "parking", "resting", "sitting", "sleeping", "standing", "staying",
    "waiting", "working", "hide", "live", "park", "rest", "sit", "sleep", "stand", "stay", "wait", "work",
];
/// Verbs of sentences, each with the preposition before a second thing.
const VERBS: &[(&str, &str)] = &[
    ("allows", ""),
    ("believes", ""),
    ("belongs", " to"),
    ("blocks", ""),
    ("carries", ""),
    ("contains", ""),
    ("faces", ""),
    ("fits", ""),
    ("hears", ""),
    ("holds", ""),
    ("hangs", " on"),
    ("knows", ""),
    ("lies", " in"),
    ("likes", ""),
    ("lives", " in"),
    ("needs", ""),
    ("opens", ""),
    ("owns", ""),
    ("points", " to"),
    ("requires", ""),
    ("sees", ""),
    ("sits", " on"),
    ("sleeps", " in"),
    ("stands", " on"),
    ("supports", ""),
    ("uses", ""),
    ("wants", ""),
    ("wears", ""),
    ("works", " in"),
];
/// Comparatives that do not end in *-ier*.
const COMPARATIVES: &[&str] = &[
    "better", "bigger", "brighter", "cheaper", "closer", "colder", "darker", "deeper", "faster", "fewer",
    "greater", "higher", "larger", "less", "lighter", "longer", "lower", "more", "nearer", "newer", "older",
    "shorter", "slower", "smaller", "stronger", "taller", "thicker", "thinner", "warmer", "weaker", "wider",
    "worse", "younger",
];
/// States of the weather and the hour: *it is* dark.
const WEATHER: &[&str] = &[
    "bright", "cloudy", "dark", "day", "foggy", "icy", "light", "night", "rainy", "raining", "snowing",
    "snowy", "stormy", "sunny", "windy",
];
/// Words before an adjective that are no things that have a state.
const DEGREES: &[&str] = &[
    "almost", "always", "fully", "half", "never", "not", "quite", "still", "too", "very",
];
/// Verbs of moving from one place to another.
const MOVING: &[&str] = &[
    "climb", "drive", "fly", "go", "jump", "move", "ride", "run", "sail", "swim", "travel", "walk",
];
/// Types of things that act.
const AGENTS: &[&str] = &[
    "agent", "chef", "child", "cook", "crew", "doctor", "driver", "human", "man", "nurse", "person", "pilot",
    "player", "robot", "soldier", "student", "teacher", "woman", "worker",
];
/// Types of things that an action uses.
const TOOLS: &[&str] = &["key", "tool"];
/// Verbs with someone who gets the thing.
const GIVING: &[&str] = &["give", "hand", "lend", "pass", "sell", "send", "throw"];
const SOURCES: &[&str] = &["from", "origin", "source", "start"];
const TARGETS: &[&str] = &["dest", "destination", "goal", "target", "to"];

/// Splits a name into words in lower case: at hyphens and underscores, and before a capital after a small letter.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if c == '-' || c == '_' || (was_small && c.is_uppercase()) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if let Some(last) = words.last_mut()
            && c != '-'
            && c != '_'
            // Braces and parentheses have a meaning in templates.
            && !"{}();\n".contains(c)
        {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the plural of a noun.
pub(crate) fn plural(noun: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| noun.ends_with(ending));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Returns a value with the noun that it counts: `1 litre`, `2 litres`.
pub(crate) fn value(value: &str, noun: Option<&str>) -> String {
    match noun {
        None => value.to_owned(),
        Some(noun) if value == "1" => format!("1 {noun}"),
        Some(noun) => format!("{value} {}", plural(noun)),
    }
}

/// Returns words with the article *a* or *an*.
pub(crate) fn with_article(words: &str) -> String {
    let is_vowel = words.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {words}", if is_vowel { "an" } else { "a" })
}

/// Returns the phrase for an object: its name after a noun for its type, unless the name begins with the noun.
pub(crate) fn object(object: &TextObject) -> String {
    let noun = object.types.first().map_or("", String::as_str);
    let noun = if noun == "object" {
        String::new()
    } else {
        words(noun).join(" ")
    };
    let name = words(&object.name).concat();
    if noun.is_empty() || name.starts_with(&noun.replace(' ', "")) {
        object.name.clone()
    } else {
        format!("{noun} {}", object.name)
    }
}

/// Returns the phrase for an object by a pattern such as `the {}`. After `a`, the article fits the name.
pub(crate) fn by_pattern(pattern: &str, name: &str) -> String {
    match pattern.strip_prefix("a {}") {
        Some(rest) => format!("{}{rest}", with_article(name)),
        None => pattern.replacen("{}", name, 1),
    }
}

/// Returns whether a word is a verb of sentences in the third person.
pub(crate) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|(verb, _)| *verb == word)
}

/// Returns whether a word is a participle of a verb without an object.
pub(crate) fn has_happened(word: &str) -> bool {
    is_one(word, HAPPENED)
}

/// Begins a sentence with a capital letter and ends it with a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest
        .next()
        .map(|c| c.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", rest.as_str())
}

fn is_one(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

/// Returns whether words are those of a parameter's type or name.
fn are_those_of(words: &[String], parameter: &Parameter) -> bool {
    let joined = words.concat();
    let mut names = parameter.types.iter().chain([&parameter.name]);
    names.any(|name| self::words(name).concat() == joined)
}

fn is_place(parameter: &Parameter) -> bool {
    let mut names = parameter.types.iter().chain([&parameter.name]);
    names.any(|name| PLACES.iter().any(|place| name.to_lowercase().starts_with(place)))
}

/// Returns whether the type of a parameter, or its name if it has none, is one of these words, perhaps with a number.
fn is_of(parameter: &Parameter, list: &[&str]) -> bool {
    let name = parameter.types.first().unwrap_or(&parameter.name).to_lowercase();
    list.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_'))
}

/// Returns the numbered slots from `first`, as a list.
fn slots(first: usize, count: usize) -> String {
    let slots: Vec<_> = (first..=count).map(|number| format!("{{{number}}}")).collect();
    match slots.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Returns the template for facts of a symbol, from its name, parameters and types.
pub(crate) fn fact(symbol: &TextSymbol) -> String {
    let words = words(&symbol.name);
    let all = words.join(" ");
    let count = symbol.parameters.len();
    if all.is_empty() {
        // A name without letters.
        let value = if symbol.has_value { " to {value}" } else { "" };
        return format!("it holds for {}{value}", slots(1, count));
    }
    if symbol.has_value {
        return match count {
            0 => format!("the {all} is {{value}}"),
            _ => format!("the {all} of {} is {{value}}", slots(1, count)),
        };
    }
    match symbol.parameters.as_slice() {
        [] => about_nothing(&words),
        [only] => about_one(&words, only),
        [first, second, ..] => {
            let same = first.types == second.types;
            let text = about_two(&words, first, second, same);
            match count {
                2 => text,
                3 if words.last().is_some_and(|last| last == "between") => format!("{text} and {{3}}"),
                _ => format!("{text} with {}", slots(3, count)),
            }
        }
    }
}

fn about_nothing(words: &[String]) -> String {
    match words {
        [subject @ .., last]
            if !subject.is_empty()
                && !is_one(&subject[0], &["all", "every", "no"])
                && (is_one(last, ADJECTIVES) || last.ends_with("ed")) =>
        {
            format!("the {} is {last}", subject.join(" "))
        }
        [only] if is_one(only, WEATHER) => format!("it is {only}"),
        _ => format!("{} is true", words.join(" ")),
    }
}

fn about_one(words: &[String], only: &Parameter) -> String {
    let all = words.join(" ");
    let (first, last) = (
        words.first().map_or("", String::as_str),
        words.last().map_or("", String::as_str),
    );
    let (before, rest) = (&words[..words.len() - 1], &words[1..]);
    let others = rest.join(" ");
    if is_one(last, PREPOSITIONS) {
        return match before {
            [] => format!("the agent is {last} {{1}}"),
            subject => format!("the {} is {last} {{1}}", subject.join(" ")),
        };
    }
    match first {
        "at" if !is_one(&others, PLACES_OF_STATE) => format!("the {others} is at {{1}}"),
        "at" => format!("{{1}} is at {others}"),
        _ if is_one(first, PREPOSITIONS) && is_place(only) => format!("the {others} is {first} {{1}}"),
        _ if is_one(first, PREPOSITIONS) => format!("{{1}} is {first} the {others}"),
        "has" | "have" if rest.is_empty() || are_those_of(rest, only) => "the agent has {1}".to_owned(),
        "have" => format!("{{1}} has {others}"),
        "has" | "is" | "can" => format!("{{1}} {all}"),
        _ if VERBS.iter().any(|(verb, _)| *verb == first) => format!("{{1}} {all}"),
        _ if is_one(first, HAPPENED) => format!("{{1}} has {all}"),
        _ if words.len() == 2
            && is_one(last, ADJECTIVES)
            && !is_one(first, DEGREES)
            && !is_one(first, ADJECTIVES)
            && !are_those_of(before, only) =>
        {
            format!("the {first} of {{1}} is {last}")
        }
        _ if words.len() == 2 && is_one(last, ADJECTIVES) && are_those_of(before, only) => {
            format!("{{1}} is {last}")
        }
        _ if is_one(first, HOLDING) && rest.is_empty() => format!("the agent is {first} {{1}}"),
        _ if words.len() > 1 && are_those_of(&words[words.len() - 1..], only) => {
            format!("{{1}} is {}", with_article(&all))
        }
        _ => format!("{{1}} is {all}"),
    }
}

fn about_two(words: &[String], one: &Parameter, two: &Parameter, same: bool) -> String {
    let all = words.join(" ");
    let (first, last) = (
        words.first().map_or("", String::as_str),
        words.last().map_or("", String::as_str),
    );
    let (before, rest) = (&words[..words.len() - 1], &words[1..]);
    if is_one(last, PREPOSITIONS) {
        return if are_those_of(before, one) {
            format!("{{1}} is {last} {{2}}")
        } else {
            format!("{{1}} is {all} {{2}}")
        };
    }
    let names_second = !rest.is_empty() && are_those_of(rest, two);
    match first {
        _ if is_one(first, PREPOSITIONS) && names_second => format!("{{1}} is {first} {{2}}"),
        "has" | "have" if rest.is_empty() || names_second => "{1} has {2}".to_owned(),
        "has" | "is" | "can" => format!("{{1}} {all} {{2}}"),
        _ if is_one(last, TO) => format!("{{1}} is {all} to {{2}}"),
        "same" if rest.is_empty() => "{1} is the same as {2}".to_owned(),
        "same" => format!("{{1}} has the {all} as {{2}}"),
        "different" if rest.is_empty() => "{1} is different from {2}".to_owned(),
        _ if is_one(last, COMPARATIVES) || (last.ends_with("ier") && same) => {
            format!("{{1}} is {all} than {{2}}")
        }
        _ if last == "than" => format!("{{1}} is {all} {{2}}"),
        _ if is_one(first, STAYING) && is_place(two) => format!("{{1}} is {all} at {{2}}"),
        "waiting" if rest.is_empty() => "{1} is waiting for {2}".to_owned(),
        _ if first.ends_with("ing") => format!("{{1}} is {all} {{2}}"),
        _ if last.ends_with("ed") && same => format!("{{1}} is {all} to {{2}}"),
        _ if is_one(last, HAPPENED) && is_place(two) => format!("{{1}} has {all} at {{2}}"),
        _ if is_one(last, GIVEN_TO) => format!("{{1}} is {all} to {{2}}"),
        _ if last.ends_with("ed") && is_place(two) => format!("{{1}} is {all} at {{2}}"),
        _ if last.ends_with("ed") => format!("{{1}} is {all} with {{2}}"),
        _ if let Some((_, after)) = VERBS.iter().find(|(verb, _)| *verb == first && rest.is_empty()) => {
            format!("{{1}} {all}{after} {{2}}")
        }
        _ if last.ends_with('s') && !last.ends_with("ss") && words.len() == 1 => format!("{{1}} {all} {{2}}"),
        _ if same => format!("there is {} from {{1}} to {{2}}", with_article(&all)),
        _ => format!("the {all} of {{1}} is {{2}}"),
    }
}

/// Returns the template for an action, from its name, parameters and types.
pub(crate) fn action(symbol: &TextSymbol) -> String {
    let words = words(&symbol.name);
    let count = symbol.parameters.len();
    let all = if words.is_empty() {
        "do it".to_owned()
    } else {
        words.join(" ")
    };
    if symbol.has_value {
        let of = if count == 0 { "" } else { " of " };
        return format!("set {all}{of}{} to {{value}}", slots(1, count));
    }
    let verb = words.first().map_or("", String::as_str);
    let last = words.last().map_or("", String::as_str);
    if words.len() > 1 && count == 2 && is_one(last, PREPOSITIONS) {
        return format!("{} {{1}} {last} {{2}}", words[..words.len() - 1].join(" "));
    }
    let parameters = &symbol.parameters;
    let has_agent = parameters.first().is_some_and(|first| is_of(first, AGENTS));
    // The thing that the verb is about comes first, then places and the like, tools, and at last who gets it.
    let rank = |index: usize| match &parameters[index] {
        one if is_of(one, AGENTS) && is_one(verb, GIVING) => 2,
        one if has_agent && is_of(one, TOOLS) => 1,
        _ => 0,
    };
    let mut order: Vec<usize> = (usize::from(has_agent)..count).collect();
    order.sort_by_key(|&index| rank(index));
    let mut verb_words = all;
    // A name that ends in the type of the thing would say it twice.
    if let Some(&first) = order.first()
        && has_agent
        && words.len() > 1
        && are_those_of(&words[words.len() - 1..], &parameters[first])
    {
        verb_words = words[..words.len() - 1].join(" ");
    }
    let mut text = if has_agent {
        format!("let {{1}} {verb_words}")
    } else {
        verb_words
    };
    // Two things of one type at the end of a way are its ends, whatever their names are.
    let ends = match order.as_slice() {
        [.., from, to] if is_one(verb, MOVING) && parameters[*from].types == parameters[*to].types => {
            Some((*from, *to))
        }
        _ => None,
    };
    for (position, index) in order.into_iter().enumerate() {
        let parameter = &parameters[index];
        let name = parameter.name.to_lowercase();
        let word = match verb {
            _ if is_one(&name, SOURCES) || ends.is_some_and(|(from, _)| from == index) => " from",
            _ if ends.is_some_and(|(_, to)| to == index) => " to",
            _ if is_one(&name, &["into", "onto"]) => &format!(" {name}"),
            "stack" | "put" if position == 1 => " on",
            "unstack" | "unload" if position == 1 => " from",
            "load" if position == 1 && !is_place(parameter) => " into",
            _ if is_one(&name, TARGETS) || (rank(index) == 2 && position > 0) => " to",
            _ if is_one(verb, STAYING) && is_place(parameter) => " at",
            _ if position == 0 => "",
            _ if is_place(parameter) => " at",
            _ => " with",
        };
        text.push_str(&format!("{word} {{{}}}", index + 1));
    }
    text
}

/// Returns a sentence with the parameters that it does not name: in place of their types, `put {car} ashore` for `put the car
/// ashore`, or else at its end, `move {dir} from {from} to {to}`.
pub(crate) fn completed(sentence: &str, parameters: &[Parameter]) -> String {
    let mut text = sentence.to_owned();
    let mut before = "";
    for parameter in parameters {
        let slot = format!("{{{}}}", parameter.name);
        let of = parameter.types.first().unwrap_or(&parameter.name);
        let noun = format!("the {}", words(of).join(" "));
        let ends = |at: usize| !text[at + noun.len()..].starts_with(char::is_alphanumeric);
        if sentence.contains(&slot) {
            continue;
        } else if let Some(at) = text.find(&noun).filter(|&at| ends(at)) {
            text.replace_range(at..at + noun.len(), &slot);
            continue;
        }
        let name = parameter.name.to_lowercase();
        let word = match name.as_str() {
            source if is_one(source, SOURCES) => "from",
            target if is_one(target, TARGETS) => "to",
            _ if is_place(parameter) => "at",
            _ => "with",
        };
        let is_joined = word == "with" && before == word;
        text.push_str(&format!(" {} {slot}", if is_joined { "and" } else { word }));
        before = word;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(text: &str) -> TextSymbol {
        let mut words = text.split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let parameters = words.map(|word| {
            let (name, of) = word.split_once(':').unwrap_or((word, ""));
            Parameter {
                name: name.to_owned(),
                types: if of.is_empty() {
                    Vec::new()
                } else {
                    vec![of.to_owned()]
                },
            }
        });
        TextSymbol {
            name,
            parameters: parameters.collect(),
            has_value: false,
        }
    }

    #[test]
    fn names_become_sentences() {
        let rows = [
            ("on x:block y:block", "{1} is on {2}"),
            ("on-table x:block", "{1} is on the table"),
            ("clear x:block", "{1} is clear"),
            ("holding x:block", "the agent is holding {1}"),
            ("hand-empty", "the hand is empty"),
            ("at-robby r:room", "the robby is at {1}"),
            ("at-work p:piece", "{1} is at work"),
            ("robot-at c:cell", "the robot is at {1}"),
            ("robotAt r:robot c:cell", "{1} is at {2}"),
            ("in-city p:place c:city", "{1} is in {2}"),
            ("part-of p:item i:item", "{1} is part of {2}"),
            ("has-egg p:pan", "{1} has egg"),
            ("has-coupon c:coupon", "the agent has {1}"),
            ("opens k:key r:room", "{1} opens {2}"),
            ("lies p:patient w:ward", "{1} lies in {2}"),
            ("connected f:segment t:segment", "{1} is connected to {2}"),
            ("painted p:piece c:color", "{1} is painted with {2}"),
            ("road f:city t:city", "there is a road from {1} to {2}"),
            ("origin p:passenger f:floor", "the origin of {1} is {2}"),
            ("goal-cell c:cell", "{1} is a goal cell"),
            ("all-eaten", "all eaten is true"),
            ("between a:place b:place c:place", "{1} is between {2} and {3}"),
            ("stormy", "it is stormy"),
            ("heavier a:box b:box", "{1} is heavier than {2}"),
            ("same-color a:box b:box", "{1} has the same color as {2}"),
            ("needs-charge r:robot", "{1} needs charge"),
            ("belongs b:box r:robot", "{1} belongs to {2}"),
            ("waiting r:robot p:place", "{1} is waiting at {2}"),
            ("moored b:boat p:place", "{1} is moored at {2}"),
            ("assigned b:box r:robot", "{1} is assigned to {2}"),
            ("arrived r:robot", "{1} has arrived"),
            ("hand-free r:robot", "the hand of {1} is free"),
            ("door-open d:door", "{1} is open"),
            ("half-full g:glass", "{1} is half full"),
            (
                "neighbor f:cell t:cell d:dir",
                "there is a neighbor from {1} to {2} with {3}",
            ),
        ];
        for (name, expected) in rows {
            assert_eq!(fact(&symbol(name)), expected, "{name}");
        }
    }

    #[test]
    fn sentences_are_completed() {
        let of = |text: &str| symbol(text).parameters;
        let walk = of("move from:cell to:cell dir:direction");
        assert_eq!(completed("move {dir}", &walk), "move {dir} from {from} to {to}");
        let eat = of("eat who:philosopher one:fork other:fork");
        assert_eq!(
            completed("let {who} eat", &eat),
            "let {who} eat with {one} and {other}"
        );
        let person = of("drop who:person spot:cell");
        for (sentence, expected) in [
            ("pick up {who}", "pick up {who} at {spot}"),
            ("take it", "take it with {who} at {spot}"),
            ("set the person down", "set {who} down at {spot}"),
            ("greet the personnel", "greet the personnel with {who} at {spot}"),
        ] {
            assert_eq!(completed(sentence, &person), expected);
        }
    }

    #[test]
    fn names_become_commands() {
        let rows = [
            ("stack x:block y:block", "stack {1} on {2}"),
            ("pick-up x:block", "pick up {1}"),
            ("move from:room to:room", "move from {1} to {2}"),
            ("walk n:nurse a:ward b:ward", "let {1} walk from {2} to {3}"),
            ("fly p:plane a:spot b:spot", "fly {1} from {2} to {3}"),
            ("wash n:nurse p:patient w:ward", "let {1} wash {2} at {3}"),
            (
                "drive t:truck from:place to:place c:city",
                "drive {1} from {2} to {3} at {4}",
            ),
            ("load p:package t:truck l:place", "load {1} into {2} at {3}"),
            ("put-in x:ball y:box", "put {1} in {2}"),
            ("next-shift", "next shift"),
            ("pick-up r:robot b:box p:place", "let {1} pick up {2} at {3}"),
            ("drop-box r:robot b:box p:place", "let {1} drop {2} at {3}"),
            ("unlock r:robot k:key d:door", "let {1} unlock {3} with {2}"),
            ("move r:robot from:place to:place", "let {1} move from {2} to {3}"),
            ("stack r:robot a:box b:box", "let {1} stack {2} on {3}"),
            (
                "hand-over a:robot b:robot x:box p:place",
                "let {1} hand over {3} at {4} to {2}",
            ),
            ("wait r:robot p:place", "let {1} wait at {2}"),
            ("wait r:robot", "let {1} wait"),
        ];
        for (name, expected) in rows {
            assert_eq!(action(&symbol(name)), expected, "{name}");
        }
    }

    #[test]
    fn nouns_have_plurals_and_articles() {
        assert_eq!(
            ["city", "day", "box", "litre"].map(plural),
            ["cities", "days", "boxes", "litres"]
        );
        assert_eq!(
            [value("1", Some("box")), value("1.5", Some("box"))],
            ["1 box", "1.5 boxes"]
        );
        assert_eq!(by_pattern("a {}", "egg"), "an egg");
        assert_eq!(by_pattern("the {} here", "egg"), "the egg here");
    }
}
