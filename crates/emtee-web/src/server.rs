//! The server: which request goes where, and how many searches run at once.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use emtee_engine::Registry;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::assets::asset;
use crate::connections::{self, Bounded};
use crate::guard::{Guard, harden};
use crate::pool::Pool;
use crate::questions::{LONG, Long, QUICK, Quick, read};
use crate::refusal::Refusal;
use crate::search::Search;
use crate::stream::stream;
use crate::{boards, reports};

/// No request is larger.
const LARGEST_BODY: usize = 256 << 10;

/// Threads for small questions.
const SMALL_THREADS: usize = 4;

/// Where to listen, and what to show.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The address; this machine alone unless somebody says otherwise.
    pub bind: IpAddr,
    /// The port; 0 takes one that is free.
    pub port: u16,
    /// Where the folders of experiments and matches lie.
    pub reports: Vec<PathBuf>,
    /// How many searches run at once; as many as there are cores if not given.
    pub searches: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options { bind: IpAddr::from([127, 0, 0, 1]), port: 0, reports: Vec::new(), searches: None }
    }
}

/// The explorer, listening.
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

/// What every handler knows.
pub(crate) struct Site {
    pub(crate) registry: Arc<Registry>,
    pub(crate) reports: Vec<PathBuf>,
    searches: Arc<Semaphore>,
    /// As many threads as searches may run.
    pub(crate) pool: Arc<Pool>,
    guard: Guard,
}

impl Site {
    /// Room for one more search, if there is.
    pub(crate) fn room(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.searches.clone().try_acquire_owned().map_err(|_| Refusal::busy())
    }

    pub(crate) fn new(registry: Arc<Registry>, options: &Options, address: SocketAddr) -> std::io::Result<Site> {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        let most_searches = options.searches.unwrap_or(cores).max(1);
        Ok(Site {
            registry,
            reports: options.reports.clone(),
            searches: Arc::new(Semaphore::new(most_searches)),
            pool: Arc::new(Pool::new(most_searches)?),
            guard: Guard::new(address).map_err(|error| std::io::Error::other(error.to_string()))?,
        })
    }
}

impl Server {
    /// Listens, and answers nothing yet.
    pub fn bind(registry: Arc<Registry>, options: &Options) -> std::io::Result<Server> {
        let listener = TcpListener::bind((options.bind, options.port))?;
        listener.set_nonblocking(true)?;
        let site = Site::new(registry, options, listener.local_addr()?)?;
        Ok(Server { listener, site: Arc::new(site) })
    }

    /// What to open in a browser. Where others than this machine can reach the server it holds the token, behind the `#`:
    /// browsers send that part to nobody.
    pub fn address(&self) -> String {
        let address = self.listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        match self.site.guard.token() {
            Some(token) => format!("http://{address}/#token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Answers until the flag goes up.
    pub fn run(self, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(SMALL_THREADS)
            .enable_all()
            .build()?;
        let stop = stop.clone();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let listener = Bounded::new(listener, connections::MOST, connections::PATIENCE);
            let served = axum::serve(listener, router(self.site)).into_future();
            tokio::select! {
                ended = served => ended,
                () = raised(&stop) => Ok(()),
            }
        })?;
        // Searches that are going on need not be waited for.
        runtime.shutdown_background();
        Ok(())
    }
}

async fn raised(stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All there is to ask.
pub(crate) fn router(site: Arc<Site>) -> Router {
    let mut api = Router::new()
        .route("/about", get(about))
        .route("/reports", get(reports::list))
        .route("/report", post(reports::report))
        .route("/match", post(reports::contest))
        .fallback(|| async { Refusal::missing("there is no such question") });
    for (name, question) in QUICK {
        api = api.route(&format!("/{name}"), quick(*question));
    }
    for (name, question) in LONG {
        api = api.route(&format!("/{name}"), long(*question));
    }
    Router::new()
        .nest("/api", api)
        .fallback(file)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn_with_state(site.clone(), guarded))
        .with_state(site)
}

async fn about(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(boards::about(&site.registry))
}

fn quick(question: Quick) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, body: Result<Bytes, BytesRejection>| async move {
        let body = body.map_err(too_large)?;
        let json = aside(move || question(&site.registry, &body)).await?;
        Ok::<_, Refusal>(([("content-type", "application/json"), ("cache-control", "no-store")], json))
    })
}

fn long(question: Long) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, body: Result<Bytes, BytesRejection>| async move {
        let body = body.map_err(too_large)?;
        let room = site.room()?;
        let own = site.clone();
        // What is wrong with the question is said before the answer begins.
        let search: Arc<dyn Search> = in_pool(&site, move || question(&own.registry, &body)).await?.into();
        Ok::<_, Refusal>(stream(&site, room, search))
    })
}

/// Everything that is no question is a file of the page, or nothing.
async fn file(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(405, "only questions are sent").into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match asset(name) {
        // A new program is a new page: nothing is kept for longer than it can be checked.
        Some((_, kind, text)) => ([("content-type", *kind), ("cache-control", "no-cache")], *text).into_response(),
        None => Refusal::missing("there is no such page").into_response(),
    }
}

async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match site.guard.check(request.method(), request.headers(), api) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    harden(&mut response);
    response
}

/// The body of a request, read as JSON.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Asked<T>, Refusal> {
        let body = Bytes::from_request(request, state).await.map_err(too_large)?;
        read(&body).map(Asked)
    }
}

fn too_large(rejection: BytesRejection) -> Refusal {
    Refusal::new(rejection.status().as_u16(), "the request is too large")
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        (status, Json(self)).into_response()
    }
}

/// Something that belongs to a search, done on a thread of the pool.
async fn in_pool<T: Send + 'static>(
    site: &Site,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (sender, done) = tokio::sync::oneshot::channel();
    site.pool.run(move || {
        let _ = sender.send(work());
    });
    // Nothing comes from work that panicked.
    done.await.unwrap_or_else(|_| Err(Refusal::bad("the rules of this game went wrong on this request")))
}

/// Something that may take a moment, done on a thread that may take it.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::bad("the rules of this game went wrong on this request")))
}
