//! What of the old file the new one gets: owner, group, attributes, access list, mode.

use std::io;

use super::Abort;
use super::stage::Stage;
use crate::apply::commit::{CommitWarning, Operation};
use crate::apply::fs::{Fs, Stat, attempt};

/// The access list of a file.
const ACL: &str = "system.posix_acl_access";
/// Attributes that belong to the old content and must not go to a new one.
const CONTENT_BOUND: [&str; 3] = ["security.capability", "security.ima", "security.evm"];

/// The permission bits that a new file may have: set-id and sticky bits never pass to new content.
const MODE: u32 = 0o777;

/// With the executable bits set wherever there is a read bit, or cleared.
fn with_executable(mode: u32, executable: Option<bool>) -> u32 {
    match executable {
        None => mode,
        Some(true) => mode | (mode & 0o444) >> 2,
        Some(false) => mode & !0o111,
    }
}

impl<F: Fs> Stage<'_, '_, F> {
    /// Gives a staged file what the file it comes from has; the mode last, so that it is private until then.
    pub(super) fn copy_metadata(
        &mut self,
        path: &str,
        from: &F::File,
        old: &Stat,
        to: &F::File,
        executable: Option<bool>,
    ) -> Result<(), Abort> {
        let mut mode = with_executable(old.mode & MODE, executable);
        if !self.copy_owner(path, old, to)? {
            // The group's rights must not go to another group.
            mode = mode & !0o070 | (mode & 0o007) << 3 & mode;
            self.copy_attributes(path, from, to, AccessList::Leave)?;
        } else {
            self.copy_attributes(path, from, to, AccessList::Copy)?;
        }
        attempt(Operation::SetMode, path, || self.tree.fs.set_mode(to, mode))?;
        Ok(())
    }

    /// Whether owner and group are now the old ones.
    fn copy_owner(&mut self, path: &str, old: &Stat, to: &F::File) -> Result<bool, Abort> {
        let fs = &self.tree.fs;
        let now = attempt(Operation::Examine, path, || fs.stat_file(to))?;
        let user = (now.user != old.user).then_some(old.user);
        let group = (now.group != old.group).then_some(old.group);
        if user.is_none() && group.is_none() {
            return Ok(true);
        }
        match attempt(Operation::SetOwner, path, || fs.set_owner(to, user, group)) {
            Ok(()) => Ok(true),
            Err(fault) if !refused(&fault.source) => Err(fault.into()),
            Err(_) if !self.options.allow_owner_not_kept => Err(Abort::OwnerNotKept(path.to_owned())),
            Err(_) => {
                self.warnings.push(CommitWarning::OwnerNotKept { path: path.to_owned() });
                // A group of one's own can be kept where the owner cannot.
                let kept = group.is_none() || fs.set_owner(to, None, group).is_ok();
                Ok(kept)
            }
        }
    }

    fn copy_attributes(
        &mut self,
        path: &str,
        from: &F::File,
        to: &F::File,
        list: AccessList,
    ) -> Result<(), Abort> {
        let fs = &self.tree.fs;
        let names = attempt(Operation::Attribute, path, || fs.attributes(from))?;
        for name in names {
            if CONTENT_BOUND.contains(&name.as_str()) {
                continue;
            }
            let copied = if name == ACL && list == AccessList::Leave {
                Err(None)
            } else {
                self.copy_attribute(path, &name, from, to)
            };
            match copied {
                Ok(()) => {}
                Err(Some(abort)) => return Err(abort),
                Err(None) => {
                    self.warnings.push(CommitWarning::MetadataLost { path: path.to_owned(), what: name });
                }
            }
        }
        Ok(())
    }

    /// `Err(None)`: the system does not let us.
    fn copy_attribute(
        &self,
        path: &str,
        name: &str,
        from: &F::File,
        to: &F::File,
    ) -> Result<(), Option<Abort>> {
        let fs = &self.tree.fs;
        let lost = |fault: crate::apply::fs::Fault| {
            if refused(&fault.source) { None } else { Some(Abort::from(fault)) }
        };
        let value = attempt(Operation::Attribute, path, || fs.attribute(from, name)).map_err(lost)?;
        // A label is often right already, and then need not be set, which may be forbidden.
        if name.starts_with("security.") && fs.attribute(to, name).is_ok_and(|now| now == value) {
            return Ok(());
        }
        attempt(Operation::Attribute, path, || fs.set_attribute(to, name, &value)).map_err(lost)
    }

