//! Extended attributes, where the system has them.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;

use rustix::fs as sys;
use rustix::io::Errno;

/// Reads into a buffer of the size that the system states, again while it grows.
fn grow(
    query: impl Fn() -> Result<usize, Errno>,
    fill: impl Fn(&mut Vec<u8>) -> Result<(), Errno>,
) -> Result<Vec<u8>, Errno> {
    loop {
        let size = query()?;
        let mut value = Vec::with_capacity(size);
        if size == 0 {
            return Ok(value);
        }
        match fill(&mut value) {
            Ok(()) => return Ok(value),
            Err(Errno::RANGE) => {}
            Err(error) => return Err(error),
        }
    }
}

fn spare(value: &mut Vec<u8>) -> &mut [MaybeUninit<u8>] {
    value.spare_capacity_mut()
}

pub(super) fn list(file: impl AsFd) -> io::Result<Vec<String>> {
    let file = file.as_fd();
    let names = grow(
        || sys::flistxattr_query(file),
        |value| {
            let (names, _) = sys::flistxattr(file, spare(value))?;
            *value = names.to_vec();
            Ok(())
        },
    );
    match names {
        Ok(names) => Ok(names
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()),
        Err(Errno::NOTSUP | Errno::NOSYS) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn get(file: impl AsFd, name: &str) -> Result<Vec<u8>, Errno> {
    let file = file.as_fd();
    grow(
        || sys::fgetxattr_query(file, name),
        |value| {
            let (bytes, _) = sys::fgetxattr(file, name, spare(value))?;
            *value = bytes.to_vec();
            Ok(())
        },
    )
}

pub(super) fn set(file: impl AsFd, name: &str, value: &[u8]) -> io::Result<()> {
    Ok(sys::fsetxattr(file, name, value, sys::XattrFlags::empty())?)
}

pub(super) fn remove(file: impl AsFd, name: &str) -> Result<(), Errno> {
    sys::fremovexattr(file, name)
}

pub(super) fn is_absent(error: Errno) -> bool {
    #[cfg(target_vendor = "apple")]
    let absent = Errno::NOATTR;
    #[cfg(not(target_vendor = "apple"))]
    let absent = Errno::NODATA;
    error == absent || matches!(error, Errno::NOTSUP | Errno::NOSYS | Errno::INVAL)
}
