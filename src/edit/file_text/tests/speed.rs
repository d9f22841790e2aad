use super::*;
use std::time::Instant;

fn lcg(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed >> 33
}

/// code-like text
fn code(bytes: usize, eol: &str) -> String {
    let words = [
        "let", "value", "self", "return", "match", "index", "buffer", "fn", "impl", "String", "for", "in",
        "if", "else", "x", "y",
    ];
    let mut s = 1;
    let mut out = String::with_capacity(bytes + 100);
    while out.len() < bytes {
        for _ in 0..(lcg(&mut s) % 4) {
            out.push_str("    ");
        }
        for _ in 0..(1 + lcg(&mut s) % 7) {
            out.push_str(words[(lcg(&mut s) % 16) as usize]);
            out.push(' ');
        }
        if lcg(&mut s) % 2 == 0 {
            out.push_str(&format!("{}", lcg(&mut s) % 1000000));
        }
        out.push_str(eol);
    }
    out
}

fn edits(file: &str, n: usize, lines: usize) -> Vec<(String, String)> {
    let norm = file.replace("\r\n", "\n");
    let all: Vec<&str> = norm.lines().collect();
    let mut out = Vec::new();
    let step = all.len() / n;
    for i in 0..n {
        let at = i * step;
        let search = all[at..at + lines].join("\n");
        let mut new = all[at..at + lines].to_vec();
        let changed = format!("    changed {i}");
        new[lines / 2] = &changed;
        new.push("    one more");
        out.push((search, new.join("\n")));
    }
    out
}

fn run(name: &str, file: String, edits: &[(String, String)], tell: bool, tol: Tolerance) {
    let file = Arc::new(LoadedFile { bytes: file.into_bytes(), stamp: None });
    let t = Instant::now();
    let mut text = FileText::new(file.clone());
    let t0 = t.elapsed();
    if tell {
        text.expect(edits.iter().map(|e| e.0.as_str()), tol);
    }
    let listed = text.expected.is_some();
    let t1 = t.elapsed();
    let (mut ok, mut nf, mut amb) = (0, 0, 0);
    for (s, r) in edits {
        match text.replace(s, Some(r), tol) {
            Ok(_) => ok += 1,
            Err(MatchError::Ambiguous { .. }) => amb += 1,
            Err(_) => nf += 1,
        }
    }
    let t2 = t.elapsed();
    let out = text.finish();
    let t3 = t.elapsed();
    println!(
        "{name:44} listed={listed:5} ok={ok} nf={nf} amb={amb} new={t0:?} expect={:?} edits={:?} finish={:?} total={t3:?} out={}",
        t1 - t0,
        t2 - t1,
        t3 - t2,
        out.len()
    );
}

#[test]
fn figures() {
    use Tolerance::*;
    let f10 = code(10_000_000, "\n");
    for lines in [1, 3, 5, 10] {
        let e = edits(&f10, 1000, lines);
        run(&format!("10MB x 1000, {lines} lines, told"), f10.clone(), &e, true, Exact);
    }
    let e = edits(&f10, 1000, 5);
    run("10MB x 1000, 5 lines, untold", f10.clone(), &e, false, Exact);
    let crlf = code(10_000_000, "\r\n");
    run("10MB CRLF x 1000, 5 lines, told", crlf.clone(), &edits(&crlf, 1000, 5), true, Exact);
    let mut blanks = f10.clone();
    let tr: Vec<_> = e
        .iter()
        .map(|(s, r)| (s.lines().map(|l| format!("{l}\t\t")).collect::<Vec<_>>().join("\n"), r.clone()))
        .collect();
    run("10MB x 1000 tolerant, told", f10.clone(), &tr, true, TrailingBlanks);
    run("10MB x 1000 tolerant, untold", f10.clone(), &tr, false, TrailingBlanks);
    blanks.clear();
    let f100 = code(100_000_000, "\n");
    run("100MB x 10, 5 lines", f100.clone(), &edits(&f100, 10, 5), true, Exact);
    let t = Instant::now();
    let e = edits(&f100, 10, 5);
    let t0 = Instant::now();
    let mut n = 0;
    for (s, _) in &e {
        n += memchr::memmem::find_iter(f100.as_bytes(), s.as_bytes()).count();
    }
    println!("   10 memmem passes over 100 MB: {:?} ({n}) prep {:?}", t0.elapsed(), t0 - t);
    let c100 = f100.replace("\n", "\r\n");
    drop(f100);
    run("100MB CRLF x 10, 5 lines", c100.clone(), &edits(&c100, 10, 5), true, Exact);
    drop(c100);
    for n in [125_000, 250_000, 500_000, 1_000_000] {
        let file: String = (0..n).map(|i| format!("line {i:07}\n")).collect();
        let e: Vec<_> = (0..n).map(|i| (format!("line {i:07}"), format!("new {i}"))).collect();
        run(&format!("{n} tiny blocks in order"), file.clone(), &e, true, Exact);
        let mut e2 = e.clone();
        let mut s = 7;
        for i in (1..e2.len()).rev() {
            let j = lcg(&mut s) as usize % (i + 1);
            e2.swap(i, j);
        }
        run(&format!("{n} tiny blocks shuffled"), file.clone(), &e2, true, Exact);
        let e3: Vec<_> = (0..n).map(|i| (format!("<{i}>"), format!("<{}>", i + 1))).collect();
        run(&format!("{n} chain"), "<0>\n".into(), &e3, true, Exact);
        let e4: Vec<_> = (0..n).map(|i| (format!("<{i}>"), format!("line {i}\n<{}>", i + 1))).collect();
        run(&format!("{n} growing chain"), "<0>\n".into(), &e4, true, Exact);
    }
    let a = "a".repeat(1 << 20);
    run("needle of half", a.clone(), &[("a".repeat(1 << 19), "b".into())], true, TrailingBlanks);
    for n in [250, 500, 1000, 2000] {
        let e: Vec<_> = (0..n).map(|i| (format!("{}b{i}", "a".repeat(500)), "c".to_string())).collect();
        run(&format!("hostile near misses {n}"), a.clone(), &e, true, TrailingBlanks);
    }
}
