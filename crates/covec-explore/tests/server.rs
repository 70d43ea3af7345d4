//! The server as a browser, a program and somebody with bad intentions see it: raw requests over TCP.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use covec::Work;
use covec::analyse::neighbors::neighbors;
use covec::analyse::{SupportParameters, View};
use covec::model::Model;
use covec::synth::{self, SynthParameters};
use covec::tensor::{CountParameters, count};
use covec::train::{TrainParameters, train};
use covec_explore::{Desk, Server, Sources};
use serde_json::{Value, json};

/// A corpus, its model and a server on it, for all tests of this process.
static WORLD: LazyLock<World> = LazyLock::new(World::new);

struct World {
    home: tempfile::TempDir,
    server: Server,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        made(home.path());
        let server = Server::start(desk(home.path()), "127.0.0.1", Some(0)).unwrap();
        Self { home, server }
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    fn model(&self) -> Model {
        Model::open(&self.home.path().join("m")).unwrap()
    }
}

fn made(home: &Path) {
    let work = Work { force: true, ..Work::default() };
    let mut parameters = SynthParameters::default();
    let settings = [
        ("words", "120"),
        ("tokens", "30000"),
        ("levels", "3,2"),
        ("dim", "4"),
        ("differing", "2"),
    ];
    for (name, value) in settings {
        parameters.set(name, value).unwrap();
    }
    let corpus = home.join("c.jsonl");
    synth::write_corpus(parameters.checked().unwrap(), &corpus, &home.join("truth"), &work)
        .unwrap();
    let mut rules = CountParameters::default();
    rules.set("by", "group").unwrap();
    rules.set("by", "period").unwrap();
    let tensor = count(&[corpus], rules.check().unwrap(), &home.join("t"), &work).unwrap();
    let parameters = TrainParameters { dim: 6, sweeps: 3, ..TrainParameters::default() };
    train(&tensor, parameters.checked().unwrap(), &home.join("m"), &work).unwrap();
}

fn desk(home: &Path) -> Desk {
    let corpus = vec![home.join("c.jsonl")];
    Desk::open(&Sources { model: home.join("m"), corpus, ..Sources::default() }).unwrap()
}

