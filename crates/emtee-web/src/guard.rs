//! Access checks: only the explorer's own page may send requests.
//!
//! Any page in a browser can send requests to this machine. So a request must have this server in `Host` (DNS rebinding, a
//! foreign name that points to this machine, fails here). If it comes from a page, it must come from our own (`Origin`,
//! `Sec-Fetch-Site`). If it has a body, it must be JSON, which foreign forms cannot send. If the server is not bound to this
//! machine alone, a request must also carry the token.

use std::net::SocketAddr;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, Method, Response};

use crate::refusal::Refusal;

/// The checks of a request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The address of the server.
    address: SocketAddr,
    /// The token that clients must send, if other machines can reach the server.
    token: Option<String>,
}

/// The security headers of every response: nothing from other sites, nothing inline, no frames.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

impl Guard {
    /// The guard of a server at this address. A loopback address needs no token.
    pub(crate) fn new(address: SocketAddr) -> Result<Guard, getrandom::Error> {
        let token = if address.ip().is_loopback() { None } else { Some(token()?) };
        Ok(Guard { address, token })
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Accepts a request or returns why not. `api`: a request under `/api/`; the files of the page are public.
    pub(crate) fn check(&self, method: &Method, headers: &HeaderMap, api: bool) -> Result<(), Refusal> {
        let host = text(headers, &HOST).ok_or_else(|| Refusal::bad("the request names no host"))?;
        // With a token the host is not checked: the machine may have many names, and the token stops DNS rebinding.
        if self.token.is_none() && !self.is_own(host) {
            return Err(Refusal::forbidden("the request is for another host; open the address that was printed"));
        }
        if let Some(origin) = headers.get(ORIGIN) {
            let own = origin.to_str().is_ok_and(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}")));
            if !own {
                return Err(Refusal::forbidden("the request comes from another page"));
            }
        }
        let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
        if api && site.is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(Refusal::forbidden("the request comes from another page"));
        }
        if let Some(token) = self.token.as_deref().filter(|_| api) {
            let given = text(headers, &AUTHORIZATION).and_then(|given| given.strip_prefix("Bearer "));
            if !given.is_some_and(|given| constant_time_eq(given, token)) {
                return Err(Refusal::new(401, "open the address that was printed, token included"));
            }
        }
        if *method == Method::POST {
            let json = text(headers, &CONTENT_TYPE).is_some_and(|given| {
                given.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            });
            if !json {
                return Err(Refusal::new(415, "send JSON, as application/json"));
            }
        }
        Ok(())
    }

    /// Whether a host is a name of this machine, with our port.
    fn is_own(&self, host: &str) -> bool {
        // Browsers omit the default port.
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|digit| digit.is_ascii_digit()));
        let host = if has_port { host.to_owned() } else { format!("{host}:80") };
        let (own, port) = (self.address.to_string(), self.address.port());
        let names = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}"));
        host == own || names.iter().any(|name| host.eq_ignore_ascii_case(name))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Adds the security headers to a response.
pub(crate) fn harden<B>(response: &mut Response<B>) {
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

/// 128 random bits.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares two texts in constant time, so that the time does not reveal a common prefix.
fn constant_time_eq(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, headers: &[(&str, &str)]) -> Result<(), u16> {
        let mut map = HeaderMap::new();
        map.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in headers {
            map.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        use axum::response::IntoResponse;
        guard.check(&Method::POST, &map, true).map_err(|refusal| refusal.into_response().status().as_u16())
    }

    #[test]
    fn only_our_own_page_on_this_machine_is_accepted() {
        let guard = Guard::new("127.0.0.1:8000".parse().unwrap()).unwrap();
        assert_eq!(guard.token(), None);
        let host = ("host", "localhost:8000");
        for (headers, answer) in [
            (vec![host], Ok(())),
            (vec![("host", "127.0.0.1:8000"), ("origin", "http://127.0.0.1:8000")], Ok(())),
            (vec![("host", "[::1]:8000")], Ok(())),
            (vec![], Err(400)),
            (vec![("host", "evil.example:8000")], Err(403)),
            (vec![("host", "localhost:8001")], Err(403)),
            (vec![("host", "localhost")], Err(403)),
            (vec![host, ("origin", "http://evil.example")], Err(403)),
            (vec![host, ("origin", "http://localhost:9000")], Err(403)),
            (vec![host, ("origin", "https://localhost:8000")], Err(403)),
            (vec![host, ("origin", "null")], Err(403)),
            (vec![host, ("sec-fetch-site", "cross-site")], Err(403)),
            (vec![host, ("sec-fetch-site", "same-site")], Err(403)),
            (vec![host, ("sec-fetch-site", "same-origin")], Ok(())),
            (vec![host, ("content-type", "text/plain")], Err(415)),
            (vec![host, ("content-type", "application/x-www-form-urlencoded")], Err(415)),
        ] {
            assert_eq!(check(&guard, &headers), answer, "{headers:?}");
        }
    }

    #[test]
    fn other_loopback_addresses_are_accepted() {
        let guard = Guard::new("127.0.0.2:8000".parse().unwrap()).unwrap();
        assert_eq!(guard.token(), None);
        assert_eq!(check(&guard, &[("host", "127.0.0.2:8000"), ("origin", "http://127.0.0.2:8000")]), Ok(()));
        assert_eq!(check(&guard, &[("host", "127.0.0.3:8000")]), Err(403));
        let default_port = Guard::new("[::1]:80".parse().unwrap()).unwrap();
        for (host, answer) in [("[::1]", Ok(())), ("localhost", Ok(())), ("[::1]:80", Ok(())), ("[::2]", Err(403))] {
            assert_eq!(check(&default_port, &[("host", host)]), answer, "{host}");
        }
    }

    #[test]
    fn other_addresses_require_a_token() {
        let guard = Guard::new("0.0.0.0:8000".parse().unwrap()).unwrap();
        let token = guard.token().unwrap().to_owned();
        assert_eq!(token.len(), 32);
        let host = ("host", "lab.example:8000");
        assert_eq!(check(&guard, &[host]), Err(401));
        assert_eq!(check(&guard, &[host, ("authorization", "Bearer 00000000000000000000000000000000")]), Err(401));
        assert_eq!(check(&guard, &[host, ("authorization", &format!("Bearer {token}"))]), Ok(()));
        assert_ne!(Guard::new("0.0.0.0:8000".parse().unwrap()).unwrap().token(), Some(&*token));
    }
}
