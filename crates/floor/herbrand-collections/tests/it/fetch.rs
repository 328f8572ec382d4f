//! Fetches from a local server that answers well and badly.

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use herbrand_collections::fetch::{FetchError, FetchOptions, Fetched, fetch};
use herbrand_collections::{Collection, CollectionError, ProblemSet, Search, kept};
use tempfile::TempDir;

use crate::names::{DOMAIN, INSTANCE, PROBLEM, RDDL};
use crate::server::{Reply, Server};

fn content(text: &str) -> Reply {
    Reply::Content(text.as_bytes().to_vec())
}

/// Starts a server with these paths.
fn server(replies: Vec<(&str, Reply)>) -> Server {
    let replies = replies.into_iter().map(|(path, reply)| (path.to_owned(), reply));
    Server::start(|_| replies.collect())
}

struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn options(&self) -> FetchOptions {
        FetchOptions {
            time: Duration::from_secs(20),
            ..FetchOptions::new(self.0.path())
        }
    }

    fn fetch(&self, urls: &[String]) -> Result<Fetched, FetchError> {
        fetch(urls, &self.options())
    }

    fn search(&self) -> Search {
        Search {
            folders: Vec::new(),
            python: None,
            cache: Some(self.0.path().to_owned()),
        }
    }

    /// Returns the name of the domain and the problems of a name.
    fn problems(&self, name: &str) -> Vec<String> {
        match self
            .search()
            .find(name)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
        {
            ProblemSet::Pddl(files) => files.problems.into_iter().map(|problem| problem.name).collect(),
            ProblemSet::Rddl { sources, .. } => {
                vec![format!("{} texts", sources.len())]
            }
        }
    }

    /// Checks that a failed fetch left nothing behind.
    fn is_empty(&self) -> bool {
        let names = self.search().names(Collection::Fetched).expect("it can be read");
        let folder = fs::read_dir(self.0.path().join("fetched"));
        names.is_empty() && folder.is_ok_and(|mut entries| entries.next().is_none())
            || !self.0.path().join("fetched").exists()
    }
}

#[test]
fn a_domain_and_its_problems_get_the_name_of_the_domain() {
    let server = server(vec![
        ("/a/base.pddl", content(DOMAIN)),
        ("/a/p1.pddl?raw=1", content(PROBLEM)),
        ("/b/p1.pddl", content(PROBLEM)),
        ("/moved", Reply::Redirect("/a/base.pddl".to_owned())),
    ]);
    let cache = Cache::new();
    let urls = ["/moved", "/a/p1.pddl?raw=1", "/b/p1.pddl"].map(|path| server.url(path));
    let fetched = cache.fetch(&urls).expect("it is fetched");
    assert_eq!(
        (fetched.name.as_str(), &fetched.names[..]),
        ("lamps", &["fetched:lamps".to_owned()][..])
    );
    assert_eq!(cache.problems("fetched:lamps"), ["p1", "p1-2"]);
    assert!(!fetched.unchanged);
    let again = cache.fetch(&urls).expect("it is fetched");
    assert!(again.unchanged);
    assert_eq!(again.kept.hash(), fetched.kept.hash());
    let index = kept(cache.0.path(), "lamps").expect("it is kept");
    assert_eq!((index.sources, index.files.len()), (urls.to_vec(), 3));
    // The well known SHA-256 of the text.
    let hash = &index.files["p1.pddl"];
    assert_eq!((hash.len(), hash), (64, &index.files["p1-2.pddl"]));
}

#[test]
fn a_changed_file_is_noticed() {
    let server = server(vec![("/d.pddl", content(DOMAIN)), ("/p.pddl", content(PROBLEM))]);
    let cache = Cache::new();
    let fetched = cache
        .fetch(&[server.url("/d.pddl"), server.url("/p.pddl")])
        .expect("fetched");
    fs::write(
        fetched.folder.join("p.pddl"),
        PROBLEM.replace("(on a)", "(on  a)"),
    )
    .expect("it is written");
    let error = cache.search().find("fetched:lamps").expect_err("it was changed");
    assert!(
        matches!(&error, CollectionError::Changed { name, .. } if name == "lamps"),
        "{error}"
    );
    cache
        .fetch(&[server.url("/d.pddl"), server.url("/p.pddl")])
        .expect("fetched");
    assert_eq!(cache.problems("fetched:lamps"), ["p"]);
}

