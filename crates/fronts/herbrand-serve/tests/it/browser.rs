//! Tests the page in a browser by simulated user input.

use std::path::Path;

use herbrand_serve::{Bounds, static_files};
use serde_json::json;

use crate::devtools::Browser;
use crate::{Served, files};

/// Opens the page on a large screen; `None` if there is no browser.
pub(crate) fn opened() -> Option<(Served, Browser)> {
    let mut browser = Browser::new(1200, 860)?;
    let served = Served::new(Bounds::default());
    browser.open(&format!("http://{}/", served.address));
    Some((served, browser))
}

/// Selects a domain and a problem, and waits until it is shown.
pub(crate) fn choose(browser: &mut Browser, domain: &str, problem: &str) {
    for (id, name) in [("domain", domain), ("problem", problem)] {
        let change = format!(
            "(() => {{ const one = document.getElementById({id:?}); one.value = {name:?}; one.dispatchEvent(new Event('change')); }})()"
        );
        browser.value(&change);
        browser.wait(&format!("document.title.startsWith({domain:?})"));
    }
    browser.wait(&format!("document.title.startsWith('{domain} {problem}')"));
    browser.wait("document.getElementById('said').textContent.startsWith('reward')");
}

pub(crate) fn step(browser: &mut Browser, number: usize) {
    browser.wait(&format!(
        "document.getElementById('count').textContent.startsWith('step {number}')"
    ));
}

/// Checks that the page reported no errors.
pub(crate) fn no_faults(browser: &Browser) {
    assert!(browser.faults.is_empty(), "{:?}", browser.faults);
}

#[test]
fn a_problem_is_picked_played_and_undone() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks", "train/02");
    assert!(browser.said("#about").len() > 10);
    assert!(browser.said("#action-count").starts_with(char::is_numeric));
    browser.picture("play");
    let before = browser.text("document.querySelector('#picture svg').outerHTML");
    browser.click("#actions button");
    step(&mut browser, 1);
    assert_ne!(
        browser.text("document.querySelector('#picture svg').outerHTML"),
        before
    );
    assert!(
        browser
            .value("document.querySelectorAll('#changes .new').length")
            .as_u64()
            > Some(0)
    );
    browser.click("#undo");
    step(&mut browser, 0);
    assert_eq!(
        browser.text("document.querySelector('#picture svg').outerHTML"),
        before
    );
    browser.click("#redo");
    step(&mut browser, 1);
    // Taking another action in the middle of a walk replaces the rest of it.
    browser.click("#first");
    step(&mut browser, 0);
    browser.click("#actions li:last-child button");
    step(&mut browser, 1);
    assert_eq!(browser.text("document.getElementById('time').max"), "1");
    no_faults(&browser);
}

#[test]
fn clicks_in_the_picture_take_actions() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "hanoi", "train/01");
    // The only movable disc has two destinations: the pegs are offered, and one is clicked.
    let disc = browser.text(
        "(() => { const areas = [...document.querySelectorAll('.zones .can')]; \
         const names = areas.map((one) => one.dataset.names); return names[names.length - 1]; })()",
    );
    browser.click(&format!(".zones .can[data-names='{disc}']"));
    browser.wait("!document.getElementById('menu').hidden || document.getElementById('count').textContent.startsWith('step 1')");
    browser.picture("menu");
    if browser.value("!document.getElementById('menu').hidden") == json!(true) {
        browser.click("#menu button");
    }
    step(&mut browser, 1);
    // In sokoban, the operator contains the cells although the action only contains a direction.
    choose(&mut browser, "sokoban", "train/03");
    let only = browser.text(
        "(() => { const names = [...document.querySelectorAll('.zones .can')].map((one) => one.dataset.names); \
         return names[names.length - 1]; })()",
    );
    browser.click(&format!(".zones .can[data-names='{only}']"));
    browser.wait("!document.getElementById('menu').hidden || document.getElementById('count').textContent.startsWith('step 1')");
    no_faults(&browser);
}

#[test]
fn a_plan_is_watched_to_the_goal() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "gripper", "train/01");
    browser.click("#hint");
    browser.wait("document.getElementById('said').textContent.startsWith('Try (')");
    assert_eq!(
        browser.value("document.querySelectorAll('#actions .hinted').length"),
        json!(1)
    );
    browser.click("#plan");
    browser.wait("document.getElementById('said').className === 'good' && document.getElementById('said').textContent.includes('The goal is reached')");
    browser.picture("goal");
    let walk = browser.text("document.getElementById('time').max");
    assert!(walk.parse::<u32>().is_ok_and(|steps| steps > 1), "{walk}");
    browser.wait("document.getElementById('plan').textContent === 'Plan'");
    no_faults(&browser);
}

