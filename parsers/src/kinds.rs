//! A macro that defines the findings of a format, one per paragraph.

/// Defines one kind of finding per item: name, level, code, what was seen, what was done, what to do.
macro_rules! kinds {
    ($($name:ident: $level:ident $code:literal, $what:literal, $done:literal, $advice:literal;)+) => {
        $(#[doc = concat!("`", $code, "`")]
        pub static $name: batchlab_traces::Kind = batchlab_traces::Kind {
            code: $code,
            level: batchlab_traces::Level::$level,
            what: $what,
            done: $done,
            advice: $advice,
        };)+
    };
}

pub(crate) use kinds;
