//! Findings about logs in SWF.

use batchlab_traces::kinds;

kinds! {
    SHORT_LINE: Warning "swf-short-line",
        "{line|lines} with too few fields",
        "the missing fields count as unknown",
        "compare the log with the original; 18 fields and the declared resources are expected";
    TORN_LINE: Warning "swf-torn-line",
        "last {line that breaks|lines that break} off",
        "its last field, which may be cut, and the missing fields count as unknown",
        "fetch the log again: it seems to be incomplete";
    EXTRA_FIELDS: Warning "swf-extra-fields",
        "{line|lines} with more fields than the header declares",
        "the fields past the declared ones are left out",
        "nothing if jobs demand none of them, as the names of tasks in logs of Alea; a column of a resource is declared in the \
         header: `; Resource: 1 memory KB capacity=1024 scope=pool`";
    BAD_TOKEN: Warning "swf-bad-token",
        "{field that is not a number|fields that are not numbers}",
        "{it counts|they count} as unknown",
        "correct the log, or the tool that wrote it";
    OUT_OF_RANGE: Warning "swf-out-of-range",
        "{number|numbers} beyond 9.2e12",
        "{it counts|they count} as unknown",
        "correct the log, or the tool that wrote it";
    NAMED: Note "swf-named",
        "{job, user, group, executable, queue or partition|jobs, users, groups, executables, queues or partitions} \
         with a word, or a number beyond 9e15, for a number",
        "numbered from 9,000,000,000,000,001 on, by first appearance",
        "nothing; other tools may stop here: SWF has numbers";
    SEVERAL_BEFORE: Note "swf-several-before",
        "{job|jobs} with several preceding jobs in field 17",
        "all are kept: the first in the field, the others in the columns after1, after2, ...",
        "nothing; --dependencies log lets {it|them} wait for all";
    MANY_BEFORE: Warning "swf-many-before",
        "preceding {job|jobs} beyond the number that is kept",
        "left out",
        "look at field 17 of the log";
    DROPPED_LINE: Warning "swf-dropped-line",
        "{line|lines} without a job number and a submit time",
        "left out",
        "nothing if {it is a heading|they are headings}; otherwise correct or remove {it|them}";
    ROUNDED: Note "swf-rounded",
        "{decimal|decimals} with more than six places",
        "rounded to the nearest millionth",
        "nothing; a millionth of a second is the resolution of time";
    EXPONENT: Note "swf-exponent",
        "{number|numbers} with an exponent",
        "read as the number {it stands|they stand} for",
        "write plain numbers: SWF has no exponents, and other tools may stop here";
    FRACTION: Note "swf-fraction",
        "{count or identifier|counts and identifiers} with decimals",
        "kept; where a whole number is needed the decimals are cut",
        "look at the log: its columns may be shifted";
    RESOURCE_FRACTION: Warning "swf-resource-fraction",
        "{value of a resource|values of resources} with decimals",
        "the decimals are cut",
        "declare the resource in a smaller unit";
    HEADER_VALUE: Warning "swf-header-value",
        "header {field|fields} that cannot be understood",
        "{it counts|they count} as not given",
        "correct the header";
    HEADER_REPEATED: Warning "swf-header-repeated",
        "header {field|fields} given twice with different values",
        "the first one counts",
        "remove the wrong one";
    LATE_HEADER: Warning "swf-late-header",
        "header {field|fields} after the first job",
        "kept as {a comment|comments}, not read",
        "move them to the top; if two logs were joined, merge them instead";
    MANY_COMMENTS: Warning "swf-many-comments",
        "comment {line|lines} beyond 16 MiB of comments",
        "left out; header fields among them do not count",
        "move what describes the log to its first lines, and notes to another file";
    LATIN1: Note "swf-latin1",
        "comment {line that is|lines that are} not UTF-8",
        "read as Latin-1",
        "nothing; written files are UTF-8";
}