/// A status, the head and the body.
struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Response {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends bytes as they are and reads until the other side closes.
fn raw(request: &[u8]) -> Response {
    let mut stream = TcpStream::connect(WORLD.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // A server that has heard enough may close before all is sent.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let body = answer.get(end + 4..).unwrap_or_default().to_vec();
    Response { status, head: head.to_lowercase(), body }
}

fn send(method: &str, target: &str, headers: &str, body: &[u8]) -> Response {
    let host = format!("Host: {}\r\n", WORLD.address());
    let host = if headers.to_lowercase().contains("host:") { String::new() } else { host };
    let length = body.len();
    let head = format!(
        "{method} {target} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    raw(&[head.as_bytes(), body].concat())
}

/// Asks until the answer is there.
fn get(target: &str) -> Response {
    loop {
        let response = send("GET", target, "", b"");
        if response.status != 202 {
            return response;
        }
    }
}

fn word(place: usize) -> String {
    WORLD.model().vocabulary.words[place].clone()
}

#[test]
fn rows_are_those_of_the_library() {
    let model = WORLD.model();
    let mut views = vec![View::base()];
    views.extend(View::of_factor(&model, 0));
    let support = SupportParameters::default();
    let found = neighbors(&model, &word(3), &views, 5, &support, &Work::default()).unwrap();
    let answer = get(&format!("/api/v1/neighbors?word={}&n=5", word(3))).json();
    assert_eq!(answer["rows"], json!(found.rows));
    assert_eq!(answer["left_out"], json!(found.left_out));
    assert_eq!(answer["levels"].as_array().unwrap().len(), 4);
}

#[test]
fn every_question_has_an_answer_in_every_form_it_offers() {
    let (a, b, c) = (word(2), word(5), word(9));
    let questions = [
        ("model".to_owned(), true),
        ("words?prefix=w".to_owned(), false),
        (format!("neighbors?word={a}"), true),
        (format!("neighborhood?word={a}"), true),
        (format!("similarity?a={a}&b={b}"), true),
        (format!("drift?word={a}&from=base&to=group-1"), true),
        (format!("explain?a={a}&b={b}&from=base&to=group-1"), true),
        (format!("evidence?word={a}&near={b}&level=group-1"), false),
        ("moved?from=group-1&to=group-2".to_owned(), true),
        ("moved?from=group-1,period-1&to=group-2".to_owned(), true),
        ("levels".to_owned(), true),
        ("levels?show=clusters".to_owned(), true),
        ("levels?show=nearest".to_owned(), true),
        ("topics".to_owned(), true),
        ("topics?dimension=1&order=alike".to_owned(), true),
        ("weights?dimension=1".to_owned(), true),
        (format!("analogy?a={a}&b={b}&c={c}"), true),
        (format!("enriched?a={a}&b={b}&c={c}&min_support=1"), false),
    ];
    let begins: [(&str, &[u8]); 4] =
        [("csv", b""), ("svg", b"<svg"), ("png", b"\x89PNG"), ("plotly", b"{\"data\"")];
    for (question, drawn) in questions {
        let answer = get(&format!("/api/v1/{question}"));
        assert_eq!(answer.status, 200, "{question}: {}", answer.text());
        let rows = answer.json()["rows"].as_array().unwrap().len();
        assert!(rows > 0, "{question}");
        let joined = if question.contains('?') { '&' } else { '?' };
        for (format, begin) in begins {
            let file = get(&format!("/api/v1/{question}{joined}format={format}"));
            if format == "csv" {
                // Lines may have breaks of their own, but no fewer than rows and head.
                assert!(file.text().lines().count() > rows, "{question}: {}", file.text());
                assert!(file.head.contains("attachment"), "{}", file.head);
            } else if drawn {
                assert_eq!(file.status, 200, "{question} {format}: {}", file.text());
                assert!(file.body.starts_with(begin), "{question} {format}");
            } else {
                assert_eq!(file.status, 400, "{question} {format}");
            }
        }
    }
}

#[test]
fn a_text_is_attributed_and_a_short_one_refused() {
    let corpus = std::fs::read_to_string(WORLD.home.path().join("c.jsonl")).unwrap();
    let lines = corpus.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let own = lines.filter(|line| line["group"] == "group-2");
    let text: String = own.map(|line| line["text"].as_str().unwrap().to_owned() + "\n").collect();
    let asked = |text: &str| loop {
        let response = send("POST", "/api/v1/attribute?factor=group", "", text.as_bytes());
        if response.status != 202 {
            return response;
        }
    };
    let answer = asked(&text).json();
    assert_eq!(answer["rows"][0]["candidate"], "group-2", "{answer}");
    assert_eq!(answer["rows"][0]["text"], "your text");
    let short = asked(&format!("{} {}", word(3), word(4)));
    assert_eq!(short.status, 422);
    let told = short.json()["error"].as_str().unwrap().to_owned();
    assert!(told.starts_with("your text: 2 words"), "no path of this machine is told: {told}");
    let broken = send("POST", "/api/v1/attribute", "", b"\xff\xfe\x00");
    assert_eq!(broken.status, 400);
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let port = WORLD.address().port();
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"] {
        let response = send("GET", "/api/v1/model", &format!("Host: {host}\r\n"), b"");
        assert_eq!(response.status, 403, "{host}");
        assert!(!response.text().contains("rows"));
    }
    assert_eq!(send("GET", "/", &format!("Host: evil.example:{port}\r\n"), b"").status, 403);
    assert_eq!(send("GET", "/", &format!("Host: localhost:{port}\r\n"), b"").status, 200);
    let origin = |origin: &str| {
        send("POST", "/api/v1/attribute", &format!("Origin: {origin}\r\n"), b"x").status
    };
    assert_eq!(origin("http://evil.example"), 403);
    assert_eq!(origin("null"), 403);
    assert_eq!(origin(&format!("https://127.0.0.1:{port}")), 403);
    assert_ne!(origin(&format!("http://127.0.0.1:{port}")), 403);
    // A link may be followed, an image of another page may not ask.
    let site = |mode: &str| {
        let headers = format!("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: {mode}\r\n");
        send("GET", "/", &headers, b"").status
    };
    assert_eq!((site("navigate"), site("no-cors")), (200, 403));
}

#[test]
fn every_answer_forbids_the_browser_what_the_page_does_not_need() {
    for target in
        ["/", "/word?w=x", "/nothing", "/assets/app.js", "/api/v1/model", "/api/v1/nothing"]
    {
        let head = send("GET", target, "", b"").head;
        assert!(
            head.contains("content-security-policy: default-src 'none'; script-src 'self';"),
            "{head}"
        );
        assert!(!head.contains("unsafe"), "{head}");
        for other in ["x-content-type-options: nosniff", "x-frame-options: deny", "same-origin"] {
            assert!(head.contains(other), "{target}: {head}");
        }
    }
}

#[test]
fn no_address_leads_to_a_file_of_the_machine() {
    for target in [
        "/../../../../etc/passwd",
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets//etc/passwd",
        "/assets/nothing.js",
        "/c.jsonl",
    ] {
        let response = send("GET", target, "", b"");
        assert_eq!(response.status, 404, "{target}");
        assert!(!response.text().contains("root:") && !response.text().contains("[package]"));
    }
}

#[test]
fn what_is_huge_or_malformed_gets_a_4xx_and_the_server_goes_on() {
    let long = "x".repeat(9000);
    assert_eq!(send("GET", &format!("/api/v1/words?prefix={long}"), "", b"").status, 414);
    let value = "x".repeat(600);
    assert_eq!(send("GET", &format!("/api/v1/words?prefix={value}"), "", b"").status, 400);
    let huge = vec![b'a'; (4 << 20) + 1];
    assert_eq!(send("POST", "/api/v1/attribute", "", &huge).status, 413);
    let header = format!("X-Long: {}\r\n", "y".repeat(60_000));
    assert_eq!(send("GET", "/", &header, b"").status, 431);
    for request in [&b"nonsense\r\n\r\n"[..], b"GET / HTTP/9.9\r\n\r\n", b"\0\0\0\0\r\n\r\n"] {
        let status = raw(request).status;
        assert!((400..500).contains(&status), "{status}");
    }
    for (target, status) in [
        ("/api/v1/nothing", 404),
        ("/api/v1/neighbors", 400),
        ("/api/v1/neighbors?word=a&word=b", 400),
        ("/api/v1/neighbors?word=a&n=0", 400),
        ("/api/v1/neighbors?word=a&n=1e9", 400),
        ("/api/v1/neighbors?word=a&other=b", 400),
        ("/api/v1/neighbors?word=%ff%fe", 422),
        ("/api/v1/neighbors?word=nosuchword", 422),
        ("/api/v1/drift?word=a&from=base&to=base", 422),
        ("/api/v1/moved?from=base&to=nowhere", 422),
        ("/api/v1/topics?dimension=7", 422),
        ("/api/v1/levels?factor=nothing", 422),
        ("/api/v1/levels?show=map&sure=true", 422),
        ("/api/v1/model?format=exe", 400),
    ] {
        let response = get(target);
        assert_eq!(response.status, status, "{target}: {}", response.text());
        assert!(response.json()["error"].is_string(), "{target}");
    }
    assert_eq!(send("DELETE", "/api/v1/model", "", b"").status, 405);
    assert_eq!(send("POST", "/", "", b"").status, 405);
    assert_eq!(get("/api/v1/model").status, 200);
}

#[test]
fn a_request_that_never_ends_is_given_up_and_holds_up_nobody() {
    let begun = Instant::now();
    let mut slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(WORLD.address()).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
            stream
        })
        .collect();
    let body = format!(
        "POST /api/v1/attribute HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\n\r\nhalf",
        WORLD.address()
    );
    let mut half = TcpStream::connect(WORLD.address()).unwrap();
    half.write_all(body.as_bytes()).unwrap();
    assert_eq!(get("/api/v1/model").status, 200);
    let patience = Duration::from_secs(60);
    for stream in &mut slow {
        stream.set_read_timeout(Some(patience)).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    half.set_read_timeout(Some(patience)).unwrap();
    let mut answer = [0; 12];
    half.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert!(begun.elapsed() < patience, "all were let go");
}

#[test]
fn names_that_would_be_markup_stay_data() {
    let tag = "%3Cscript%3Ealert(1)%3C/script%3E";
    let response = get(&format!("/api/v1/neighbors?word={tag}"));
    assert!(response.head.contains("content-type: application/json"), "{}", response.head);
    assert!(response.json()["error"].as_str().unwrap().contains("<script>"));
    assert_eq!(response.status, 422);
}

#[test]
fn the_document_describes_every_question() {
    let document = get("/api/v1/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 15);
    for (path, operations) in paths {
        let operation = operations.as_object().unwrap().values().next().unwrap();
        assert!(operation["summary"].as_str().is_some_and(|told| told.len() > 10), "{path}");
        assert!(operation["responses"]["200"].is_object(), "{path}");
    }
}

#[test]
fn a_server_that_is_stopped_lets_go_of_its_port_and_a_port_in_use_is_refused() {
    let server = Server::start(desk(WORLD.home.path()), "127.0.0.1", None).unwrap();
    let address = server.address();
    assert!(server.url().ends_with(&format!("127.0.0.1:{}/", address.port())));
    let refused = Server::start(desk(WORLD.home.path()), "127.0.0.1", Some(address.port()));
    let told = refused.err().unwrap().to_string();
    assert!(told.contains("another --port"), "{told}");
    // Without a port the next free one is taken.
    let other = Server::start(desk(WORLD.home.path()), "127.0.0.1", None).unwrap();
    assert_ne!(other.address(), address);
    server.stop();
    assert!(TcpStream::connect(address).is_err());
    drop(other);
    let nowhere = Server::start(desk(WORLD.home.path()), "no.such.host.invalid", Some(0));
    assert!(nowhere.is_err_and(|error| error.is_refusal()));
    let missing = vec![WORLD.home.path().join("no-corpus.jsonl")];
    let sources =
        Sources { model: WORLD.home.path().join("m"), corpus: missing, ..Sources::default() };
    assert!(Desk::open(&sources).is_err_and(|error| error.to_string().contains("no such corpus")));
}
