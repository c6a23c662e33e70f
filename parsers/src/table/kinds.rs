//! Findings about tables.

use batchlab_traces::kinds;

kinds! {
    COLUMN_COUNT: Warning "table-column-count",
        "{line|lines} with another number of columns than described",
        "read as far as {it goes|they go}; missing columns count as unknown",
        "compare the line with the others, and the separator with the file";
    LEFT_OUT: Warning "table-left-out",
        "{line|lines} with another number of columns than described",
        "left out",
        "correct the line, or say other_counts = \"keep\" in the mapping";
    NO_JOB: Warning "table-no-job",
        "{line that has|lines that have} neither a job number nor a time",
        "left out",
        "describe such lines as comments, or skip them";
    ZONE_UNCLEAR: Warning "table-zone-unclear",
        "{time|times} in a zone whose abbreviation has several meanings, or none that is known",
        "{it counts|they count} as unknown",
        "name the zone of the log: zone = \"Europe/London\" in the mapping; or write offsets, which %z reads";
    NAMED_JOB: Note "table-named-job",
        "{job|jobs} with a word, or a number beyond 9e15, for a number",
        "numbered from 9,000,000,000,000,001 on, by first appearance",
        "nothing, or take the number out of the word by `pattern`";
    BAD_CELL: Warning "table-bad-cell",
        "{cell that is|cells that are} not as described",
        "{it counts|they count} as unknown",
        "correct the mapping (format, unit, missing) or the log";
    UNKNOWN_WORD: Warning "table-unknown-word",
        "{word|words} that the mapping gives no meaning",
        "{it counts|they count} as unknown",
        "give such words a meaning by `values` of the mapping, or all others by `others`";
    NO_MATCH: Note "table-no-match",
        "{text that the pattern does|texts that the pattern does} not fit",
        "no value is taken from {it|them}",
        "nothing, if such texts are usual; else widen the pattern";
    CHECK_DIFFERS: Note "table-check-differs",
        "{job|jobs} whose `check` column differs from the other columns by more than a second",
        "the other columns count",
        "look at the examples: the mapping may be wrong, or the log";
    MISSING_COLUMN: Warning "table-missing-column",
        "described {column that is|columns that are} not in the heading",
        "unknown for all jobs",
        "correct the name in the mapping, or mark the column `optional = true`";
    OPEN_QUOTE: Warning "table-open-quote",
        "{line with a quotation that does|lines with a quotation that does} not end",
        "the rest of the line counts as quoted",
        "write each job on one line";
    HEADING_AGAIN: Note "table-heading-again",
        "{heading|headings} among the jobs",
        "skipped",
        "nothing; files were joined";
}
