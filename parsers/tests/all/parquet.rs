//! Tables in Parquet: what is written reads back to the same log, what others write is read, and damage is contained.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use batchlab_parsers::{Input, Options, ReadError, read_trace, swf};
use batchlab_traces::{Field, Trace};
use parquet::basic::{
    Compression, GzipLevel, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use proptest::prelude::*;

fn read(bytes: Vec<u8>) -> Result<Trace, ReadError> {
    read_trace(Input::from_bytes("jobs.parquet", bytes), &Options::default())
}

fn text(trace: &Trace) -> String {
    let mut written = Vec::new();
    swf::write(trace, &mut written).unwrap();
    String::from_utf8(written).unwrap()
}

fn table(trace: &Trace) -> Vec<u8> {
    let mut written = Vec::new();
    swf::parquet::write(trace, &mut written).unwrap();
    written
}

fn log(rows: &str) -> Trace {
    let text =
        format!("; Computer: a, \"b\"\n; MaxProcs: 64\n; Resource: 1 gpu capacity=9 scope=pool\n{rows}");
    read_trace(Input::from_bytes("log", text), &Options::default()).unwrap()
}

/// A value of a field: unknown, whole, or with parts of a second, up to those that a float does not have.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("-1".to_owned()),
        (0..100_000i64).prop_map(|whole| whole.to_string()),
        (0..2_000_000_000i64, 1..1_000_000i64).prop_map(|(whole, part)| format!("{whole}.{part:06}")),
        (0..i64::MAX / 2_000_000).prop_map(|whole| format!("{whole}.5")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_reads_back(rows in prop::collection::vec((number(), number(), number(), 0..9i64), 1..40)) {
        let line = |(index, (submit, run, requested, gpus)): (usize, &(String, String, String, i64))| {
            let number = index + 1;
            format!("{number} {submit} 3 {run} 4 -1 -1 4 {requested} -1 1 2 3 -1 -1 -1 -1 -1 {gpus}\n")
        };
        let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
        let trace = log(&lines.concat());
        let again = read(table(&trace)).unwrap();
        prop_assert_eq!(text(&again), text(&trace));
        prop_assert_eq!(table(&again), table(&trace));
    }
}

#[test]
fn more_rows_than_a_row_group_has() {
    let rows: Vec<String> = (1..70_000)
        .map(|number| format!("{number} {number} 3 {} 4 -1 -1 4 60 -1 1 2 3 -1 -1 -1 -1 -1 1\n", number % 7))
        .collect();
    let trace = log(&rows.concat());
    assert_eq!(text(&read(table(&trace)).unwrap()), text(&trace));
}

fn column(name: &str, physical: Physical, logical: Option<LogicalType>) -> TypePtr {
    let built = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    Arc::new(built.with_repetition(Repetition::OPTIONAL).build().unwrap())
}

fn schema_of_f_data() -> TypePtr {
    let instant = || Some(LogicalType::timestamp(true, TimeUnit::NANOS));
    let text = || Some(LogicalType::String);
    let group = |name, repetition, field| {
        let group = Type::group_type_builder(name).with_repetition(repetition).with_fields(vec![field]);
        Arc::new(group.build().unwrap())
    };
    let list = group("list", Repetition::REPEATED, column("element", Physical::FLOAT, None));
    let fields = vec![
        column("jid", Physical::BYTE_ARRAY, text()),
        column("usr", Physical::BYTE_ARRAY, text()),
        group("embedding", Repetition::OPTIONAL, list),
        column("adt", Physical::INT64, instant()),
        column("sdt", Physical::INT64, instant()),
        column("edt", Physical::INT64, instant()),
        column("duration", Physical::DOUBLE, None),
        column("elpl", Physical::INT32, None),
        column("cnumr", Physical::INT32, None),
        column("cnumat", Physical::INT32, None),
        column("nnumr", Physical::INT32, None),
        column("mszl", Physical::INT64, Some(LogicalType::integer(64, false))),
        column("exit state", Physical::BYTE_ARRAY, text()),
    ];
    Arc::new(Type::group_type_builder("schema").with_fields(fields).build().unwrap())
}

/// Writes the next column: two rows, of which the second may be unknown.
fn put<T: DataType>(group: &mut SerializedRowGroupWriter<'_, impl Write + Send>, values: &[T::T]) {
    let mut column = group.next_column().unwrap().unwrap();
    let levels = [1, i16::from(values.len() > 1)];
    column.typed::<T>().write_batch(values, Some(&levels), None).unwrap();
    column.close().unwrap();
}

/// A table with the columns of F-DATA, in two row groups: texts, instants in nanoseconds, numbers without sign, a column of lists.
fn f_data(compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema_of_f_data(), Arc::new(properties)).unwrap();
    for first in [0, 2i64] {
        let mut group = writer.next_row_group().unwrap();
        let names = [first + 1, first + 2].map(|number| format!("job{number}").as_str().into());
        put::<ByteArrayType>(&mut group, &names);
        put::<ByteArrayType>(&mut group, &["u,1".into(), "u\"2\"".into()]);
        let mut lists = group.next_column().unwrap().unwrap();
        lists.typed::<FloatType>().write_batch(&[1.5], Some(&[3, 0]), Some(&[0, 0])).unwrap();
        lists.close().unwrap();
        for later in [0, 60, 160] {
            let instant = |row| (1_700_000_000 + row * 1000 + later) * 1_000_000_000;
            put::<Int64Type>(&mut group, &[first, first + 1].map(instant));
        }
        put::<DoubleType>(&mut group, &[100.0, 100.0]);
        for value in [3600, 96, 96, 2] {
            put::<Int32Type>(&mut group, &[value]);
        }
        put::<Int64Type>(&mut group, &[-1, 1 << 30]);
        put::<ByteArrayType>(&mut group, &["completed".into(), "failed".into()]);
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

#[test]
fn a_table_of_f_data_is_read_whatever_packs_it() {
    let packings = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for packing in packings {
        let trace = read(f_data(packing)).unwrap();
        assert_eq!(trace.provenance.source.format, "f-data");
        assert_eq!(trace.len(), 4, "{packing:?}");
        let row = |row, fields: [Field; 6]| fields.map(|field| trace.get(row, field).truncated());
        let fields =
            [Field::Job, Field::Submit, Field::Wait, Field::Run, Field::Requested, Field::RequestedTime];
        assert_eq!(row(0, fields), [1, 0, 60, 100, 96, 3600]);
        assert_eq!(row(3, fields), [4, 3000, 60, 100, -1, -1]);
    }
}

#[test]
fn damage_is_an_error_or_a_finding() {
    let whole = f_data(Compression::SNAPPY);
    assert!(read(whole[..whole.len() / 2].to_vec()).is_err());
    assert!(read(b"PAR1".to_vec()).is_err());
    // The panics of the decoder are caught; they need not be printed.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x41;
        // Nothing is asked of the result: a text may be another one.
        let _ = read(damaged);
    }
    std::panic::set_hook(hook);
}

#[test]
fn pandas_reads_what_is_written() {
    let script = "import io, sys, pandas\n\
                  frame = pandas.read_parquet(io.BytesIO(sys.stdin.buffer.read()))\n\
                  print(len(frame), list(frame.columns)[:4], frame['run'].tolist(), int(frame['wait'].isna().sum()), frame['gpu'].sum())";
    let python = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else { return eprintln!("skipped: there is no python3") };
    let trace = log(
        "1 0 -1 10.5 4 -1 -1 4 60 -1 1 2 3 -1 -1 -1 -1 -1 2\n2 5 7 20 4 -1 -1 4 60 -1 1 2 3 -1 -1 -1 -1 -1 1\n",
    );
    python.stdin.take().unwrap().write_all(&table(&trace)).unwrap_or_default();
    let done = python.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&done.stderr);
    if err.contains("ModuleNotFoundError") || err.contains("ImportError") {
        return eprintln!("skipped: python3 has no pandas with a reader of Parquet");
    }
    let out = String::from_utf8_lossy(&done.stdout);
    assert_eq!(out.trim(), "2 ['job', 'submit', 'wait', 'run'] [10.5, 20.0] 1 3", "{err}");
}

/// `PARQUET_FILES=FOLDER` reads all files of a folder, such as those of apache/parquet-testing, and says what came of each.
#[test]
fn files_of_others() {
    let Some(folder) = std::env::var_os("PARQUET_FILES") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = || -> Result<(usize, Option<String>), ReadError> {
            let (mut stream, mut length) = (Input::open(&file)?.stream()?, 0);
            while let Some(buffer) = stream.next_buffer()? {
                length += buffer.len();
            }
            Ok((length, stream.torn().map(str::to_owned)))
        };
        let log = Input::open(&file).and_then(|input| read_trace(input, &Options::default()));
        let log = log.map(|trace| (trace.len(), trace.provenance.source.format.clone()));
        eprintln!("{}: {:?}; {:?}", file.display(), text(), log.ok());
    }
}
