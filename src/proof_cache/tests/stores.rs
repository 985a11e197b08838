//! Stores that somebody has been at.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::store::Content;
use crate::{Key, MAX_ENTRY, Notice, Store};

fn key(number: u8) -> Key {
    Key([number; 32])
}

fn loaded(store: &Store, number: u8) -> Option<String> {
    let found = store.load(&key(number)).expect("it is not damaged");
    found.map(|text| text.to_string())
}

fn damage(store: &Store, number: u8) -> String {
    store
        .load(&key(number))
        .expect_err("it is damaged")
        .to_string()
}

/// A folder with a store in it.
fn in_folder() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::in_folder(&folder.path().join("kept"), 1000);
    (folder, store)
}

fn file(folder: &Path, number: u8) -> PathBuf {
    let name = key(number).to_string();
    folder.join("kept").join(&name[..2]).join(&name[2..])
}

#[test]
fn what_was_kept_is_there() {
    let (_folder, on_disk) = in_folder();
    for store in [on_disk, Store::in_memory(1000)] {
        assert_eq!(loaded(&store, 1), None);
        assert_eq!(store.save(&key(1), "one\n"), None);
        assert_eq!(store.save(&key(2), "two\n"), None);
        assert_eq!(store.save(&key(1), "another\n"), None);
        assert_eq!(loaded(&store, 1).as_deref(), Some("another\n"));
        assert_eq!(store.content().entries, 2);
        store.forget(&key(1));
        store.forget(&key(1));
        assert_eq!(loaded(&store, 1), None);
        assert_eq!(loaded(&store, 2).as_deref(), Some("two\n"));
        store.shrink(0);
        assert_eq!(store.content(), Content::default());
        // Nobody could read it again.
        assert_eq!(store.save(&key(3), &"x".repeat(MAX_ENTRY + 1)), None);
        assert_eq!(loaded(&store, 3), None);
    }
}

#[test]
fn a_file_that_was_changed_is_noticed() {
    let (folder, store) = in_folder();
    store.save(&key(1), "proof\nat 1 0\n");
    store.save(&key(2), "proof\nat 2 0\n");
    let path = file(folder.path(), 1);
    let whole = fs::read(&path).expect("a file");
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).expect("written");
        damage(&store, 1);
        fs::write(&path, &whole[..place]).expect("written");
        damage(&store, 1);
    }
    fs::write(&path, [whole.clone(), b"\n".to_vec()].concat()).expect("written");
    assert_eq!(damage(&store, 1), "it is not as it was written");
    fs::copy(file(folder.path(), 2), &path).expect("copied");
    assert_eq!(damage(&store, 1), "it is about another program");
    let text = String::from_utf8(whole.clone()).expect("a text");
    let other = text.replacen("ult evidence 1", "ult evidence 999", 1);
    assert_ne!(text, other);
    fs::write(&path, other).expect("written");
    assert_eq!(damage(&store, 1), "another version of ult wrote it");
    fs::write(&path, [0xff, 0xfe]).expect("written");
    assert_eq!(damage(&store, 1), "it is no text");
    fs::write(&path, vec![b'a'; MAX_ENTRY + 5000]).expect("written");
    assert_eq!(damage(&store, 1), "it is too long");
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    assert_eq!(damage(&store, 1), "it is no file");
    fs::remove_dir(&path).expect("removed");
    fs::write(&path, &whole).expect("written");
    assert_eq!(loaded(&store, 1).as_deref(), Some("proof\nat 1 0\n"));
}

#[test]
fn where_nothing_can_be_written_it_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // Root may write everywhere, but not into a file.
    let place = folder.path().join("taken");
    fs::write(&place, "mine").expect("written");
    let store = Store::in_folder(&place, 1000);
    assert_eq!(loaded(&store, 1), None);
    let notice = store.save(&key(1), "one\n");
    assert!(
        matches!(&notice, Some(Notice::Unwritable { folder, .. }) if *folder == place),
        "{notice:?}"
    );
    assert_eq!(store.save(&key(2), "two\n"), None);
    store.forget(&key(1));
    store.prune();
    assert_eq!(fs::read_to_string(&place).expect("still there"), "mine");
}

#[test]
fn what_was_not_used_for_the_longest_time_goes() {
    let memory = Store::in_memory(100);
    for number in 0..10 {
        memory.save(&key(number), &"x".repeat(20));
        loaded(&memory, 0);
    }
    assert_eq!(
        memory.content(),
        Content {
            entries: 5,
            bytes: 100
        }
    );
    assert!(
        loaded(&memory, 0).is_some()
            && loaded(&memory, 1).is_none()
            && loaded(&memory, 9).is_some()
    );

    let (folder, store) = in_folder();
    for number in 0..10 {
        store.save(&key(number), &"x".repeat(50));
        let file = fs::File::options()
            .write(true)
            .open(file(folder.path(), number))
            .expect("a file");
        let time = SystemTime::now() - Duration::from_secs(1000 - u64::from(number));
        file.set_modified(time).expect("a time");
    }
    loaded(&store, 0);
    // What is not ours stays, and what others are writing just now.
    let others = folder.path().join("kept/ab");
    fs::create_dir_all(&others).expect("a folder");
    fs::write(others.join("thesis.tex"), vec![b'x'; 5000]).expect("written");
    fs::write(folder.path().join("kept/notes"), vec![b'x'; 5000]).expect("written");
    fs::write(others.join(".ult-fresh.tmp"), "half").expect("written");
    fs::write(others.join(".ult-stale.tmp"), "half").expect("written");
    let stale = fs::File::options()
        .write(true)
        .open(others.join(".ult-stale.tmp"))
        .expect("a file");
    stale
        .set_modified(SystemTime::now() - Duration::from_secs(10_000))
        .expect("a time");
    store.prune();
    let content = store.content();
    assert!(content.bytes <= 1000 && content.entries >= 4, "{content:?}");
    assert!(
        loaded(&store, 0).is_some() && loaded(&store, 1).is_none() && loaded(&store, 9).is_some()
    );
    let there = |path: &Path| path.exists();
    assert!(there(&others.join("thesis.tex")) && there(&folder.path().join("kept/notes")));
    assert!(there(&others.join(".ult-fresh.tmp")) && !there(&others.join(".ult-stale.tmp")));
    assert!(there(&folder.path().join("kept/CACHEDIR.TAG")));
}

/// Whoever reads sees one of the texts that were written, whole.
#[test]
fn many_may_write_and_read_at_a_time() {
    let (_folder, store) = in_folder();
    let text = |number: usize| format!("{number}\n").repeat(2000);
    store.save(&key(7), &text(0));
    std::thread::scope(|scope| {
        for number in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for round in 0..50 {
                    store.save(&key(7), &text(number));
                    if round % 10 == 9 {
                        store.prune();
                    }
                }
            });
        }
        for _ in 0..200 {
            // It may have been pruned.
            if let Some(found) = loaded(&store, 7) {
                assert!((0..4).any(|number| found == text(number)));
            }
        }
    });
}