#[test]
fn a_reason_is_given_for_what_cannot_be_done() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "gripper", "train/01");
    browser.click("#find");
    browser.type_text("move roomb roomb");
    browser.press("Enter");
    browser.wait("document.getElementById('said').className === 'bad'");
    let said = browser.said("#said");
    assert!(said.contains("move roomb roomb"), "{said}");
    step(&mut browser, 0);
    no_faults(&browser);
}

#[test]
fn a_whole_action_takes_only_itself() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "gripper", "train/01");
    // The words occur in the only valid move, but name another one.
    for (typed, said) in [
        ("(move kitchen hall)", "(move kitchen hall) is not valid"),
        ("move kitchen hall", "(move kitchen hall) is not valid"),
        ("(move hall)", "(move hall): "),
        (
            "(move cellar hall)",
            "(move cellar hall): there is no object `cellar`",
        ),
    ] {
        browser.click("#find");
        browser.value("document.getElementById('find').value = ''");
        browser.type_text(typed);
        browser.press("Enter");
        browser.wait(&format!(
            "document.getElementById('said').textContent.startsWith({said:?})"
        ));
        assert_eq!(browser.said("#said").matches("(move").count(), 1);
        step(&mut browser, 0);
    }
    // Some of its words are enough.
    browser.value("document.getElementById('find').value = ''");
    browser.type_text("kitchen mov");
    browser.press("Enter");
    step(&mut browser, 1);
    no_faults(&browser);
}

/// Reloads the page and waits until the new page has opened a problem.
pub(crate) fn reload(browser: &mut Browser) {
    browser.value("document.documentElement.dataset.ready = 'left'");
    browser.call("Page.reload", json!({}));
    browser.wait("document.documentElement?.dataset.ready === 'true'");
}

/// Evaluates an expression over `view`, the view of CodeMirror.
pub(crate) fn of_view(browser: &mut Browser, expression: &str) -> String {
    browser.text(&with_view(expression))
}

/// Returns an expression that loads CodeMirror and evaluates another one over `view`.
pub(crate) fn with_view(expression: &str) -> String {
    format!(
        "import('/codemirror.js').then(({{ EditorView }}) => {{ \
         const view = EditorView.findFromDOM(document.querySelector('.cm-editor')); return {expression}; }})"
    )
}

/// Focuses the editor with the caret at an offset.
pub(crate) fn go_to(browser: &mut Browser, offset: usize) {
    of_view(
        browser,
        &format!(
            "(view.focus(), view.dispatch({{ selection: {{ anchor: {offset} }}, scrollIntoView: true }}))"
        ),
    );
}

/// Returns the text in the editor.
pub(crate) fn edited(browser: &mut Browser) -> String {
    of_view(browser, "view.state.doc.toString()")
}

/// Types at the start of the text in the editor.
pub(crate) fn type_first(browser: &mut Browser, text: &str) {
    go_to(browser, 0);
    browser.type_text(text);
}

/// Selects the user's own texts by the name that the page gives them.
pub(crate) fn choose_own(browser: &mut Browser, name: &str) {
    browser.value(&format!(
        "(() => {{ const one = document.getElementById('domain'); one.value = 'own:{name}'; one.dispatchEvent(new Event('change')); }})()"
    ));
    browser.wait(
        "!document.getElementById('edit').hidden && document.getElementById('verdict').textContent !== ''",
    );
}

/// Opens files, given by names and texts, with a control of the page.
pub(crate) fn open_files(browser: &mut Browser, control: &str, files: &[(&str, &str)]) {
    let files = serde_json::to_string(files).expect("text");
    browser.value(&format!(
        "(() => {{ const files = new DataTransfer(); for (const [name, text] of {files}) files.items.add(new File([text], name)); \
         const input = document.getElementById({control:?}); input.files = files.files; input.dispatchEvent(new Event('change')); }})()"
    ));
}

