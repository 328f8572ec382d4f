//! Tests the page's editor in a browser: faults, hover, completion, formatting, and what is kept of edits.

use serde_json::json;

use crate::browser::{
    choose, choose_own, edited, go_to, no_faults, of_view, opened, reload, step, type_first, with_view,
};
use crate::devtools::Browser;

/// Opens the editor with a bundled problem.
fn edit(browser: &mut Browser, domain: &str, problem: &str) {
    choose(browser, domain, problem);
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait(SOUND);
}

const SOUND: &str = "document.getElementById('verdict').textContent === 'No errors.'";

/// Replaces the text in the editor, as one edit.
fn replace(browser: &mut Browser, text: &str) {
    let text = json!(text);
    of_view(
        browser,
        &format!("view.dispatch({{ changes: {{ from: 0, to: view.state.doc.length, insert: {text} }} }})"),
    );
}

/// Moves the mouse to the first place of a text in the editor, and keeps it there.
fn point(browser: &mut Browser, text: &str) {
    let text = json!(text);
    let place = browser.value(&with_view(&format!(
        "(() => {{ const at = view.state.doc.toString().indexOf({text}) + 1; \
         view.dispatch({{ selection: {{ anchor: at }}, scrollIntoView: true }}); \
         const {{ left, top, bottom }} = view.coordsAtPos(at); return [left + 1, (top + bottom) / 2]; }})()"
    )));
    let place = [0, 1].map(|at| place[at].as_f64().expect("a place"));
    // A pointer that rests makes no events, so it comes from beside.
    browser.move_to(place[0] + 3.0, place[1]);
    browser.move_to(place[0], place[1]);
}

#[test]
fn a_name_that_nothing_reads_is_faded() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    let text = edited(&mut browser).replacen("(:predicates", "(:predicates (odd ?x)", 1);
    replace(&mut browser, &text);
    browser.wait("document.querySelector('.code .unread')?.textContent === 'odd'");
    browser.wait(SOUND);
    assert_eq!(
        browser.value("document.querySelectorAll('.code .note, #findings li').length"),
        json!(0)
    );
}

#[test]
fn a_fault_is_shown_below_its_line_and_mended() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks", "train/01");
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    browser.picture("edit");
    // Letters before the first `(:action` make the section unknown.
    let text = edited(&mut browser);
    let at = text.find("(:action").expect("an action") + 2;
    go_to(&mut browser, at);
    let place = text[..at].lines().count();
    browser.type_text("xx");
    browser.wait("document.querySelector('.code .note.error')");
    let line = of_view(
        &mut browser,
        "view.state.doc.lineAt(view.posAtDOM(document.querySelector('.code .note.error'))).number",
    );
    assert_eq!(line, place.to_string());
    assert!(browser.said(".code .note.error").contains("xxaction"));
    assert_eq!(
        browser.value("document.getElementById('run').disabled"),
        json!(true)
    );
    assert!(browser.said("#tab-edit").contains("Edit") && browser.said("[data-text=domain]").contains("(1)"));
    browser.picture("fault");
    browser.press("Backspace");
    browser.press("Backspace");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert_eq!(
        browser.value("document.querySelectorAll('.code .note').length"),
        json!(0)
    );
    browser.click("#run");
    browser.wait("document.title.startsWith('blocks blocks-train-01')");
    browser.click("#actions button");
    step(&mut browser, 1);
    no_faults(&browser);
}