    /// Gives a file that is new what it would have, had it been made in its directory.
    pub(super) fn settle_created(
        &mut self,
        path: &str,
        parent: &F::Dir,
        file: &F::File,
        executable: Option<bool>,
    ) -> Result<(), Abort> {
        let fs = &self.tree.fs;
        let above = attempt(Operation::Examine, path, || fs.stat_dir(parent))?;
        let now = attempt(Operation::Examine, path, || fs.stat_file(file))?;
        let inherits = above.mode & 0o2000 != 0 || cfg!(target_vendor = "apple");
        if inherits && above.group != now.group {
            let given = attempt(Operation::SetOwner, path, || fs.set_owner(file, None, Some(above.group)));
            if let Err(fault) = given {
                if !refused(&fault.source) {
                    return Err(fault.into());
                }
                let what = "group".to_owned();
                self.warnings.push(CommitWarning::MetadataLost { path: path.to_owned(), what });
            }
        }
        let fs = &self.tree.fs;
        let mut mode = now.mode & MODE;
        let default = attempt(Operation::Attribute, path, || fs.default_acl(parent))?;
        if let Some((list, list_mode)) = default.as_deref().and_then(for_new_file) {
            attempt(Operation::Attribute, path, || fs.set_attribute(file, ACL, &list))?;
            mode = list_mode;
        }
        let wanted = with_executable(mode, executable);
        if wanted != now.mode {
            attempt(Operation::SetMode, path, || fs.set_mode(file, wanted))?;
        }
        Ok(())
    }
}

/// Whether a file's access list is copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AccessList {
    Copy,
    /// The group is another one, to which the list does not apply.
    Leave,
}

/// Whether the system lacks something or does not allow it, in contrast to a disk that fails.
fn refused(error: &io::Error) -> bool {
    use rustix::io::Errno;
    Errno::from_io_error(error).is_some_and(|errno| {
        // The last two are one on some systems.
        matches!(errno, Errno::PERM | Errno::ACCESS | Errno::NOSYS | Errno::INVAL | Errno::TOOBIG)
            || errno == Errno::NOTSUP
            || errno == Errno::OPNOTSUPP
    })
}

/// The access list that a file made with mode 0666 gets from its directory's default list, and the mode that goes
/// with it: the umask does not count there. `None` for a list of unknown form.
fn for_new_file(default: &[u8]) -> Option<(Vec<u8>, u32)> {
    // As in linux/posix_acl_xattr.h: a version, then entries of tag, rights and id, all little-endian.
    const VERSION: [u8; 4] = 2_u32.to_le_bytes();
    const OWNER: u16 = 0x01;
    const GROUP: u16 = 0x04;
    const MASK: u16 = 0x10;
    const OTHERS: u16 = 0x20;
    let mut list = default.strip_prefix(&VERSION)?.to_vec();
    let (entries, []) = list.as_chunks_mut::<8>() else { return None };
    let tag = |entry: &[u8; 8]| {
        let [low, high, ..] = *entry;
        u16::from_le_bytes([low, high])
    };
    let class = if entries.iter().any(|entry| tag(entry) == MASK) { MASK } else { GROUP };
    let mut mode = 0;
    for entry in entries {
        let shift = match tag(entry) {
            OWNER => 6,
            OTHERS => 0,
            tag if tag == class => 3,
            _ => continue,
        };
        let [_, _, rights, ..] = entry;
        *rights &= 0o6;
        mode |= u32::from(*rights) << shift;
    }
    let mut value = VERSION.to_vec();
    value.append(&mut list);
    Some((value, mode))
}

#[cfg(test)]
mod tests {
    use super::{for_new_file, with_executable};

    #[test]
    fn executable_bits_follow_the_read_bits() {
        assert_eq!(with_executable(0o640, Some(true)), 0o750);
        assert_eq!(with_executable(0o755, Some(false)), 0o644);
        assert_eq!(with_executable(0o711, None), 0o711);
    }

    #[test]
    fn the_mask_limits_the_group_class() {
        let entry = |tag: u8, rights: u8| [tag, 0, rights, 0, 0xff, 0xff, 0xff, 0xff];
        let list = |entries: &[[u8; 8]]| [&[2, 0, 0, 0][..], entries.as_flattened()].concat();
        let default = list(&[entry(1, 7), entry(2, 5), entry(4, 5), entry(0x10, 7), entry(0x20, 1)]);
        let (value, mode) = for_new_file(&default).unwrap();
        assert_eq!(value, list(&[entry(1, 6), entry(2, 5), entry(4, 5), entry(0x10, 6), entry(0x20, 0)]));
        assert_eq!(mode, 0o660);
        assert_eq!(for_new_file(b"\x01\0\0\0"), None);
        assert_eq!(for_new_file(&default[..9]), None);
    }
}
