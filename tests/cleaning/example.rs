use batchlab::parsers::{Input, Options, read_trace};
use batchlab::traces::clean::Rules;

#[test]
fn our_log_is_as_we_want_it() -> Result<(), Box<dyn std::error::Error>> {
    let log = read_trace(Input::open("traces/data/lublin-128.swf.gz")?, &Options::default())?;
    let rules: Rules = std::fs::read_to_string("traces/data/rules.toml")?.parse()?;
    rules.check(&log)?;
    Ok(())
}
