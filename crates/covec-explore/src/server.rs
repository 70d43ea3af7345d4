//! The server: listens, hands every connection to the pages and the API, and ends when told to.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, oneshot};

use crate::guard::{self, Guard};
use crate::{Desk, ExploreError, api, site};

/// The port that is tried first where none was asked for: bookmarks stay good.
const PORT: u16 = 7300;
/// Ports after it that are tried.
const PORTS: u16 = 20;
/// Connections at a time; more wait in line.
const CONNECTIONS: usize = 256;
/// The head of a request must be there by then.
const HEAD: Duration = Duration::from_secs(5);
/// Bytes of the head of a request.
const LONGEST_HEAD: usize = 32 << 10;

/// A server that runs until it is stopped, or dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    desk: Arc<Desk>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on `host` and answers, in a thread of its own; without a port on the first free one of a few.
    pub fn start(desk: Desk, host: &str, port: Option<u16>) -> Result<Self, ExploreError> {
        let listener = listen(host, port)?;
        let address = listener.local_addr().map_err(ExploreError::Start)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ExploreError::Start)?;
        let desk = Arc::new(desk);
        let guard = Guard::new(address, host);
        let router = Router::new()
            .nest(api::PREFIX, api::router(&desk))
            .merge(site::router())
            .layer(from_fn_with_state(guard, guard::pass));
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            let accepting = runtime.spawn(accept(listener, router));
            // An error is a sender that is gone, which says the same.
            let _ = runtime.block_on(stopped);
            accepting.abort();
            runtime.shutdown_timeout(Duration::from_secs(1));
        };
        let thread = std::thread::Builder::new().name("explorer".to_owned()).spawn(serve);
        let thread = Some(thread.map_err(ExploreError::Start)?);
        Ok(Self { address, desk, stop: Some(stop), thread })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        match self.address.ip().is_unspecified() {
            // Everywhere is no place to go to.
            true => format!("http://localhost:{}/", self.address.port()),
            false => format!("http://{}/", self.address),
        }
    }

    /// Ends all work and waits until that is done.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.desk.close();
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn listen(host: &str, port: Option<u16>) -> Result<TcpListener, ExploreError> {
    let ports = match port {
        Some(port) => port..=port,
        None => PORT..=PORT + PORTS,
    };
    let mut failed = None;
    for port in ports.clone() {
        let found = (host, port)
            .to_socket_addrs()
            .and_then(|addresses| TcpListener::bind(&addresses.collect::<Vec<_>>()[..]));
        match found {
            Ok(listener) => {
                listener.set_nonblocking(true).map_err(ExploreError::Start)?;
                return Ok(listener);
            }
            Err(source) => failed = Some((port, source)),
        }
    }
    let (port, source) = failed.unwrap_or((PORT, std::io::ErrorKind::AddrInUse.into()));
    let way_out = match source.kind() {
        std::io::ErrorKind::AddrInUse => "another --port, or none for any that is free",
        std::io::ErrorKind::PermissionDenied => "a --port of 1024 or more",
        _ => "--host 127.0.0.1, for this machine alone",
    };
    Err(ExploreError::Address { host: host.to_owned(), port, source, way_out })
}

async fn accept(listener: TcpListener, router: Router) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // The system is short of something; it may pass.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(LONGEST_HEAD);
            // What the other side does to its own connection is its own affair.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}