#[test]
fn files_of_every_kind_are_opened() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    let domain = "; (define (problem not-this)\n(define (domain doors) (:requirements :strips) (:predicates (open))\n  (:action push :parameters () :precondition () :effect (open)))\n";
    let problem = "(define (problem shut) (:domain doors) (:init) (:goal (open)))\n";
    let settings = "description = \"Doors that open.\"\nhorizon = 7\n";
    let files = [("p.pddl", problem), ("d.pddl", domain), ("env.toml", settings)];
    open_files(&mut browser, "open", &files);
    browser.wait("document.title.startsWith('doors shut') && document.querySelectorAll('#actions button').length === 1");
    assert_eq!(browser.said("#actions button"), "(push)");
    let chosen = "['domain', 'problem'].map((id) => document.getElementById(id).selectedOptions[0].textContent).join()";
    assert_eq!(browser.text(chosen), "doors shut,shut");
    assert_eq!(browser.said("#about"), "Doors that open.");
    // A plan is taken from the beginning; a step that is not valid is named.
    open_files(
        &mut browser,
        "open",
        &[("found.plan", "; found\n0: (PUSH) [1]\n")],
    );
    browser.wait("document.getElementById('said').textContent.includes('The goal is reached.')");
    step(&mut browser, 1);
    open_files(&mut browser, "open", &[("wrong.plan", "(push)\n(pull)\n")]);
    browser.wait(
        "document.getElementById('said').textContent.startsWith('Step 2 of the plan cannot be taken.')",
    );
    step(&mut browser, 1);
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert_eq!(edited(&mut browser), domain);
    browser.click("[data-text=settings]");
    assert_eq!(edited(&mut browser), settings);
    // A problem file replaces the problem in the editor; a faulty problem is shown in the editor.
    let wrong = problem.replace("(open)", "(opne)");
    open_files(&mut browser, "open-texts", &[("other.pddl", &wrong)]);
    browser.wait("document.getElementById('verdict').textContent.startsWith('1 error')");
    assert_eq!(edited(&mut browser), domain);
    browser.click("[data-text=problem]");
    assert_eq!(edited(&mut browser), wrong);
    // Domain and problem in one file.
    open_files(
        &mut browser,
        "open",
        &[("both.pddl", &format!("{domain}{problem}"))],
    );
    browser.wait("document.title.startsWith('doors shut') && !document.getElementById('play').hidden");
    browser.click("#actions button");
    step(&mut browser, 1);
    // RDDL with all blocks in one file.
    let rddl = "domain counter {\n  pvariables { n : { state-fluent, int, default = 0 }; };\n  cpfs { n' = n + 1; };\n  reward = n;\n}\ninstance short { domain = counter; horizon = 5; discount = 1.0; }\n";
    open_files(&mut browser, "open", &[("counter.rddl", rddl)]);
    browser.wait("!document.getElementById('together').hidden");
    browser.click("#together");
    step(&mut browser, 1);
    // Two domains are refused.
    open_files(&mut browser, "open", &[("a.pddl", domain), ("b.pddl", domain)]);
    browser.wait(
        "document.getElementById('said').textContent.startsWith('These files contain more than one domain')",
    );
    step(&mut browser, 1);
    // A comment of another language does not make a text RDDL.
    let commented = format!("// doors\n{domain}");
    open_files(
        &mut browser,
        "open",
        &[("d.pddl", &commented), ("p.pddl", problem)],
    );
    browser.wait("document.getElementById('verdict').textContent.startsWith('1 error')");
    assert!(browser.said("#findings").contains("comments begin with `;`"));
    // The template in place of discarded files has its own name.
    browser.click("#discard");
    browser.wait("document.getElementById('kept-how').textContent === 'Your files were discarded.'");
    assert_eq!(browser.text(chosen), "your own,two-lamps");
    browser.click("#discard");
    browser.wait("document.getElementById('kept-how').textContent.endsWith('stored in this browser.')");
    assert_eq!(edited(&mut browser), commented);
    no_faults(&browser);
}

#[test]
fn the_inside_is_shown() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks-derived", "train/01");
    browser.click("#tab-inside");
    browser.wait("document.querySelectorAll('#content details').length > 2");
    assert!(browser.said("#content").contains("(above "));
    browser.picture("inside");
    browser.click("#datalog");
    browser.wait("document.getElementById('content').textContent.includes('rules')");
    assert!(browser.said("#content pre").contains(":-"));
    no_faults(&browser);
}

