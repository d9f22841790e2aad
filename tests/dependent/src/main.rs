//! Uses the library as a program that drives a model would, and ends with status 0 when all is as promised.

mod code_parser_road;
mod main_road;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    main_road::parse_and_look()?;
    main_road::plan_over_a_map()?;
    main_road::refuse_with_every_fault()?;
    main_road::files_of_an_editor()?;
    code_parser_road::code_blocks();
    code_parser_road::edit_instructions()?;
    code_parser_road::unified_diffs()?;
    code_parser_road::paths();
    #[cfg(feature = "fs")]
    {
        let dir = std::env::temp_dir().join(format!("code-parser-dependent-{}", std::process::id()));
        std::fs::create_dir_all(&dir)?;
        let result = main_road::commit(&dir).and_then(|()| code_parser_road::apply(&dir));
        std::fs::remove_dir_all(&dir)?;
        result?;
    }
    println!("the library does what it promises");
    Ok(())
}