#[test]
fn edits_outlive_a_reload_until_they_are_discarded() {
    let Some((served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks", "train/01");
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert_eq!(
        browser.value("document.getElementById('kept').hidden"),
        json!(true)
    );
    let original = edited(&mut browser);
    type_first(&mut browser, "; mine\n");
    browser.wait("document.getElementById('kept-how').textContent === 'Your edits of blocks train/01 are stored in this browser.'");
    browser.picture("kept");
    // Before playing: the page returns to the editor with the edits.
    reload(&mut browser);
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert_eq!(edited(&mut browser), format!("; mine\n{original}"));
    // During a walk: the page returns to the walk, whose position is in the address.
    browser.click("#run");
    browser.wait("document.title.startsWith('blocks blocks-train-01')");
    browser.click("#actions button");
    step(&mut browser, 1);
    browser.click("#undo");
    step(&mut browser, 0);
    browser.wait("location.hash.length > 100");
    reload(&mut browser);
    assert_eq!(browser.said("#count"), "step 0 of 1");
    assert!(
        browser
            .text("document.title")
            .starts_with("blocks blocks-train-01")
    );
    // On a later visit, the edits are among the user's texts.
    browser.call("Page.navigate", json!({"url": "about:blank"}));
    browser.open(&format!("http://{}/", served.address));
    assert!(browser.text("document.title").starts_with("sokoban"));
    choose_own(&mut browser, "blocks train/01");
    assert_eq!(edited(&mut browser), format!("; mine\n{original}"));
    browser.click("#discard");
    browser.wait(
        "document.getElementById('kept-how').textContent === 'Your edits of blocks train/01 were discarded.'",
    );
    assert_eq!(edited(&mut browser), original);
    let offered = "[...document.querySelectorAll('#domain option')].some((one) => one.textContent === 'blocks train/01 (edited)')";
    assert_eq!(browser.value(offered), json!(false));
    browser.click("#discard");
    browser.wait("document.getElementById('kept-how').textContent.endsWith('are stored in this browser.')");
    assert_eq!(edited(&mut browser), format!("; mine\n{original}"));
    assert_eq!(browser.value(offered), json!(true));
    browser.click("#discard");
    browser.wait("document.getElementById('kept-how').textContent.endsWith('were discarded.')");
    reload(&mut browser);
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert_eq!(edited(&mut browser), original);
    no_faults(&browser);
}

#[test]
fn ones_own_problem_starts_small_and_valid() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose_own(&mut browser, "your own");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    assert!(edited(&mut browser).contains("(define (domain lamps)"));
    browser.picture("own");
    browser.click("[data-text=settings]");
    assert_eq!(edited(&mut browser), "");
    browser.click("[data-text=problem]");
    let problem = edited(&mut browser);
    assert!(
        problem.lines().count() < 10 && problem.contains("(:goal"),
        "{problem}"
    );
    browser.click("#tab-play");
    browser.click("#actions button");
    step(&mut browser, 1);
    browser.click("#actions button");
    browser.wait("document.getElementById('said').textContent.includes('The goal is reached')");
    // The editor's controls fit on a narrow screen.
    browser.value("document.getElementById('tab-edit').click()");
    type_first(&mut browser, "; mine\n");
    browser.wait("!document.getElementById('kept').hidden");
    browser.resize(400, 800);
    assert_eq!(browser.value("document.documentElement.scrollWidth"), json!(400));
    browser.picture("own-narrow");
    no_faults(&browser);
}

#[test]
fn a_browser_that_keeps_nothing_is_told_so() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose_own(&mut browser, "your own");
    browser
        .value("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }");
    type_first(&mut browser, "; mine\n");
    browser.wait("document.getElementById('kept').className === 'bad'");
    assert_eq!(
        browser.said("#kept-how"),
        "This browser cannot store your edits: save the files before you leave."
    );
    browser.picture("refused");
    // Leaving the page asks for confirmation.
    let asks = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    assert_eq!(browser.value(asks), json!(true));
    // Until then the edits are kept, whatever else is opened.
    choose(&mut browser, "blocks", "train/01");
    choose_own(&mut browser, "your own");
    browser.wait(&with_view("view.state.doc.toString().startsWith('; mine')"));
    assert_eq!(browser.value(asks), json!(true));
    browser.click("#discard");
    browser.wait("document.getElementById('kept-how').textContent === 'Your files were discarded.'");
    assert_eq!(browser.value(asks), json!(false));
    no_faults(&browser);
}

#[test]
fn two_tabs_with_the_same_texts_follow_each_other() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose_own(&mut browser, "your own");
    type_first(&mut browser, "; first\n");
    browser.wait("!document.getElementById('kept').hidden");
    // Simulates another tab that adds a line.
    browser.value(
        "(() => { const key = 'herbrand.texts.your own'; const entry = JSON.parse(localStorage.getItem(key)); \
         entry.texts.domain = `; second\n${entry.texts.domain}`; const newValue = JSON.stringify(entry); \
         localStorage.setItem(key, newValue); dispatchEvent(new StorageEvent('storage', { key, newValue })); })()",
    );
    browser.wait(&with_view("view.state.doc.toString().startsWith('; second')"));
    type_first(&mut browser, "; third\n");
    let kept = browser.text("JSON.parse(localStorage.getItem('herbrand.texts.your own')).texts.domain");
    assert!(kept.starts_with("; third\n; second\n; first\n"), "{kept}");
    no_faults(&browser);
}

