//! Controls a headless browser by the DevTools protocol.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// The time limit for any change of the page.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    sent: u64,
    profile: PathBuf,
    /// The errors that the page logged or threw.
    pub faults: Vec<String>,
}

/// Returns the browser's program if one is installed.
fn program() -> Option<&'static str> {
    let found = |name: &&str| {
        let mut version = Command::new(name);
        version
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| found(name))
}

impl Browser {
    /// Starts a browser whose page is `width` by `height` pixels; `None`, with a message, if no browser is installed.
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let Some(program) = program() else {
            eprintln!("skipped: there is no chromium on this machine");
            return None;
        };
        let name = format!(
            "herbrand-browser-{}-{:?}",
            std::process::id(),
            thread::current().id()
        );
        let profile = std::env::temp_dir().join(name.replace(['(', ')'], ""));
        let mut child = Command::new(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args([
                "--disable-extensions",
                "--disable-background-networking",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let errors = child.stderr.take().expect("its errors are piped");
        let mut lines = BufReader::new(errors).lines();
        let url = loop {
            let line = lines
                .next()
                .expect("the browser says where it listens")
                .expect("text");
            if let Some((_, url)) = line.split_once("DevTools listening on ") {
                break url.trim().to_owned();
            }
        };
        // The browser continues to write, and would block if the pipe were full.
        thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(url).expect("the browser listens");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        }
        let mut browser = Self {
            child,
            socket,
            session: String::new(),
            sent: 0,
            profile,
            faults: Vec::new(),
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page.enable", "Runtime.enable"] {
            browser.call(domain, json!({}));
        }
        browser.resize(width, height);
        Some(browser)
    }

    /// Sends a command to the browser and waits for the result. Panics if the browser reports an error.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command to the browser and waits for the result, or for the error that the browser reports.
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket
            .send(Message::text(message.to_string()))
            .expect("the browser listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers in time") else {
                continue;
            };
            let said: Value = serde_json::from_str(&text).expect("JSON");
            if said["id"] == json!(self.sent) {
                return match said.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(said["result"].clone()),
                };
            }
            match said["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.faults.push(said["params"]["exceptionDetails"].to_string())
                }
                Some("Runtime.consoleAPICalled") if said["params"]["type"] == "error" => {
                    self.faults.push(said["params"]["args"].to_string());
                }
                _ => {}
            }
        }
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets the preferred colour scheme.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Opens an address and waits until the page has opened its first problem.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        self.wait("document.documentElement?.dataset.ready === 'true'");
    }

    /// Evaluates a JavaScript expression; awaits it if it is a promise.
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluate(expression)
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Evaluates an expression. Fails if the page is replaced by another one in the meantime.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let said = self.try_call("Runtime.evaluate", asked)?;
        assert!(
            said.get("exceptionDetails").is_none(),
            "{expression}: {}",
            said["exceptionDetails"]
        );
        Ok(said["result"]["value"].clone())
    }

    pub fn text(&mut self, expression: &str) -> String {
        match self.value(expression) {
            Value::String(text) => text,
            other => other.to_string(),
        }
    }

    /// Returns the text of an element.
    pub fn said(&mut self, selector: &str) -> String {
        self.text(&format!(
            "document.querySelector({selector:?})?.textContent ?? ''"
        ))
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let begin = Instant::now();
        let condition = format!("Promise.resolve({expression}).then(Boolean)");
        loop {
            match self.evaluate(&condition) {
                Ok(Value::Bool(true)) => break,
                Ok(_) => {}
                Err(error) if error["message"] == "Inspected target navigated or closed" => {}
                Err(error) => panic!("{expression}: {error}"),
            }
            if begin.elapsed() > PATIENCE {
                let said = self.said("#said");
                panic!(
                    "this never came true: {expression}; the page says {said:?}; faults: {:?}",
                    self.faults
                );
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Clicks in the centre of an element, once two frames draw the element at the same place.
    pub fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(async () => {{
                const place = () => {{
                    const {{ x, y, width, height }} = document.querySelector({selector:?}).getBoundingClientRect();
                    return [x + width / 2, y + height / 2];
                }};
                const drawn = () => new Promise(requestAnimationFrame);
                document.querySelector({selector:?}).scrollIntoView({{ block: 'center' }});
                let [before, after] = [[], place()];
                while (before.join() !== after.join()) {{
                    await drawn();
                    await drawn();
                    [before, after] = [after, place()];
                }}
                return after;
            }})()"
        ));
        let (x, y) = (
            place[0].as_f64().expect("a place"),
            place[1].as_f64().expect("a place"),
        );
        self.click_at(x, y);
    }

    pub fn click_at(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Moves the mouse without a button.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let event = json!({"type": "mouseMoved", "x": x, "y": y});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Presses a letter together with Control.
    pub fn chord(&mut self, letter: &str) {
        let code = letter.to_uppercase().bytes().next().unwrap_or_default();
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({"type": kind, "key": letter, "windowsVirtualKeyCode": code, "modifiers": 2});
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Presses a key: a letter, or a name such as `Enter`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "Backspace" => 8,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            letter => letter.to_uppercase().bytes().next().unwrap_or_default(),
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if key.len() == 1 {
            event["text"] = json!(key);
        } else if key == "Enter" {
            event["text"] = json!("\r");
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Types text at the focus.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Saves a screenshot of the page if `HERBRAND_SCREENSHOTS` names a folder.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("HERBRAND_SCREENSHOTS") else {
            return;
        };
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = STANDARD
            .decode(shot["data"].as_str().expect("data"))
            .expect("base64");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).expect("it is written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
