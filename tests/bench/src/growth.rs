//! Growth: twice the input takes about twice the time, whatever the input.

use std::env;
use std::error::Error;
use std::process::Command;
use std::time::Duration;

use code_parser::ast::InputKind;

use crate::clock::least;
use crate::shapes::{Case, SHAPES};
use crate::table::Table;

/// The most that twice the input may take, in times.
const LIMIT: f64 = 2.5;

/// The argument with which this program takes the time of one case for itself.
///
/// A process has no memory yet that it could use again, so every size pays for its own: else the smaller ones would
/// seem cheaper than they are.
pub const GROW: &str = "--grow";

/// Prints the time of a case, given as the number of its shape and its size.
pub fn grow(mut arguments: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let mut number =
        || arguments.next().ok_or("a number is missing")?.parse::<usize>().map_err(Box::<dyn Error>::from);
    let (shape, size) = (number()?, number()?);
    let shape = SHAPES.get(shape).ok_or("there is no such shape")?;
    let case = (shape.make)(size);
    let (time, result) = least(1, || case.run());
    if !case.is_right(result) {
        return Err(format!("{} gives {result:?}", shape.name).into());
    }
    println!("{}", time.as_nanos());
    Ok(())
}

/// The least time of some processes.
fn time_alone(shape: usize, size: usize, runs: usize) -> Result<Duration, Box<dyn Error>> {
    let mut least = Duration::MAX;
    for _ in 0..runs {
        let arguments = [GROW.to_owned(), shape.to_string(), size.to_string()];
        let output = Command::new(env::current_exe()?).args(arguments).output()?;
        let nanoseconds = String::from_utf8(output.stdout)?.trim().parse()?;
        least = least.min(Duration::from_nanos(nanoseconds));
    }
    Ok(least)
}

/// Each shape at four sizes.
pub fn shapes(table: &mut Table, divisor: usize) -> Result<(), Box<dyn Error>> {
    table.section("growth: the time for sizes n, 2n, 4n, 8n");
    for (number, shape) in SHAPES.iter().enumerate() {
        let mut times = [Duration::MAX; 4];
        // A time can only be too long: the machine is never faster than it is.
        for _ in 0..5 {
            for (least, power) in times.iter_mut().zip(0..) {
                *least = time_alone(number, (shape.size / divisor) << power, 3)?.min(*least);
            }
            if worst(&times) <= LIMIT {
                break;
            }
        }
        let growth = worst(&times);
        let shown: Vec<_> = times.iter().map(|time| format!("{:.1}", time.as_secs_f64() * 1e3)).collect();
        let text = format!("{}: {growth:.2}x for twice the input, {} ms", shape.name, shown.join(", "));
        table.goal(growth <= LIMIT, text);
    }
    Ok(())
}

/// The most that twice the input took.
fn worst(times: &[Duration]) -> f64 {
    let ratio = |pair: &[Duration]| pair[1].as_secs_f64() / pair[0].as_secs_f64();
    times.windows(2).map(ratio).fold(0.0, f64::max)
}

/// A text of 12 lines that is not in a file of 10,000, and the place in it that is most like it.
pub fn miss(table: &mut Table, lines: usize) {
    let mut random = crate::random::Random::new(6);
    let mut file = String::new();
    for _ in 0..lines {
        random.code_line(&mut file);
        file.push('\n');
    }
    let wanted: Vec<_> =
        file.lines().skip(lines / 2).take(12).map(|line| line.replace("a", "o") + "\n").collect();
    let text = format!("f\n<<<<<<< SEARCH\n{}=======\nb\n>>>>>>> REPLACE\n", wanted.concat());
    let case = Case::applied(text, InputKind::Fsrb, file);
    let (taken, found) = least(5, || case.run());
    table.check("a miss", found == (0, 1), &format!("{found:?}"));
    let milliseconds = taken.as_secs_f64() * 1e3;
    table.section(&format!("a text of 12 lines that is not in a file of {lines}"));
    table.goal(
        milliseconds <= 50.0,
        format!("a miss with its nearest match: {milliseconds:.1} ms (goal: at most 50 ms)"),
    );
}
