//! Tests of snippets.

use herbrand_text::Severity;

use super::*;

/// Returns the text of a snippet as it is left if nothing is filled in: the first choice, or the text of the place.
fn filled(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some((before, place)) = rest.split_once('$') {
        text.push_str(before);
        let (inside, after) = match place.strip_prefix('{') {
            Some(place) => place.split_once('}').expect("a place ends"),
            None => ("", &place[1..]),
        };
        let inside = inside.trim_start_matches(|c: char| c.is_ascii_digit());
        text.push_str(match inside.strip_prefix('|') {
            Some(choices) => choices.split([',', '|']).next().unwrap_or_default(),
            None => inside.strip_prefix(':').unwrap_or_default(),
        });
        rest = after;
    }
    text + rest
}

fn errors<C: herbrand_text::Code>(diagnostics: &[herbrand_text::Diagnostic<C>]) -> Vec<String> {
    let errors = diagnostics.iter().filter(|one| one.severity() == Severity::Error);
    errors.map(|one| one.message().to_owned()).collect()
}

#[test]
fn each_snippet_is_sound_syntax() {
    for (word, snippet) in words::SNIPPETS {
        let part = format!("({})", filled(snippet));
        let text = match word {
            "define" => part,
            _ if herbrand_pddl::DOMAIN_SECTIONS.contains(&word) => format!("(define (domain d) {part})"),
            _ => format!("(define (problem p) {part})"),
        };
        let source = herbrand_text::Source::new("text", &text);
        let found = herbrand_pddl::read(&source, &herbrand_pddl::ReadOptions::default());
        assert_eq!(errors(found.diagnostics()), [""; 0], "{text}");
    }
    for (word, snippet) in words::RDDL_SNIPPETS {
        let part = filled(snippet);
        let text = match word {
            "domain" | "instance" => part,
            _ if herbrand_rddl::DOMAIN_SECTIONS.contains(&word) => format!("domain d {{ {part} }}"),
            _ => format!("instance i {{ {part} }}"),
        };
        let sources = [herbrand_text::Source::new("text", &text)];
        let found = herbrand_rddl::read(&sources, &herbrand_rddl::ReadOptions::default());
        assert_eq!(errors(found.diagnostics()), [""; 0], "{text}");
    }
}

#[test]
fn sections_are_written_with_their_parts_if_the_editor_takes_them() {
    let written = |text: &str, snippets: bool| {
        let offset = text.find('|').expect("a place");
        let file = Arc::new(TextFile::new("file:///d.pddl", &text.replace('|', ""), Some(1)));
        let items = completion(&Workspace::default(), &file, offset as u32, snippets);
        let action = items
            .into_iter()
            .find(|item| item.label == ":action")
            .expect("an action");
        let Some(gen_lsp_types::CompletionItemTextEdit::TextEdit(edit)) = action.text_edit else {
            panic!("a plain edit");
        };
        (action.insert_text_format, edit.new_text)
    };
    let (format, text) = written("(define (domain d)\n  (:ac|\n)", true);
    assert_eq!(format, Some(InsertTextFormat::Snippet));
    assert!(
        text.contains(":effect (and $0)") && text.ends_with("$0))"),
        "{text}"
    );
    let (_, text) = written("(define (domain d)\n  (:ac|)\n)", true);
    assert!(text.ends_with("(and $0)"), "{text}");
    assert_eq!(
        written("(define (domain d) (:|", false),
        (None, ":action".to_owned())
    );
}
