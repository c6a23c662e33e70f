//! The keys of a `[[plot]]`.

use batchlab_traces::located::Spanned;
use batchlab_traces::located::values::{Length, Number, Ordered, Scalar, Texts, Verbatim, Whole};
use serde::Deserialize;

use super::chart::Colour;
use super::kind::PlotKind;
use batchlab_engine::plot::FigureSize;
use batchlab_study::experiment::keys::{FILE_NAME, POLICIES, WHERE, WORKLOADS, section};
use batchlab_study::experiment::{ExperimentError, Section};

pub(super) type Read<T> = Result<T, ExperimentError>;

section! {
    /// a plot, in plots/NAME.svg; not every kind has every key
    "plot" => PlotKeys, SECTION;
    "[[plot]]\nname = \"load\"\nkind = \"lines\"\nmetric = \"mean_bsld\"\nx = \"load\""
    name: Verbatim = FILE_NAME;
    /// see `batchlab list plots`
    kind: &'static PlotKind = "name";
    /// a title within the figure
    title: Option<Verbatim> = "text";
    /// what is drawn; of cdf, job-box, job-scatter, user-cdf and lorenz a quantity of jobs, such as wait
    metric: Option<Verbatim> = "metric or quantity";
    /// what is spread along the x axis; of a scatter the other metric, of a job-scatter procs or run
    x: Option<Verbatim> = "parameter or metric", "what is swept";
    /// what is spread up the y axis of a heatmap
    y: Option<Verbatim> = "dimension", "policy";
    /// what differs between panels: workload, policy, class or a parameter
    panel: Option<Verbatim> = "dimension";
    workloads: Option<Texts> = WORKLOADS;
    policies: Option<Texts> = POLICIES;
    /// classes that it shows
    classes: Option<Texts> = "list", "all jobs";
    r#where: Option<Ordered<Scalar>> = WHERE;
    /// whether the axis of values is logarithmic
    log: Option<bool> = "true or false", "the kind's";
    /// whether intervals are drawn
    band: Option<bool> = "true or false", "true";
    /// of box and job-box: letter values (eighths, sixteenths and so on) in place of whiskers
    letters: Option<bool> = "true or false", "false";
    /// draw ratios to this policy
    relative: Option<Verbatim> = "label", "of a forest the baseline";
    /// of lines and bars, with relative: draw gains, 100 * (value of that policy / value - 1) per cent, in place of
    /// ratios; published values are per cents then
    gain: Option<bool> = "true or false", "false";
    /// of lines and bars: what the axis of values covers at least, in the unit that is drawn
    range: Option<[Number; 2]> = "[from, to]";
    /// which unit's replay is drawn
    unit: Option<Whole<0>> = "whole number", "0";
    /// of lines and bars: published values, as open marks at a place along x, in the metric's own unit
    published: Option<Vec<PublishedKeys>> = "[{ policy, at, value }, ...]";
    /// label of the x axis
    xlabel: Option<Verbatim> = "text", "in plain words";
    /// label of the y axis
    ylabel: Option<Verbatim> = "text", "in plain words";
    /// what metrics, policies, workloads, parameters, values or classes are called: { mean_bsld = "slowdown" }
    label: Option<Ordered<Scalar>> = "table";
    /// of a gantt: where its window begins, as 12h or 30d after it
    from: Option<Length> = "time", "the first submission";
    /// of a gantt: where its window ends
    to: Option<Length> = "time", "the end";
    /// of a gantt: a window around the submission of the job with this number
    around: Option<Whole<0>> = "job";
    /// of a gantt: how far the window around a job reaches to both sides
    reach: Option<Length> = "time", "6h";
    /// of a gantt: what colours tell apart
    colour: Option<Colour> = "none, user, width or class", "none";
    /// of a gantt: whether first reservations that jobs did not start by are drawn
    reservations: Option<bool> = "true or false", "up to 40 in a panel";
    /// whether the conditions stand below the figure, within it
    conditions: Option<bool> = "true or false", "false";
    /// ieee, acm, llncs, elsarticle: a column of the class, with -text the whole text where it has two columns; a number: that many
    /// mm; column: 3.3 inches wide, text: 7 inches; slide: 16:9, larger text; panel: 400 pixels
    size: Option<FigureSize> = "panel, column, text, slide, a class or mm", "the experiment's, or panel";
}

/// One of the published values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedKeys {
    pub(super) policy: Spanned<Verbatim>,
    pub(super) at: Scalar,
    pub(super) value: Number,
}

/// A plot with the values of its keys.
pub(super) type PlotSection<'a> = Section<'a, PlotKeys>;
