//! Systems whose attributes are not reached: none is listed, so that none is copied.

use std::io;
use std::os::fd::AsFd;

use rustix::io::Errno;

pub(super) fn list(_: impl AsFd) -> io::Result<Vec<String>> {
    Ok(Vec::new())
}
pub(super) fn get(_: impl AsFd, _: &str) -> Result<Vec<u8>, Errno> {
    Err(Errno::NOSYS)
}
pub(super) fn set(_: impl AsFd, _: &str, _: &[u8]) -> io::Result<()> {
    Err(Errno::NOSYS.into())
}
pub(super) fn remove(_: impl AsFd, _: &str) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}
pub(super) fn is_absent(error: Errno) -> bool {
    error == Errno::NOSYS
}
