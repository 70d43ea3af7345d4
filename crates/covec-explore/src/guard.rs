//! What every request must pass, and what every answer says to the browser.
//!
//! A page of some other site must not read a model on this machine. It cannot, by the rules of browsers,
//! unless it makes its own name point to this machine (DNS rebinding): then the `Host` it sends is its own, and
//! is refused. What it sends without reading the answer carries its `Origin`, or is marked as
//! `cross-site`, and is refused as well.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::fault::Fault;

/// A request that is not there by then will not come.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of an address.
const LONGEST_ADDRESS: usize = 8 << 10;

/// Nothing from elsewhere, nothing inline: what is not in the program does not run. The digest is that of no
/// style at all, which plotly.js fills by script.
const POLICY: &str = "default-src 'none'; script-src 'self'; \
     style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src 'self' data: blob:; \
     connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(header::HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who may be asked for.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    address: SocketAddr,
    /// The name that was given to listen on.
    host: String,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, host: &str) -> Self {
        Self { address, host: host.to_ascii_lowercase() }
    }

    /// Whether a `Host` is this server's. Names other than that given may be anybody's; an address is one's own.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            // The colons within brackets are the address's own.
            Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()),
            _ => (host.as_str(), Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => name == "localhost" || name == self.host,
        }
    }

    fn check(&self, request: &Request) -> Result<(), Fault> {
        let forbidden = |what: String| Err(Fault::new(StatusCode::FORBIDDEN, what));
        let headers = request.headers();
        match text(headers, &header::HOST) {
            Some(host) if self.is_own(host) => {}
            other => {
                let host = other.unwrap_or("nobody");
                return forbidden(format!(
                    "this server is not {host}\n  expected: Host {}",
                    self.address
                ));
            }
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let own = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            if !own.is_some_and(|host| self.is_own(host)) {
                return forbidden("a page of another site may not ask this server".to_owned());
            }
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let mode = headers.get("sec-fetch-mode").and_then(|mode| mode.to_str().ok());
        // A link from elsewhere may be followed.
        if matches!(site, Some("cross-site" | "same-site")) && mode != Some("navigate") {
            return forbidden("a page of another site may not ask this server".to_owned());
        }
        if request.uri().to_string().len() > LONGEST_ADDRESS {
            let problem = format!("an address of more than {LONGEST_ADDRESS} bytes");
            return Err(Fault::new(StatusCode::URI_TOO_LONG, problem));
        }
        Ok(())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Lets a request pass, waits for its answer only so long, and adds the headers.
pub(crate) async fn pass(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Err(fault) => fault.into_response(),
        Ok(()) => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => response,
            Err(_) => {
                let problem = format!("the request was not whole after {} s", PATIENCE.as_secs());
                Fault::new(StatusCode::REQUEST_TIMEOUT, problem).into_response()
            }
        },
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let cached = response.headers().contains_key(header::CACHE_CONTROL);
    if !cached {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ones_own_addresses_and_names_are_ones_own() {
        let local = Guard::new(([127, 0, 0, 1], 8010).into(), "127.0.0.1");
        for host in ["127.0.0.1:8010", "localhost:8010", "LOCALHOST:8010", "[::1]:8010"] {
            assert!(local.is_own(host), "{host}");
        }
        let foreign = [
            "evil.example:8010",
            "127.0.0.1",
            "127.0.0.1:8011",
            "localhost.evil.example:8010",
            "192.168.0.7:8010",
            "127.0.0.1.evil.example:8010",
            "[::1]",
            "",
            ":8010",
            "localhost:8010:8010",
        ];
        for host in foreign {
            assert!(!local.is_own(host), "{host}");
        }
        let open = Guard::new(([0, 0, 0, 0], 8010).into(), "lab.example");
        assert!(open.is_own("192.168.0.7:8010") && open.is_own("lab.example:8010"));
        assert!(!open.is_own("evil.example:8010"));
    }
}
