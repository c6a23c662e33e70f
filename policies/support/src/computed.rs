//! Numbers that are computed for many jobs together, by columns: expressions, and plug-ins.

use batchlab_traces::expr::{Expr, ExprType, Program, Rows, Scratch, Vocabulary};

use crate::expressions::number;
use crate::external::{Begin, Conversation, Fault, Plugin, param_values};
use crate::spec::{BuildError, Chosen, Params, Setting};

/// A number for each job: the value of an expression, or the score that a plug-in of kind order gives it.
pub struct Computed {
    /// The values read of each job; for an expression, its value.
    columns: Vec<Program>,
    /// The plug-in that computes scores from the columns; an expression is its own score.
    plugin: Option<Box<dyn Conversation>>,
    changes: bool,
    scratch: Scratch,
    values: Vec<f64>,
    scores: Vec<f64>,
}

impl Computed {
    /// Returns the computation of the expression or plug-in that a parameter names, over the names of a vocabulary; `None`
    /// if it names neither.
    ///
    /// # Errors
    /// When an expression does not give a number or uses a name outside the vocabulary, or the plug-in cannot begin.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
        vocabulary: &Vocabulary,
    ) -> Result<Option<Computed>, BuildError> {
        if let Some(program) = number(params, key, vocabulary)? {
            let changes = program.depends_on_time();
            return Ok(Some(Computed::new(vec![program], None, changes)));
        }
        match params.policy(key) {
            Some(chosen) => Computed::of_plugin(key, chosen, setting, vocabulary).map(Some),
            None => Ok(None),
        }
    }

    fn of_plugin(
        key: &str,
        chosen: &Chosen,
        setting: &Setting<'_>,
        vocabulary: &Vocabulary,
    ) -> Result<Computed, BuildError> {
        let name = chosen.canonical();
        let Some(plugin) = chosen.params().plugin() else {
            return Err(BuildError::Unfit(format!("`{name}` is not a plug-in of kind order")));
        };
        let columns = columns(plugin, vocabulary)
            .map_err(|reason| BuildError::Unfit(format!("`{key}={name}` {reason}")))?;
        let given = param_values(chosen.params(), &plugin.declared);
        let begin = Begin { which: plugin.which, params: &given, setting };
        match plugin.library.begin(&begin) {
            Ok(conversation) => Ok(Computed::new(columns, Some(conversation), plugin.about.changes())),
            Err(fault) => Err(BuildError::Fault { policy: name, fault }),
        }
    }

    fn new(columns: Vec<Program>, plugin: Option<Box<dyn Conversation>>, changes: bool) -> Computed {
        let (scratch, values, scores) = (Scratch::default(), Vec::new(), Vec::new());
        Computed { columns, plugin, changes, scratch, values, scores }
    }

    pub fn changes(&self) -> bool {
        self.changes
    }

    /// Returns the kind of the numbers; those of a plug-in are plain.
    pub fn kind(&self) -> ExprType {
        match (&self.plugin, self.columns.first()) {
            (None, Some(program)) => program.kind(),
            _ => ExprType::PLAIN,
        }
    }

    /// Returns the numbers of the jobs of some rows. One evaluation per column over all rows, and one request to a plug-in.
    pub fn numbers(&mut self, rows: &impl Rows) -> Result<&[f64], Fault> {
        self.values.clear();
        for column in &self.columns {
            let values = &mut self.values;
            column.visit(rows, 0..rows.len(), &mut self.scratch, |_, block| values.extend_from_slice(block));
        }
        let Some(plugin) = &mut self.plugin else { return Ok(&self.values) };
        plugin.order(&mut self.values, rows.len(), &mut self.scores)?;
        if self.scores.len() != rows.len() {
            let why = format!("{} scores for {} jobs", self.scores.len(), rows.len());
            return Err(Fault::Answer { during: "order", why });
        }
        Ok(&self.scores)
    }

    /// The replay is over: ends the plug-in.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.plugin.as_mut().map_or(Ok(()), |plugin| plugin.end())
    }
}

fn columns(plugin: &Plugin, vocabulary: &Vocabulary) -> Result<Vec<Program>, String> {
    let compile = |text: &String| {
        let program = Expr::parse(text).and_then(|expr| expr.compile(vocabulary));
        program.map_err(|error| format!("looks at `{text}`: {}", error.reason()))
    };
    plugin.about.columns.iter().map(compile).collect()
}
