//! How a command ends when it does not succeed.

use std::process::ExitCode;

/// The input was refused.
pub(crate) const REFUSED: u8 = 2;
/// Anything else went wrong.
const FAILED: u8 = 1;
/// Stopped by the user.
const INTERRUPTED: u8 = 130;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library refused or failed.
    Library(covec::Error),
    /// The command line itself is at fault.
    Usage(String),
    /// Whoever read our output has gone; nobody is left to be told.
    Pipe,
    /// The output could not be written, or a helper program failed.
    Other(String),
}

impl<E: Into<covec::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Library(error.into())
    }
}

impl Failure {
    /// What became of a write to standard output.
    pub(crate) fn output(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Pipe,
            _ => Self::Other(format!("cannot write the output: {error}")),
        }
    }

    /// What became of a picture.
    pub(crate) fn picture(error: &covec_report::ChartError) -> Self {
        match error.is_refusal() {
            true => Self::Usage(error.to_string()),
            false => Self::Other(error.to_string()),
        }
    }

    /// One message, and the code to end with.
    pub(crate) fn tell(self) -> ExitCode {
        let (message, code) = match self {
            Self::Library(error) => {
                let code = match &error {
                    error if error.is_interruption() => INTERRUPTED,
                    error if error.is_refusal() => REFUSED,
                    _ => FAILED,
                };
                (error.to_string(), code)
            }
            Self::Usage(message) => (message, REFUSED),
            Self::Other(message) => (message, FAILED),
            Self::Pipe => return ExitCode::SUCCESS,
        };
        crate::screen::tell(&format!("covec: {message}"));
        ExitCode::from(code)
    }
}
