use super::*;

fn find(wanted: &str, text: &str) -> Option<Nearest> {
    let mut effort = Effort::default();
    let index = Index::new(text.as_bytes(), &mut effort).unwrap();
    let wanted: Vec<&[u8]> = wanted.split('\n').map(str::as_bytes).collect();
    nearest(&wanted, text.as_bytes(), &index, &mut effort)
}

/// The pairs as `wanted-found`, `-` for none.
fn pairs(nearest: &Nearest) -> String {
    let number = |line: Option<usize>| line.map_or("-".to_owned(), |line| line.to_string());
    let pairs = nearest.pairs.iter().map(|pair| format!("{}:{}", number(pair.wanted), number(pair.found)));
    pairs.collect::<Vec<_>>().join(" ")
}

const CODE: &str = "use std::fmt;\n\nfn first() {\n    let total = one + two;\n    println!(\"{total}\");\n}\n\n\
    fn second() {\n    let difference = one - two;\n    return difference;\n}\n";

#[test]
fn lines_that_say_the_same_are_found_whatever_their_white_space() {
    let found = find("fn second() {\n\tlet difference = one - two;\n\treturn difference;\n}", CODE).unwrap();
    assert_eq!((found.lines.clone(), found.similarity, found.rival), (7..11, 1000, None));
    assert_eq!(pairs(&found), "0:7 1:8 2:9 3:10");
}

#[test]
fn a_line_that_says_something_else_is_found_between_those_that_say_the_same() {
    let found = find("fn second() {\n    let xyz = 7;\n    return difference;", CODE).unwrap();
    assert_eq!(pairs(&found), "0:7 1:8 2:9");
    assert!(found.similarity > 600 && found.similarity < 1000, "{found:?}");
}

#[test]
fn lines_of_which_none_is_the_same_are_found_by_their_likeness() {
    let found = find("fn secund() {\n    let diference = one - two;\n    return diference;", CODE).unwrap();
    assert_eq!(pairs(&found), "0:7 1:8 2:9");
    assert!(found.similarity > 900, "{found:?}");
}

#[test]
fn a_line_too_many_and_a_line_too_few_are_told() {
    let found = find("fn first() {\n    println!(\"{total}\");\n}", CODE).unwrap();
    assert_eq!(pairs(&found), "0:2 -:3 1:4 2:5");
    let found = find("fn second() {\n    // what a nice day\n    let difference = one - two;", CODE).unwrap();
    assert_eq!(pairs(&found), "0:7 1:- 2:8");
}

#[test]
fn as_many_lines_too_few_as_may_be_are_told() {
    let text = "alpha one\nbeta two\ngamma three\n1\n2\n3\n4\ndelta four\n";
    let found = find("alpha one\nbeta two\ngamma three\ndelta four", text).unwrap();
    assert_eq!(pairs(&found), "0:0 1:1 2:2 -:3 -:4 -:5 -:6 3:7");
}

#[test]
fn what_is_like_nothing_is_not_found() {
    assert_eq!(find("SELECT * FROM table WHERE id = 7", CODE), None);
    assert_eq!(find("\n\n", CODE), None);
    assert_eq!(find("x", ""), None);
}

#[test]
fn a_second_place_that_is_as_similar_is_a_rival() {
    let text = "start\nvalue = compute(1)\nmiddle of it all\nvalue = compute(2)\nend\n";
    let found = find("value = compute(3)", text).unwrap();
    assert_eq!((found.lines, found.rival), (1..2, Some(3)));
    let found = find("value = compute(3)", "value = compute(1)\nvalue = compute(2)\n").unwrap();
    assert_eq!((found.lines, found.rival), (0..1, Some(1)), "just below");
    for places in 5..8 {
        let text: String = (0..places).map(|number| format!("value = compute({number})\n")).collect();
        assert_eq!(find("value = compute(x)", &text).unwrap().lines, 0..1, "the first of {places}");
    }
}

/// Comparing the lines with all others costs more than a thousand times as much as aligning them at one place.
#[test]
fn where_lines_say_the_same_no_other_ones_are_compared() {
    let text: String = (0..10_000).map(|number| format!("value_{number} = compute({number})\n")).collect();
    let wanted =
        ["value_77 = compute(77)", "value_78 = compute(78)", "value_78x = compute(79)"].map(str::as_bytes);
    let mut effort = Effort::default();
    let index = Index::new(text.as_bytes(), &mut effort).unwrap();
    let before = effort.left();
    assert_eq!(nearest(&wanted, text.as_bytes(), &index, &mut effort).unwrap().lines, 77..80);
    assert!(before - effort.left() < 10_000, "{}", before - effort.left());
}

#[test]
fn the_end_of_the_text_is_no_place_beyond_it() {
    let found = find("    return difference;\n}\nfn third() {", CODE).unwrap();
    assert_eq!(pairs(&found), "0:9 1:10 2:-");
    let found = find("fn zero() {\nuse std::fmt;", CODE).unwrap();
    assert_eq!(found.lines, 0..1);
}

/// Many lines that all look alike, none of which is wanted.
fn absent() -> (String, String) {
    let line =
        |n: usize| format!("    let value_{n} = compute_{}(argument_{}, {n});\n", n * 7 % 113, n * 31 % 977);
    let text: String = (0..10_000).map(line).collect();
    let wanted: Vec<String> =
        (0..12).map(|n| format!("        result.{n} := Lookup[{}] of table({n})", n * 17)).collect();
    (text, wanted.join("\n"))
}

#[test]
fn the_work_is_bounded_and_the_same_every_time() {
    let (text, wanted) = absent();
    let wanted: Vec<&[u8]> = wanted.split('\n').map(str::as_bytes).collect();
    let mut first = None;
    for _ in 0..2 {
        let mut effort = Effort::default();
        let index = Index::new(text.as_bytes(), &mut effort).unwrap();
        let found = nearest(&wanted, text.as_bytes(), &index, &mut effort);
        let now = (found, effort.left());
        assert_eq!(first.get_or_insert_with(|| now.clone()), &now);
        assert!(now.1 > 0);
    }
    // With hardly any effort it gives up, and never takes more than there is.
    for effort in [0, 1_000, 500_000, 1_000_000] {
        let mut effort = Effort::of(effort);
        if let Some(index) = Index::new(text.as_bytes(), &mut effort) {
            let _ = nearest(&wanted, text.as_bytes(), &index, &mut effort);
        }
    }
}

/// Prints how long a miss takes; `cargo test --release -- --ignored --nocapture a_miss`.
#[test]
#[ignore = "a measurement"]
fn a_miss_among_ten_thousand_lines() {
    let (text, wanted) = absent();
    let wanted: Vec<&[u8]> = wanted.split('\n').map(str::as_bytes).collect();
    let mut times = Vec::new();
    let mut spent = 0;
    for _ in 0..21 {
        let start = std::time::Instant::now();
        let mut effort = Effort::default();
        let index = Index::new(text.as_bytes(), &mut effort).unwrap();
        let _ = nearest(&wanted, text.as_bytes(), &index, &mut effort);
        times.push(start.elapsed());
        spent = Effort::default().left() - effort.left();
    }
    times.sort();
    println!("12 lines in 10,000 absent ones: {:?}, {spent} units", times[10]);
}