#[test]
fn rddl_is_fetched_too() {
    let server = server(vec![("/d", content(RDDL)), ("/i", content(INSTANCE))]);
    let cache = Cache::new();
    let options = FetchOptions {
        name: Some("counter".to_owned()),
        ..cache.options()
    };
    fetch(&[server.url("/d"), server.url("/i")], &options).expect("it is fetched");
    assert_eq!(cache.problems("fetched:counter"), ["2 texts"]);
}

/// Returns an archive with these files. A file without a text is a link out of the archive.
fn archive(files: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_ustar();
        let name = path.as_bytes();
        // Paths that the crate refuses to write are written as they are.
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        let bytes = text.unwrap_or_default().as_bytes();
        if text.is_none() {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_link_name("/etc/passwd").expect("a short name");
        }
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, bytes).expect("it is written");
    }
    builder.into_inner().expect("it is written")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("it is written");
    encoder.finish().expect("it is written")
}

#[test]
fn an_archive_is_unpacked_without_what_is_hostile() {
    let files = [
        ("repo-main/README.md", Some("read me")),
        ("repo-main/lamps/domain.pddl", Some(DOMAIN)),
        ("repo-main/lamps/p1.pddl", Some(PROBLEM)),
        ("repo-main/counter/domain.rddl", Some(RDDL)),
        ("repo-main/counter/i.rddl", Some(INSTANCE)),
        ("repo-main/../../evil.pddl", Some(PROBLEM)),
        ("/abs/evil.pddl", Some(PROBLEM)),
        ("repo-main/link.pddl", None),
        ("repo-main/notes.pddl", Some("no planning")),
        ("repo-main/a b.pddl", Some(PROBLEM)),
    ];
    let plain = archive(&files);
    let server = server(vec![
        ("/repo.tar", Reply::Content(plain.clone())),
        ("/repo.tar.gz", Reply::Content(gzip(&plain))),
    ]);
    for path in ["/repo.tar", "/repo.tar.gz"] {
        let cache = Cache::new();
        let fetched = cache.fetch(&[server.url(path)]).expect("it is fetched");
        assert_eq!(fetched.names, ["fetched:repo/counter", "fetched:repo/lamps"]);
        assert_eq!(cache.problems("fetched:repo/lamps"), ["p1"]);
        assert_eq!(cache.problems("fetched:repo/counter"), ["2 texts"]);
        let names: Vec<_> = fetched.left_out.iter().map(|(file, _)| file.as_str()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(fetched.kept.files.len(), 4);
        assert!(!cache.0.path().join("evil.pddl").exists());
    }
}

#[test]
fn bad_content_is_refused_and_nothing_is_kept() {
    let bomb = gzip(&archive(&[("d.pddl", Some(&" ".repeat(3 << 20)))]));
    let mut latin = DOMAIN.as_bytes().to_vec();
    latin.push(0xe9);
    let server = server(vec![
        ("/page", content("<!DOCTYPE html><p>Not found")),
        ("/text", content("no planning")),
        ("/empty", content("")),
        ("/latin", Reply::Content(latin)),
        ("/zip", Reply::Content(b"PK\x03\x04rest".to_vec())),
        ("/gz", Reply::Content(gzip(b"(define (domain d))"))),
        (
            "/broken.gz",
            Reply::Content(gzip(&archive(&[("d.pddl", Some(DOMAIN))]))[..60].to_vec()),
        ),
        ("/none.tar", Reply::Content(archive(&[("a.txt", Some("text"))]))),
        ("/bomb.tar.gz", Reply::Content(bomb)),
        ("/endless", Reply::Endless),
        ("/short", Reply::Broken),
        ("/gone", Reply::Status(410)),
        ("/loop", Reply::Redirect("/loop".to_owned())),
        ("/file", Reply::Redirect("file:///etc/passwd".to_owned())),
        ("/user", Reply::Redirect("http://user:key@127.0.0.1/".to_owned())),
        ("/relative", Reply::Redirect("../x".to_owned())),
        ("/d", content(DOMAIN)),
    ]);
    for (path, expected) in [
        ("/page", "is a web page"),
        ("/text", "defines no domain, problem or instance"),
        ("/empty", "defines no domain, problem or instance"),
        ("/latin", "is not UTF-8"),
        ("/zip", "is an archive, but neither .tar nor .tar.gz"),
        ("/gz", "is compressed, but no .tar archive"),
        ("/broken.gz", "breaks off"),
        ("/none.tar", "has no files in PDDL or RDDL"),
        ("/bomb.tar.gz", "the limit of 1048576 bytes is reached"),
        ("/endless", "the limit of 1048576 bytes is reached"),
        ("/short", "breaks off"),
        ("/gone", "status 410"),
        ("/nowhere", "status 404"),
        ("/loop", "the limit of 5 redirects is reached"),
        ("/file", "it begins with neither http:// nor https://"),
        ("/user", "it names a user"),
        ("/relative", "a redirect needs a whole address"),
    ] {
        let cache = Cache::new();
        let options = FetchOptions {
            bytes: 1 << 20,
            ..cache.options()
        };
        let error = fetch(&[server.url(path)], &options).expect_err(path).to_string();
        assert!(error.contains(expected), "{path}: {error}");
        assert!(cache.is_empty(), "{path}");
    }
    let cache = Cache::new();
    for (urls, expected) in [
        (vec![server.url("/d"), server.url("/d")], "is a second domain"),
        (
            vec![server.url("/d"), server.url("/none.tar")],
            "is an archive: fetch it alone",
        ),
        (
            vec!["ftp://a/b".to_owned()],
            "it begins with neither http:// nor https://",
        ),
        (vec!["http://a b".to_owned()], "it is no URL"),
        (vec![], "nothing to fetch"),
    ] {
        let error = cache.fetch(&urls).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    }
    for name in ["..", "a/b", "", ".x", "a\\b"] {
        let options = FetchOptions {
            name: Some(name.to_owned()),
            ..cache.options()
        };
        let error = fetch(&[server.url("/d")], &options).expect_err(name);
        assert!(matches!(error, FetchError::Name(_)), "{name}: {error}");
    }
    assert!(cache.is_empty());
}

#[test]
fn a_silent_server_ends_the_fetch_in_time() {
    let server = server(vec![("/silent", Reply::Silence)]);
    let cache = Cache::new();
    let options = FetchOptions {
        time: Duration::from_millis(300),
        ..cache.options()
    };
    let error = fetch(&[server.url("/silent")], &options)
        .expect_err("it is silent")
        .to_string();
    assert!(error.contains("the limit of 0.3 seconds is reached"), "{error}");
    assert!(cache.is_empty());
}

#[test]
fn a_folder_of_another_program_is_not_replaced() {
    let server = server(vec![("/d", content(DOMAIN)), ("/p", content(PROBLEM))]);
    let cache = Cache::new();
    let own = cache.0.path().join("fetched/lamps/mine.txt");
    fs::create_dir_all(own.parent().expect("a folder")).expect("it is made");
    fs::write(&own, "mine").expect("it is written");
    let error = cache
        .fetch(&[server.url("/d"), server.url("/p")])
        .expect_err("it is there");
    assert!(error.to_string().contains("was not fetched"), "{error}");
    assert_eq!(fs::read_to_string(&own).expect("it is there"), "mine");
}

/// The interface of planning.domains, with two domains of one name, one of them with a domain per problem.
fn planning_domains() -> Server {
    let other = DOMAIN.replace("(on ?x)", "(on ?y)").replace("(?x)", "(?y)");
    Server::start(move |address| {
        let problem = |id: u32, domain: u32, file: &str| {
            format!(
                r#"{{"problem_id": {id}, "domain": "lamps", "problem": "../{file}.pddl", "domain_url": "{address}/d{domain}", "problem_url": "{address}/p", "tags": null}}"#
            )
        };
        let ok = |result: String| {
            content(&format!(
                r#"{{"error": false, "message": "", "result": {result}}}"#
            ))
        };
        let domain =
            |id: u32| format!(r#"{{"domain_id": {id}, "domain_name": "lamps", "description": "x"}}"#);
        let replies = [
            (
                "/i/collection/3",
                ok(r#"{"collection_id": 3, "collection_name": "IPC 1998"}"#.to_owned()),
            ),
            ("/i/domains/3", ok(format!("[{}, {}]", domain(1), domain(2)))),
            ("/i/domain/1", ok(domain(1))),
            (
                "/i/problems/1",
                ok(format!("[{}, {}]", problem(5, 1, "p1"), problem(6, 1, "p2"))),
            ),
            (
                "/i/problems/2",
                ok(format!("[{}, {}]", problem(7, 1, "p1"), problem(8, 2, "p2"))),
            ),
            ("/i/problem/5", ok(problem(5, 1, "p1"))),
            ("/i/problem/9", ok(r#"{"problem": "p"}"#.to_owned())),
            (
                "/i/problem/10",
                content(r#"{"error": true, "message": "no such problem"}"#),
            ),
            ("/i/problem/11", content("<html>")),
            (
                "/i/problem/12",
                ok(problem(12, 1, "p").replace(&format!("{address}/p"), "file:///etc/passwd")),
            ),
            ("/i/domain/13", ok(domain(13))),
            ("/i/problems/13", ok("[]".to_owned())),
            ("/d1", content(DOMAIN)),
            ("/d2", content(&other)),
            ("/p", content(PROBLEM)),
        ];
        replies.map(|(path, reply)| (path.to_owned(), reply)).to_vec()
    })
}

#[test]
fn planning_domains_gives_problems_domains_and_collections() {
    let server = planning_domains();
    let cache = Cache::new();
    let options = FetchOptions {
        interface: server.url("/i/"),
        ..cache.options()
    };
    let get = |identifier: &str| fetch(&[identifier.to_owned()], &options);
    for identifier in ["planning-domains:5", "planning-domains:problem/5"] {
        let fetched = get(identifier).expect(identifier);
        assert_eq!(fetched.names, ["fetched:lamps-..-p1"], "{identifier}");
        assert_eq!(cache.problems(&fetched.names[0]), ["p1"]);
    }
    let fetched = get("planning-domains:domain/1").expect("it is fetched");
    assert_eq!(fetched.names, ["fetched:lamps"]);
    assert_eq!(cache.problems("fetched:lamps"), ["p1", "p2"]);
    let fetched = get("planning-domains:collection/3").expect("it is fetched");
    assert_eq!(
        fetched.names,
        ["fetched:IPC-1998/lamps", "fetched:IPC-1998/lamps-2"]
    );
    assert_eq!(cache.problems("fetched:IPC-1998/lamps"), ["p1", "p2"]);
    let error = cache
        .search()
        .find("fetched:IPC-1998/lamps-2")
        .expect_err("it has two domains");
    assert!(matches!(error, CollectionError::SeveralDomains { .. }), "{error}");
    assert_eq!(cache.problems("fetched:IPC-1998/lamps-2/p2.pddl"), ["p2"]);
    for (identifier, expected) in [
        (
            "planning-domains:problem/9",
            "is not of the known form: missing field",
        ),
        ("planning-domains:problem/10", "is an error: no such problem"),
        ("planning-domains:problem/11", "is no JSON"),
        (
            "planning-domains:problem/12",
            "it begins with neither http:// nor https://",
        ),
        ("planning-domains:domain/13", "names no problems"),
        ("planning-domains:domain/14", "status 404"),
        ("planning-domains:plan/5", "is no identifier of planning.domains"),
        (
            "planning-domains:problem/x",
            "is no identifier of planning.domains",
        ),
    ] {
        let error = get(identifier).expect_err(identifier).to_string();
        assert!(error.contains(expected), "{identifier}: {error}");
    }
    let few = FetchOptions { files: 4, ..options };
    let error = fetch(&["planning-domains:collection/3".to_owned()], &few).expect_err("too many");
    assert!(
        error.to_string().contains("the limit of 4 files is reached"),
        "{error}"
    );
}
