//! A client of the W3C WebDriver protocol: JSON over HTTP to a chromedriver process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// A chromedriver process, killed on drop.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    /// The temporary files of its browsers.
    folder: PathBuf,
}

/// The text before the port in the output of chromedriver.
const STARTED: &str = "started successfully on port ";

impl Driver {
    /// Starts the chromedriver that `EMTEE_CHROMEDRIVER` names, or the one in the path.
    pub(crate) fn start() -> Driver {
        let program = std::env::var("EMTEE_CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
        let mut command = Command::new(&program);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let folder = std::env::temp_dir().join(format!("emtee-{since}"));
        std::fs::create_dir(&folder).unwrap();
        command.env("TMPDIR", &folder);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process =
            command.spawn().unwrap_or_else(|error| panic!("{program}: {error}; cargo xtask browser installs it"));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.split_once(STARTED)?.1;
            rest.trim_end_matches('.').parse().ok()
        });
        // Reads the rest of its output: chromedriver would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Driver { process, port: port.expect("chromedriver prints its port"), folder }
    }

    /// A new, empty browser.
    pub(crate) fn browser(&self) -> Browser<'_> {
        let arguments =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1360,1000"];
        let mut options = json!({ "args": arguments });
        if let Ok(binary) = std::env::var("EMTEE_CHROMIUM") {
            options["binary"] = binary.into();
        }
        let capabilities = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let session = self.send("POST", "/session", &json!({ "capabilities": { "alwaysMatch": capabilities } }));
        Browser { driver: self, id: session["sessionId"].as_str().unwrap().to_owned() }
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_send(method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        assert!(answer["value"]["error"].is_null(), "{method} {path}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }

    fn try_send(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let body = if method == "GET" || method == "DELETE" { String::new() } else { body.to_string() };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all((head + &body).as_bytes())?;
        // chromedriver ignores `connection: close`, so the content length gives the end of the response.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            match line.trim_end().to_ascii_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                Some(_) => {}
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes)?;
        let body = String::from_utf8_lossy(&bytes);
        Ok(serde_json::from_str(&body)?)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A browser with one page.
pub(crate) struct Browser<'d> {
    driver: &'d Driver,
    id: String,
}

impl Browser<'_> {
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        self.driver.send(method, &format!("/session/{}{path}", self.id), body)
    }

    /// Opens an address with a full page load.
    pub(crate) fn open(&self, address: &str) {
        self.send("POST", "/url", &json!({ "url": "about:blank" }));
        self.send("POST", "/url", &json!({ "url": address }));
    }

    /// Runs a script in the page and returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.send("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs an async script with the argument `given`, and returns its result.
    pub(crate) fn run_with(&self, script: &str, given: &Value) -> Value {
        let script = format!("return (async (given) => {{ {script} }})(arguments[0])");
        self.send("POST", "/execute/sync", &json!({ "script": script, "args": [given] }))
    }

    /// The text of the first element that a selector finds.
    pub(crate) fn text(&self, selector: &str) -> String {
        let found = self.run(&format!("return document.querySelector({})?.textContent ?? null", json!(selector)));
        found.as_str().unwrap_or_else(|| panic!("there is no {selector}")).to_owned()
    }

    /// How many elements a selector finds.
    pub(crate) fn count(&self, selector: &str) -> u64 {
        self.run(&format!("return document.querySelectorAll({}).length", json!(selector))).as_u64().unwrap()
    }

    /// Clicks the first element that a selector finds, with a real mouse event.
    pub(crate) fn click(&self, selector: &str) {
        let found = self.send("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let element = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str).unwrap();
        self.send("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// The centre of the first element that a selector finds, in the window.
    pub(crate) fn centre(&self, selector: &str) -> (f64, f64) {
        let script = "const box = document.querySelector(given).getBoundingClientRect(); \
                      return [box.x + box.width / 2, box.y + box.height / 2];";
        serde_json::from_value(self.run_with(script, &json!(selector))).unwrap()
    }

    /// Presses the mouse button at a point, moves to other points, and releases it at the last one.
    pub(crate) fn drag(&self, points: &[(f64, f64)]) {
        let at =
            |&(x, y): &(f64, f64)| json!({ "type": "pointerMove", "duration": 10, "x": x.round(), "y": y.round() });
        let mut actions = vec![at(&points[0]), json!({ "type": "pointerDown", "button": 0 })];
        actions.extend(points[1..].iter().map(at));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let mouse =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.send("POST", "/actions", &json!({ "actions": [mouse] }));
    }

    /// Turns the network off or on.
    pub(crate) fn set_offline(&self, offline: bool) {
        let conditions = json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.chromium("Network.enable", json!({}));
        self.chromium("Network.emulateNetworkConditions", conditions);
    }

    /// Lets scripts of tests run on a page with a content security policy. Pages loaded later are affected.
    pub(crate) fn bypass_policy(&self) {
        self.chromium("Page.setBypassCSP", json!({ "enabled": true }));
    }

    /// Chooses an option, or fills a field in.
    pub(crate) fn set(&self, selector: &str, value: &str) {
        let (selector, value) = (json!(selector), json!(value));
        self.run(&format!(
            "const field = document.querySelector({selector}); field.value = {value}; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    }

    /// Presses keys at the focus. Keys without a character are W3C code points.
    pub(crate) fn press(&self, keys: &str) {
        let each = keys
            .chars()
            .flat_map(|key| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]);
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": each.collect::<Vec<_>>() }] });
        self.send("POST", "/actions", &actions);
    }

    /// Waits until a script returns something true, and returns it.
    pub(crate) fn until(&self, what: &str, condition: &str) -> Value {
        let began = Instant::now();
        loop {
            let value = self.run(&format!("return {condition}"));
            if !matches!(value, Value::Null | Value::Bool(false)) && value != json!("") && value != json!(0) {
                return value;
            }
            assert!(
                began.elapsed() < Duration::from_secs(90),
                "{what}: {condition} did not hold in time; the text of the page is {}",
                self.text("body")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A command of the Chrome DevTools protocol.
    fn chromium(&self, command: &str, parameters: Value) -> Value {
        self.send("POST", "/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Sets the size of the window, and light or dark.
    pub(crate) fn set_appearance(&self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.chromium("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        self.chromium(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
    }

    /// A screenshot of the page as PNG, at most this many pixels high.
    pub(crate) fn screenshot(&self, max_height: f64) -> Vec<u8> {
        let size =
            self.run("return [innerWidth, document.querySelector('main').getBoundingClientRect().bottom + scrollY]");
        let (width, height) = (size[0].as_f64().unwrap(), size[1].as_f64().unwrap().min(max_height));
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height.ceil(), "scale": 1 });
        let parameters = json!({ "format": "png", "clip": clip, "captureBeyondViewport": true });
        let shot = self.chromium("Page.captureScreenshot", parameters);
        decode(shot["data"].as_str().unwrap())
    }

    /// Fails if the page has logged an error.
    pub(crate) fn assert_no_errors(&self) {
        let log = self.send("POST", "/se/log", &json!({ "type": "browser" }));
        let all = log.as_array().unwrap().iter().filter(|entry| entry["level"] == "SEVERE");
        let errors: Vec<&str> = all.filter_map(|entry| entry["message"].as_str()).collect();
        assert!(errors.is_empty(), "the page has errors: {errors:?}");
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        // Also after a failure: otherwise chromium outlives the test.
        let _ = self.driver.try_send("DELETE", &format!("/session/{}", self.id), &Value::Null);
    }
}

/// Decodes Base64.
fn decode(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for letter in text.bytes() {
        let Some(value) = LETTERS.iter().position(|&known| known == letter) else { continue };
        (bits, held) = (bits << 6 | value as u32, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}