/// The page never shows an earlier problem in place of files that it could not open, and says if files were edited since.
#[test]
fn an_earlier_problem_is_not_taken_for_faulty_files() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    let sound = edited(&mut browser);
    replace(&mut browser, &sound.replacen("(:action", "(:acxion", 1));
    browser.wait("document.getElementById('run').disabled");
    browser.click("#tab-play");
    browser.wait(
        "document.getElementById('ahead').textContent.startsWith('The files under Edit have 1 error.')",
    );
    assert_eq!(
        browser.value("document.querySelectorAll('#picture svg').length > 0"),
        json!(true)
    );
    browser.picture("ahead");
    browser.click("#tab-edit");
    replace(&mut browser, &sound);
    browser.wait(SOUND);
    browser.click("#tab-play");
    browser.wait("document.getElementById('ahead').hidden");
    // Files with a fault are opened, as after a choice of files or a link.
    browser.value(
        "(async () => { const data = new DataTransfer(); \
         data.items.add(new File(['(define (domain bare) (:predicates (on)) (:action a :efect (on)))'], 'domain.pddl')); \
         data.items.add(new File(['(define (problem p) (:domain bare) (:goal (on)))'], 'p.pddl')); \
         const input = document.getElementById('open'); input.files = data.files; \
         input.dispatchEvent(new Event('change')); })()",
    );
    browser
        .wait("document.querySelector('#picture .none')?.textContent.startsWith('These files have faults')");
    browser.wait("!document.getElementById('edit').hidden");
    browser.click("#tab-play");
    assert_eq!(
        browser.value("document.querySelectorAll('#picture svg, #actions li').length"),
        json!(0)
    );
    assert!(
        browser.said("#said").contains("domain 1:"),
        "{}",
        browser.said("#said")
    );
    browser.picture("faulty");
    no_faults(&browser);
}

#[test]
fn what_is_typed_is_drawn() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    choose(&mut browser, "blocks", "train/01");
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait("document.getElementById('verdict').textContent === 'No errors.'");
    let drawn = with_view(
        "[...document.querySelectorAll('.cm-line')].every((one) => view.state.doc.lineAt(view.posAtDOM(one)).text === one.textContent)",
    );
    assert_eq!(browser.value(&drawn), json!(true));
    // A click places the caret, and typing inserts text there.
    let place = browser.value(&with_view(
        "(() => { const { left, top, bottom } = view.coordsAtPos(view.state.doc.line(2).from + 3); return [left, (top + bottom) / 2]; })()",
    ));
    let [x, y] = [0, 1].map(|at| place[at].as_f64().expect("a place"));
    browser.click_at(x, y);
    browser.type_text("; é🁢 a remark\n\n");
    browser.press("Enter");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    browser.type_text("; more");
    assert_eq!(browser.value(&drawn), json!(true));
    let text = edited(&mut browser);
    let second = text.lines().nth(1).expect("a second line");
    assert!(
        second.contains("; é🁢 a remark") && text.contains("; more"),
        "{text}"
    );
    no_faults(&browser);
}

#[test]
fn a_fault_is_explained_and_mended_where_it_is() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    let original = edited(&mut browser);
    let at = original.rfind("(clear ?").expect("a predicate") + 4;
    go_to(&mut browser, at);
    browser.type_text("r");
    browser.wait("document.querySelector('.cm-lintRange-error')?.textContent === 'clerar'");
    browser.wait("document.querySelector('.code .note.error').textContent.startsWith('E0101')");
    point(&mut browser, "clerar");
    browser.wait("document.querySelector('.cm-tooltip .told')");
    browser.wait("document.querySelector('.cm-diagnosticAction')?.textContent === 'Write `clear`'");
    // The tooltip is drawn again, and closed, if a check ends after the click.
    browser.wait(
        "(document.querySelector('.told details:not([open]) summary')?.click(), \
         document.querySelector('.told .markdown h3')?.textContent.startsWith('E0101'))",
    );
    browser.picture("explained");
    browser.value(
        "document.querySelector('.cm-diagnosticAction').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))",
    );
    browser.wait(SOUND);
    assert_eq!(edited(&mut browser), original);
    // A fix may edit the other text: the problem uses a predicate that the domain does not declare.
    browser.click("[data-text=problem]");
    let problem = edited(&mut browser);
    go_to(&mut browser, problem.find("(:init").expect("a section") + 6);
    browser.type_text(" (painted b1)");
    browser.wait("document.querySelectorAll('.cm-lintRange-error').length > 0");
    browser.wait("document.querySelector('#findings button').textContent.includes('painted')");
    no_faults(&browser);
}

