//! Orders that compute the scores of all jobs together, by columns: expressions, and plug-ins.

use batchlab_traces::Time;
use batchlab_traces::expr::{Expr, Program, Scratch};

use crate::external::{Begin, Conversation, Fault, Plugin};
use crate::registry::Chosen;
use crate::spec::{BuildError, Params, Setting};
use crate::support::expressions::{Waiting, number, vocabulary};
use crate::view::JobView;

/// An order that is scored by columns.
pub struct Computed {
    /// The values read of each job; for an expression, its score.
    columns: Vec<Program>,
    /// The plug-in that computes scores from the columns; an expression is its own score.
    plugin: Option<Box<dyn Conversation>>,
    changes: bool,
    scratch: Scratch,
    values: Vec<f64>,
    scores: Vec<f64>,
}

impl Computed {
    /// Returns the order of the expression or the plug-in that a parameter names; `None` if it names
    /// neither.
    ///
    /// # Errors
    /// When an expression does not give a number or uses what a policy cannot know, or the plug-in cannot
    /// begin.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<Computed>, BuildError> {
        if let Some(program) = number(params, key, &vocabulary(setting))? {
            let changes = program.depends_on_time();
            return Ok(Some(Computed::new(vec![program], None, changes)));
        }
        match params.policy(key) {
            Some(order) => Computed::of_plugin(order, setting).map(Some),
            None => Ok(None),
        }
    }

    fn of_plugin(order: &Chosen, setting: &Setting<'_>) -> Result<Computed, BuildError> {
        let name = order.canonical();
        let Some(plugin) = order.params().plugin() else {
            return Err(BuildError::Unfit(format!("`{name}` is not an order")));
        };
        let columns = columns(plugin, setting)
            .map_err(|reason| BuildError::Unfit(format!("the order `{name}` {reason}")))?;
        let begin =
            Begin { which: plugin.which, params: order.params(), declared: &plugin.declared, setting };
        match plugin.library.begin(&begin) {
            Ok(conversation) => Ok(Computed::new(columns, Some(conversation), plugin.about.changes())),
            Err(fault) => Err(BuildError::Fault { policy: name, fault }),
        }
    }

    fn new(columns: Vec<Program>, plugin: Option<Box<dyn Conversation>>, changes: bool) -> Computed {
        let (scratch, values, scores) = (Scratch::default(), Vec::new(), Vec::new());
        Computed { columns, plugin, changes, scratch, values, scores }
    }

    /// Whether scores change while jobs wait.
    pub fn changes(&self) -> bool {
        self.changes
    }

    /// Returns the scores of jobs, each with its expected run time, at an instant. One evaluation per column
    /// over all jobs, and one request to a plug-in.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    pub fn scores(&mut self, jobs: &[(JobView<'_>, Time)], now: Time) -> Result<&[f64], Fault> {
        let rows = Waiting { jobs, now };
        self.values.clear();
        for column in &self.columns {
            let values = &mut self.values;
            column.visit(&rows, 0..jobs.len(), &mut self.scratch, |_, block| values.extend_from_slice(block));
        }
        let Some(plugin) = &mut self.plugin else { return Ok(&self.values) };
        plugin.order(&self.values, jobs.len(), &mut self.scores)?;
        if self.scores.len() != jobs.len() {
            let why = format!("{} scores for {} jobs", self.scores.len(), jobs.len());
            return Err(Fault::Answer { during: "order", why });
        }
        Ok(&self.scores)
    }

    /// The replay is over: ends the plug-in.
    ///
    /// # Errors
    /// When the plug-in ends with an error.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.plugin.as_mut().map_or(Ok(()), |plugin| plugin.end())
    }
}

/// Compiles the columns that a plug-in declares.
fn columns(plugin: &Plugin, setting: &Setting<'_>) -> Result<Vec<Program>, String> {
    let vocabulary = vocabulary(setting);
    let compile = |text: &String| {
        let program = Expr::parse(text).and_then(|expr| expr.compile(&vocabulary));
        program.map_err(|error| format!("looks at `{text}`: {}", error.reason()))
    };
    plugin.about.columns.iter().map(compile).collect()
}
