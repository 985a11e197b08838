//! How long things may take here, and how large they may be, in one table.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`CONNECTIONS`] | connections at a time | one page needs three | 503 |
//! | [`HEAD`], [`HEADERS`] | the head of a request, in bytes and fields | browsers send less | 431 |
//! | [`BODY`] | the body of a request | programs for a lecture are small | 413 |
//! | [`PATIENCE`] | a request until it is there, an answer until it is taken | it comes from the same machine | the connection is closed |
//! | [`LINGER`] | what is still read behind a refused request | so that the answer arrives before the connection is reset | the connection is closed |
//! | [`POLL`] | how long a question for news is kept open | nobody closes a connection that is quiet for so long | the answer is that there is no news |
//! | [`SHOWN`] | steps that are kept of what nobody stops at | a search may have no end, and each has its picture | they are counted |
//! | [`LOOK`] | between two looks at time and memory | nobody notices | it looks again |
//! | [`CHECK`] | one check | somebody waits for it | UNKNOWN |
//! | [`THINKING`] | the engine between two steps of a session | likewise | the session ends, and with it the verdict is UNKNOWN |
//! | [`IDLE`] | somebody who thinks about a step | a pause in a lecture | the session ends |

use std::time::Duration;

/// Connections at a time.
pub(crate) const CONNECTIONS: usize = 24;

/// Bytes of a request's head.
pub(crate) const HEAD: usize = 16 << 10;

/// Fields of a request's head.
pub(crate) const HEADERS: usize = 64;

/// Bytes of a request's body.
pub(crate) const BODY: usize = 1 << 20;

/// For a request, and for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// For what comes behind a refused request.
pub(crate) const LINGER: Duration = Duration::from_millis(200);

/// For a question for news.
pub(crate) const POLL: Duration = Duration::from_secs(15);

/// Steps that are kept.
pub(crate) const SHOWN: usize = 600;

/// Between two looks.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// For a check.
pub(crate) const CHECK: Duration = Duration::from_secs(60);

/// For an engine between two steps.
pub(crate) const THINKING: Duration = Duration::from_secs(120);

/// For somebody who thinks.
pub(crate) const IDLE: Duration = Duration::from_secs(3600);