#[test]
fn a_name_is_described_under_the_pointer() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    point(&mut browser, "clear ?");
    browser.wait("document.querySelector('.cm-tooltip .markdown pre')?.textContent.includes('(clear ?')");
    assert!(browser.said(".cm-tooltip .markdown").contains("changed by"));
    browser.picture("hover");
    choose(&mut browser, "rddl/elevators", "1");
    browser.value("document.getElementById('tab-edit').click()");
    browser.wait(SOUND);
    browser.wait("document.querySelector('.cm-content').textContent.includes('pvariables')");
    point(&mut browser, "riding(elevator)");
    browser.wait("document.querySelector('.cm-tooltip .markdown')?.textContent.includes('state-fluent')");
    no_faults(&browser);
}

#[test]
fn words_that_fit_are_offered_and_written() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    let original = edited(&mut browser);
    let at = original.find(":precondition (and").expect("a condition") + ":precondition (and".len();
    go_to(&mut browser, at);
    browser.type_text(" ");
    browser.type_text("(");
    browser.wait("document.querySelector('.cm-tooltip-autocomplete li')");
    browser.type_text("cle");
    browser.wait("document.querySelector('.cm-tooltip-autocomplete li[aria-selected]')?.textContent.startsWith('clear')");
    browser.picture("completion");
    // CodeMirror ignores Enter for a moment after the list has changed.
    std::thread::sleep(std::time::Duration::from_millis(150));
    browser.press("Enter");
    browser.wait("!document.querySelector('.cm-tooltip-autocomplete')");
    let written = edited(&mut browser);
    assert_eq!(&written[at..at + 8], " (clear)", "the bracket is closed");
    no_faults(&browser);
}

#[test]
fn a_text_is_formatted_and_each_edit_undone() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    browser.click("#format");
    let formatted = edited(&mut browser);
    let messy = formatted
        .replace("\n    ", "\n ")
        .replacen("(:action", "(:action   ", 1);
    replace(&mut browser, &format!("; kept\n{messy}"));
    browser.wait(SOUND);
    browser.click("#format");
    let expected = with_view(&format!(
        "view.state.doc.toString().trim() === {}.trim()",
        json!(format!("; kept\n{formatted}"))
    ));
    browser.wait(&expected);
    // Formatting is one step of the history, and so is the edit before it. Other texts have histories of their own.
    browser.click("[data-text=problem]");
    let problem = edited(&mut browser);
    type_first(&mut browser, "; mine\n");
    browser.click("[data-text=domain]");
    go_to(&mut browser, 0);
    browser.chord("z");
    assert_eq!(edited(&mut browser), format!("; kept\n{messy}"));
    browser.chord("z");
    assert_eq!(edited(&mut browser), formatted);
    browser.click("[data-text=problem]");
    go_to(&mut browser, 0);
    browser.chord("z");
    assert_eq!(edited(&mut browser), problem);
    // A text with a fault of syntax stays as it is.
    replace(&mut browser, "(define (problem p)");
    browser.click("#format");
    browser.wait("document.getElementById('verdict').textContent.includes('not formatted')");
    assert_eq!(edited(&mut browser), "(define (problem p)");
    no_faults(&browser);
}

#[test]
fn a_long_text_is_edited() {
    let Some((_served, mut browser)) = opened() else {
        return;
    };
    edit(&mut browser, "blocks", "train/01");
    browser.click("[data-text=problem]");
    let objects: String = (0..2000).map(|number| format!("\n    extra-{number}")).collect();
    let problem = edited(&mut browser).replacen("(:objects", &format!("(:objects{objects}\n   "), 1);
    replace(&mut browser, &problem);
    browser.wait("document.getElementById('verdict').textContent !== ''");
    // Only the lines in sight are drawn.
    let drawn = browser.value("document.querySelectorAll('.cm-line').length");
    assert!(drawn.as_u64().is_some_and(|drawn| drawn < 400), "{drawn}");
    go_to(&mut browser, problem.len());
    browser.type_text(")");
    browser.wait("document.querySelector('#findings li.error')");
    browser.wait("document.querySelector('.cm-lintRange-error')");
    assert_eq!(edited(&mut browser), format!("{problem})"));
    no_faults(&browser);
}