#[test]
fn a_walk_is_shared_as_a_link_and_as_a_file() {
    let Some((served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks", "train/01");
    browser.click("#actions button");
    step(&mut browser, 1);
    browser.click("#actions button");
    step(&mut browser, 2);
    let picture = browser.text("document.querySelector('#picture svg').outerHTML");
    browser.value("document.getElementById('sharing').open = true");
    browser.click("#link");
    browser.wait("location.hash.length > 10");
    let link = browser.text("location.href");
    // The saved file can be opened again.
    let trace = browser.text(
        "(async () => { let saved = ''; const make = URL.createObjectURL; \
         URL.createObjectURL = (blob) => { saved = blob.text(); return make.call(URL, blob); }; \
         document.getElementById('save').click(); \
         while (!saved) await new Promise((done) => setTimeout(done, 20)); return await saved; })()",
    );
    assert_eq!(trace.lines().count(), 4, "{trace}");
    browser.call("Page.navigate", json!({"url": "about:blank"}));
    browser.open(&format!("http://{}/", served.address));
    choose(&mut browser, "ferry", "train/01");
    let open = format!(
        "(() => {{ const files = new DataTransfer(); files.items.add(new File([{}], 'walk.trace.jsonl')); \
         const input = document.getElementById('open'); input.files = files.files; input.dispatchEvent(new Event('change')); }})()",
        serde_json::to_string(&trace).expect("text")
    );
    browser.value(&open);
    browser.wait("document.title.startsWith('blocks train/01')");
    step(&mut browser, 2);
    assert_eq!(
        browser.text("document.querySelector('#picture svg').outerHTML"),
        picture
    );
    browser.call("Page.navigate", json!({"url": "about:blank"}));
    browser.open(&link);
    step(&mut browser, 2);
    assert_eq!(
        browser.text("document.querySelector('#picture svg').outerHTML"),
        picture
    );
    no_faults(&browser);
}

#[test]
fn everything_is_done_by_keyboard() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    let focused = "document.activeElement.id || document.activeElement.textContent";
    // By keyboard from the top of the page to the domain list, and to another domain.
    browser.press("Tab");
    browser.press("Tab");
    assert_eq!(browser.text(focused), "domain");
    browser.type_text("");
    choose(&mut browser, "sokoban", "train/03");
    browser.value("document.activeElement.blur()");
    browser.press("/");
    assert_eq!(browser.text(focused), "find");
    browser.press("ArrowDown");
    let first = browser.said("#actions button");
    assert_eq!(browser.text(focused), first);
    browser.press("Enter");
    step(&mut browser, 1);
    browser.value("document.activeElement.blur()");
    browser.press("u");
    step(&mut browser, 0);
    browser.press("r");
    step(&mut browser, 1);
    browser.press("Home");
    step(&mut browser, 0);
    // On the picture, the arrow keys move.
    browser.value("document.getElementById('picture').focus()");
    let direction = first.split([' ', ')']).nth(1).unwrap_or_default().to_owned();
    let arrow = match direction.trim_start_matches("dir-") {
        "up" => "ArrowUp",
        "down" => "ArrowDown",
        "left" => "ArrowLeft",
        "right" => "ArrowRight",
        other => panic!("{first}: {other}"),
    };
    browser.press(arrow);
    step(&mut browser, 1);
    // The actions of this domain name the cell beside the agent. It moves without a click on the picture.
    choose(&mut browser, "hiking", "train/01");
    browser.value("document.activeElement.blur()");
    for arrow in ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"] {
        browser.press(arrow);
    }
    browser.wait("Number(document.getElementById('count').textContent.split(' ')[1]) > 0");
    choose(&mut browser, "sokoban", "train/03");
    browser.press("h");
    browser.wait("document.getElementById('said').textContent.includes('Try (')");
    browser.press("2");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    browser.press("3");
    browser.wait("document.querySelectorAll('#content details').length > 1");
    browser.press("1");
    browser.press("?");
    browser.wait("document.getElementById('keys').open");
    browser.press("Escape");
    browser.wait("!document.getElementById('keys').open");
    no_faults(&browser);
}

#[test]
fn actions_are_taken_together_where_the_problem_says_so() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "rddl/elevators", "1");
    browser.click("#together");
    step(&mut browser, 1);
    assert!(browser.said("#said").starts_with("nothing:"));
    browser.click("#actions button");
    if browser.value(
        "!document.getElementById('together').hidden && document.querySelector('#actions .on') !== null",
    ) == json!(true)
    {
        browser.click("#together");
    }
    step(&mut browser, 2);
    browser.picture("rddl");
    choose(&mut browser, "rddl/cartpole-continuous", "1");
    browser.click("#numbers input");
    browser.type_text("0.5");
    browser.press("Enter");
    step(&mut browser, 1);
    assert!(
        browser.said("#said").contains("=0.5"),
        "{}",
        browser.said("#said")
    );
    no_faults(&browser);
}

