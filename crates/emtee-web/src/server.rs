//! The HTTP server: routes, and the limit of concurrent searches.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use emtee_engine::Registry;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::api::{IMMEDIATE, Immediate, STREAMED, Streamed, read};
use crate::assets::asset;
use crate::connections::{self, Limits, with_whole_body};
use crate::guard::{Guard, harden};
use crate::pool::Pool;
use crate::refusal::Refusal;
use crate::search::Search;
use crate::stream::stream;
use crate::{boards, reports};

/// Threads for requests without a search.
const BLOCKING_THREADS: usize = 4;

/// The options of the server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The address to bind to; by default loopback, for this machine only.
    pub bind: IpAddr,
    /// The port; 0 for a free one.
    pub port: u16,
    /// Directories with the folders of experiments and matches.
    pub reports: Vec<PathBuf>,
    /// The most concurrent searches; by default the number of cores.
    pub searches: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options { bind: IpAddr::from([127, 0, 0, 1]), port: 0, reports: Vec::new(), searches: None }
    }
}

/// The server of the explorer, bound to its port.
///
/// ```
/// use emtee_engine::Registry;
/// use emtee_web::{Options, Server};
/// use std::sync::Arc;
///
/// let server = Server::bind(Arc::new(Registry::standard()), &Options::default())?;
/// assert!(server.address().starts_with("http://127.0.0.1:"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// The state shared by all handlers.
pub(crate) struct Site {
    pub(crate) registry: Arc<Registry>,
    pub(crate) reports: Vec<PathBuf>,
    searches: Arc<Semaphore>,
    /// One thread for each search that may run.
    pub(crate) pool: Arc<Pool>,
    guard: Guard,
    limits: Limits,
}

impl Site {
    /// A permit for one more search, unless the limit is reached.
    pub(crate) fn search_permit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.searches.clone().try_acquire_owned().map_err(|_| Refusal::busy())
    }

    pub(crate) fn new(registry: Arc<Registry>, options: &Options, address: SocketAddr) -> std::io::Result<Site> {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        let max_searches = options.searches.unwrap_or(cores).max(1);
        Ok(Site {
            registry,
            reports: options.reports.clone(),
            searches: Arc::new(Semaphore::new(max_searches)),
            pool: Arc::new(Pool::new(max_searches)?),
            guard: Guard::new(address).map_err(|error| std::io::Error::other(error.to_string()))?,
            limits: Limits::default(),
        })
    }
}

impl Server {
    /// Binds the port. [`run`](Server::run) serves requests.
    pub fn bind(registry: Arc<Registry>, options: &Options) -> std::io::Result<Server> {
        let listener = TcpListener::bind((options.bind, options.port))?;
        listener.set_nonblocking(true)?;
        let site = Site::new(registry, options, listener.local_addr()?)?;
        Ok(Server { listener, site: Arc::new(site) })
    }

    /// The URL to open in a browser. If other machines can reach the server, it has the token behind the `#`: browsers do not
    /// send that part.
    pub fn address(&self) -> String {
        let address = self.listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        match self.site.guard.token() {
            Some(token) => format!("http://{address}/#token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Serves requests until the flag is raised.
    pub fn run(self, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(BLOCKING_THREADS)
            .enable_all()
            .build()?;
        let stop = stop.clone();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let limits = self.site.limits;
            tokio::select! {
                () = connections::serve(listener, router(self.site), limits) => {}
                () = flag_raised(&stop) => {}
            }
            Ok::<_, std::io::Error>(())
        })?;
        // Does not wait for running searches.
        runtime.shutdown_background();
        Ok(())
    }
}

async fn flag_raised(stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All routes.
pub(crate) fn router(site: Arc<Site>) -> Router {
    let mut api = Router::new()
        .route("/about", get(about))
        .route("/reports", get(reports::list))
        .route("/report", post(reports::report))
        .route("/runs", post(reports::runs))
        .route("/match", post(reports::match_report))
        .fallback(|| async { Refusal::missing("there is no such request") });
    for (name, respond) in IMMEDIATE {
        api = api.route(&format!("/{name}"), immediate(*respond));
    }
    for (name, start) in STREAMED {
        api = api.route(&format!("/{name}"), streamed(*start));
    }
    Router::new().nest("/api", api).fallback(file).layer(from_fn_with_state(site.clone(), guarded)).with_state(site)
}

async fn about(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(boards::about(&site.registry))
}

fn immediate(respond: Immediate) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, body: Bytes| async move {
        let json = blocking(move || respond(&site.registry, &body)).await?;
        Ok::<_, Refusal>(([("content-type", "application/json"), ("cache-control", "no-store")], json))
    })
}

fn streamed(start: Streamed) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, body: Bytes| async move {
        let permit = site.search_permit()?;
        let own = site.clone();
        // A bad request is refused before the response begins.
        let search: Arc<dyn Search> = in_pool(&site, move || start(&own.registry, &body)).await?.into();
        Ok::<_, Refusal>(stream(&site, permit, search))
    })
}

/// All other paths are files of the page, or 404.
async fn file(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(405, "only requests under /api are posted").into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match asset(name) {
        // `no-cache`: browsers revalidate, so a new program shows its new page.
        Some((_, kind, text)) => ([("content-type", *kind), ("cache-control", "no-cache")], *text).into_response(),
        None => Refusal::missing("there is no such page").into_response(),
    }
}

/// Checks a request before its body is read.
async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let checked = match site.guard.check(request.method(), request.headers(), api) {
        Ok(()) => with_whole_body(request, site.limits).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = match checked {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    harden(&mut response);
    response
}

/// Extracts the body of a request as JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, Refusal> {
        let body = Bytes::from_request(request, state).await.map_err(Refusal::bad)?;
        read(&body).map(JsonBody)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        (status, Json(self)).into_response()
    }
}

/// Runs work on a thread of the search pool.
async fn in_pool<T: Send + 'static>(
    site: &Site,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (sender, done) = tokio::sync::oneshot::channel();
    site.pool.run(move || {
        let _ = sender.send(work());
    });
    // The sender is dropped if the work panics.
    done.await.unwrap_or_else(|_| Err(Refusal::bad("the rules of this game panicked on this request")))
}

/// Runs work on a thread that may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::bad("the rules of this game panicked on this request")))
}
