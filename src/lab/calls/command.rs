use super::{Call, Verb};
use crate::lab::Failure;
use crate::lab::options::{Takes, flag};

impl Call<'_> {
    /// Returns the command line that prints the table of [`Call::compare`] for a log under policies, quoted for a shell, with
    /// further words behind it.
    pub fn command_line(&self, log: &str, policies: &[String], further: &[&str]) -> Result<String, Failure> {
        let verb = Verb::Compare;
        self.settings(verb)?;
        let mut words = vec!["batchlab".to_owned(), "replay".to_owned(), log.to_owned()];
        for policy in policies {
            words.extend(["--policy".to_owned(), policy.clone()]);
        }
        for given in self.options {
            let Some(option) = verb.option(&given.name) else { continue };
            let name = flag(option);
            match option.takes {
                Takes::Nothing(_) if given.values[..] == ["true"] => words.push(name),
                Takes::Nothing(_) => {}
                takes if takes.is_several() => {
                    words.extend(given.values.iter().flat_map(|value| [name.clone(), value.clone()]));
                }
                _ => words.extend([name, given.values.join(",")]),
            }
        }
        words.extend(further.iter().map(|&word| word.to_owned()));
        shlex::try_join(words.iter().map(String::as_str)).map_err(|error| Failure::Usage(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::lab::Given;
    use crate::replay::engine::Interrupt;

    #[test]
    fn words_are_quoted_and_options_are_those_of_the_verb() {
        let registry = Registry::builtin();
        let given = |name: &str, values: &[&str]| Given {
            name: name.into(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let options =
            [given("procs", &["64"]), given("drop_zero_run", &["true"]), given("bounds", &["false"])];
        let progress: super::super::Progress = std::sync::Arc::new(|_, _| {});
        let interrupt = Interrupt::default();
        let call = Call { registry: &registry, options: &options, interrupt, progress };
        let policies = ["easy".to_owned(), "easy:order=expr(wait / 2)".to_owned()];
        let line = call.command_line("my log.swf", &policies, &["--format", "csv"]).unwrap();
        assert_eq!(
            line,
            "batchlab replay 'my log.swf' --policy easy --policy 'easy:order=expr(wait / 2)' --procs 64 \
             --drop-zero-run --format csv"
        );
        let wrong = [given("proc", &["64"])];
        let call = Call { options: &wrong, ..call };
        assert!(call.command_line("log.swf", &policies, &[]).is_err());
    }
}