#[test]
fn a_narrow_screen_and_the_dark_are_fine() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    let light = browser.text("getComputedStyle(document.body).backgroundColor");
    for (domain, problem) in [
        ("sokoban", "train/03"),
        ("logistics", "train/01"),
        ("rddl/elevators", "1"),
    ] {
        browser.resize(1200, 860);
        choose(&mut browser, domain, problem);
        browser.resize(400, 800);
        for view in ["play", "edit", "inside"] {
            browser.click(&format!("#tab-{view}"));
            browser.wait(&format!("!document.getElementById({view:?}).hidden"));
            let wide = browser.value("document.documentElement.scrollWidth");
            assert_eq!(wide, json!(400), "{domain}: {view} is wider than the screen");
        }
        browser.click("#tab-play");
        // Buttons are large enough for touch.
        let least = browser.value(
            "Math.min(...[...document.querySelectorAll('#play button, header button, header select')].filter((one) => one.offsetParent) \
             .map((one) => one.getBoundingClientRect().height))",
        );
        assert!(least.as_f64().is_some_and(|height| height >= 30.0), "{least}");
        browser.value("scrollTo(0, 0)");
        browser.picture(&format!("narrow-{}", domain.replace('/', "-")));
    }
    browser.prefer("dark");
    let dark = browser.text("getComputedStyle(document.body).backgroundColor");
    assert_ne!(light, dark);
    browser.picture("narrow-dark");
    browser.resize(1200, 860);
    // The contrast of text is at least 4.5 to 1, as accessibility guidelines require.
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let least = browser.value(
            "(() => { const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((one) => { const c = one / 255; \
             return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
             const paper = (one) => { for (let at = one; at; at = at.parentElement) { const colour = getComputedStyle(at).backgroundColor; \
             if (!/rgba\\(.*, 0\\)|transparent/.test(colour)) return colour; } return 'rgb(255, 255, 255)'; }; \
             const ratios = [...document.querySelectorAll('h1, h2, p, button:enabled, li, output, summary, footer span')] \
             .filter((one) => one.offsetParent && one.textContent.trim()).map((one) => { \
             const pair = [light(getComputedStyle(one).color), light(paper(one))]; return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05); }); \
             return Math.min(...ratios); })()",
        );
        assert!(
            least.as_f64().is_some_and(|ratio| ratio >= 4.5),
            "{scheme}: {least}"
        );
        browser.picture(scheme);
    }
    no_faults(&browser);
}

#[test]
fn the_page_works_without_a_server() {
    // The engine built by `cargo build --target wasm32-unknown-unknown -p herbrand-wasm`.
    let Some(engine) = std::env::var_os("HERBRAND_WASM") else {
        eprintln!("skipped: HERBRAND_WASM names no engine");
        return;
    };
    let Some(mut browser) = Browser::new(1200, 860) else {
        return;
    };
    let site = std::env::temp_dir().join(format!("herbrand-site-{}", std::process::id()));
    std::fs::create_dir_all(&site).expect("a folder");
    for file in static_files(Path::new(&engine)).expect("the page") {
        std::fs::write(site.join(file.name), file.content).expect("a file of the page");
    }
    let address = files::serve(site.clone());
    browser.open(&format!("http://{address}/"));
    assert!(browser.said("#engine").contains("nothing leaves your machine"));
    browser.click("#plan");
    browser.wait("document.getElementById('said').textContent.includes('The goal is reached')");
    browser.picture("static");
    choose(&mut browser, "rddl/elevators", "1");
    browser.click("#together");
    step(&mut browser, 1);
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    // The editor's answers come from the engine in the page.
    of_view(
        &mut browser,
        "view.dispatch({ changes: { from: 0, insert: '  ' } })",
    );
    let indented = edited(&mut browser);
    browser.click("#format");
    browser.wait(&with_view(&format!(
        "view.state.doc.toString() !== {}",
        json!(indented)
    )));
    browser.click("#tab-inside");
    browser.wait("document.querySelectorAll('#content details').length > 1");
    let _ = std::fs::remove_dir_all(site);
    no_faults(&browser);
}
