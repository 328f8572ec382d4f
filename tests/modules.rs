//! Checks that the modules of each crate depend on each other in one direction.
//!
//! The nodes of the graph are the top-level modules of a crate and its root. A module that names an item of the root, such
//! as a re-export, depends on the root, and the root depends on every module. So a module imports from the module that has
//! the item. Code under `#[cfg(test)]` does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The name of the crate root as a node.
const ROOT: &str = "lib.rs";

/// The dependencies of a crate's modules: for each pair of modules, the places that name the second in the first.
#[derive(Default)]
struct Uses(BTreeMap<(String, String), Vec<String>>);

/// A path in the source, such as `crate::a::B`, with its line.
struct Named {
    segments: Vec<String>,
    line: usize,
}

/// The modules and paths of one file.
#[derive(Default)]
struct Contents {
    /// The modules declared without a body, with the path of the module around them.
    declared: Vec<Vec<String>>,
    /// The paths, with the path of the module around them.
    named: Vec<(Vec<String>, Named)>,
}

fn ident(tree: Option<&TokenTree>) -> Option<&Ident> {
    match tree {
        Some(TokenTree::Ident(ident)) => Some(ident),
        _ => None,
    }
}

fn is_punct(tree: Option<&TokenTree>, sign: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn is_braced(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Returns whether a path separator starts at `at`.
fn is_separator(trees: &[TokenTree], at: usize) -> bool {
    is_punct(trees.get(at), ':') && is_punct(trees.get(at + 1), ':')
}

/// Adds the paths of a use tree, without its `use` and semicolon, to `named`. All paths start with `prefix`.
fn read_use(trees: &[TokenTree], prefix: &[String], named: &mut Vec<Named>) {
    for item in trees.split(|tree| is_punct(Some(tree), ',')) {
        let mut segments = prefix.to_vec();
        let mut at = 0;
        while let Some(segment) = ident(item.get(at)).filter(|ident| *ident != "as") {
            segments.push(segment.to_string());
            at += 1;
            if is_separator(item, at) {
                at += 2;
            }
        }
        match item.get(at) {
            Some(TokenTree::Group(group)) => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                read_use(&inner, &segments, named);
            }
            _ if item.is_empty() => {}
            _ => named.push(Named {
                segments,
                line: item[0].span().start().line,
            }),
        }
    }
}

impl Contents {
    /// Reads the items and expressions of `stream`, which lie in the module at `path`.
    fn read(&mut self, stream: TokenStream, path: &[String]) {
        let trees: Vec<_> = stream.into_iter().collect();
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            at += 1;
            match tree {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let attribute = trees.get(at).map(ToString::to_string).unwrap_or_default();
                    if attribute.replace(' ', "") == "[cfg(test)]" {
                        let rest = &trees[at..];
                        let end = rest
                            .iter()
                            .position(|tree| is_braced(tree) || is_punct(Some(tree), ';'));
                        at += end.map_or(rest.len(), |end| end + 1);
                    }
                }
                TokenTree::Ident(word) if word == "mod" => {
                    let Some(name) = ident(trees.get(at)) else {
                        continue;
                    };
                    let inner = [path, &[name.to_string()]].concat();
                    match trees.get(at + 1) {
                        Some(TokenTree::Group(group)) => self.read(group.stream(), &inner),
                        _ => self.declared.push(inner),
                    }
                    at += 2;
                }
                TokenTree::Ident(word) if word == "use" => {
                    let rest = &trees[at..];
                    let end = rest.iter().position(|tree| is_punct(Some(tree), ';'));
                    let end = end.unwrap_or(rest.len());
                    let mut named = Vec::new();
                    read_use(&rest[..end], &[], &mut named);
                    self.named
                        .extend(named.into_iter().map(|named| (path.to_vec(), named)));
                    at += end;
                }
                // A macro's callers are in other crates, so its paths start at the root.
                TokenTree::Punct(punct) if punct.as_char() == '$' => at += 1,
                TokenTree::Ident(word) if is_separator(&trees, at) => {
                    let mut segments = vec![word.to_string()];
                    while is_separator(&trees, at) {
                        at += 2;
                        let Some(segment) = ident(trees.get(at)) else {
                            break;
                        };
                        segments.push(segment.to_string());
                        at += 1;
                    }
                    // An exported macro is an item of the root wherever it is written.
                    if !is_punct(trees.get(at), '!') {
                        let line = word.span().start().line;
                        self.named.push((path.to_vec(), Named { segments, line }));
                    }
                }
                TokenTree::Group(group) => self.read(group.stream(), path),
                _ => {}
            }
        }
    }
}

/// Returns the file of the module at `path` in the source folder of a crate.
fn file_of(source: &Path, path: &[String]) -> PathBuf {
    if path.is_empty() {
        return source.join(ROOT);
    }
    let base: PathBuf = path.iter().collect();
    let flat = source.join(&base).with_extension("rs");
    if flat.is_file() {
        flat
    } else {
        source.join(base).join("mod.rs")
    }
}

/// Returns the path from the root of the crate that `segments` in the module `path` means; `None` if it may leave the crate.
fn resolve(path: &[String], segments: &[String]) -> Option<Vec<String>> {
    let (first, rest) = segments.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([path, rest].concat()),
        "super" => {
            let outer = &path[..path.len().checked_sub(1)?];
            match rest.first() {
                Some(again) if again == "super" => resolve(outer, rest),
                _ => Some([outer, rest].concat()),
            }
        }
        _ => None,
    }
}

impl Uses {
    /// Reads the modules of the crate whose sources are in `source`.
    fn of(source: &Path) -> Self {
        let mut files = vec![Vec::new()];
        let mut contents = Contents::default();
        let mut next = 0;
        let mut places = Vec::new();
        while let Some(path) = files.get(next).cloned() {
            let file = file_of(source, &path);
            let text = fs::read_to_string(&file).expect("the file of the module");
            let tokens: TokenStream = text.parse().expect("Rust tokens");
            contents.read(tokens, &path);
            files.append(&mut contents.declared);
            let shown = file
                .strip_prefix(source)
                .expect("in the crate")
                .display()
                .to_string();
            let named = contents.named.drain(..);
            places.extend(named.map(|(path, named)| (shown.clone(), path, named)));
            next += 1;
        }
        let modules: BTreeSet<_> = files.iter().filter_map(|path| path.first()).collect();
        let mut uses = Self::default();
        for (file, path, Named { segments, line }) in places {
            let (Some(from), Some(target)) = (path.first(), resolve(&path, &segments)) else {
                continue;
            };
            let to = target.first().filter(|name| modules.contains(name));
            let to = to.map_or(ROOT, String::as_str);
            if from != to {
                let place = format!("{file}:{line}: {}", segments.join("::"));
                let pair = (from.clone(), to.to_owned());
                uses.0.entry(pair).or_default().push(place);
            }
        }
        for module in modules {
            let place = format!("{ROOT}: mod {module}");
            uses.0.insert((ROOT.to_owned(), module.clone()), vec![place]);
        }
        uses
    }

    /// Describes each circle: its modules, and the lines that make it.
    fn circles(&self) -> Vec<String> {
        let nodes: BTreeSet<_> = self.0.keys().flat_map(|(from, to)| [from, to]).collect();
        let nodes: Vec<_> = nodes.into_iter().map(String::as_str).collect();
        let index = |node: &String| nodes.binary_search(&node.as_str()).unwrap_or_default() as u32;
        let edges = self.0.keys().map(|(from, to)| (index(from), index(to)));
        let graph: DiGraph<(), ()> = DiGraph::from_edges(edges);
        let components = tarjan_scc(&graph).into_iter();
        let circles = components.filter(|component| component.len() > 1);
        let circles = circles.map(|circle| circle.iter().map(|node| nodes[node.index()]).collect());
        let describe = |mut circle: Vec<&str>| {
            circle.sort_unstable();
            let mut lines = vec![format!("circle of {}", circle.join(", "))];
            for ((from, to), places) in &self.0 {
                if circle.contains(&from.as_str()) && circle.contains(&to.as_str()) {
                    lines.push(format!("  {from} → {to}"));
                    lines.extend(places.iter().map(|place| format!("    {place}")));
                }
            }
            lines.join("\n")
        };
        circles.map(describe).collect()
    }
}

#[test]
fn modules_have_no_circles() {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo knows the workspace");
    let mut faults = Vec::new();
    for package in metadata.packages {
        let library = package
            .targets
            .iter()
            .find(|target| target.is_lib() || target.is_proc_macro());
        let Some(library) = library else { continue };
        let source = library.src_path.parent().expect("a source has a folder");
        let circles = Uses::of(source.as_std_path()).circles();
        if !circles.is_empty() {
            faults.push(format!("{}: {}", package.name, circles.join("\n")));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
