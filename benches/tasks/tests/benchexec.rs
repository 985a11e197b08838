//! Tasks for BenchExec and tables from it. Where BenchExec itself is installed, it runs them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Lab(tempfile::TempDir);

impl Lab {
    /// Programs `safe.c`, `bug.c`, `hard.c`, `odd.c`, `refused.c` and a list of them.
    fn new() -> Lab {
        // Not below /tmp, which is another one for each run.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let lab = Lab(folder);
        fs::create_dir_all(lab.path("c/a \"b\"")).expect("writable");
        for name in ["safe.c", "bug.c", "a \"b\"/hard.c", "odd.c", "refused.c"] {
            fs::write(lab.path("c").join(name), "int main(void) { return 0; }\n")
                .expect("writable");
        }
        lab.write(
            "c/tasks.csv",
            "file,expected,property,data_model\nsafe.c,true,unreach-call,ilp32\nbug.c,false,unreach-call,ilp32\n\
             bug.c,true,no-overflow,\n\"a \"\"b\"\"/hard.c\",true,unreach-call,ilp32\nodd.c,true,unreach-call,ilp32\n\
             refused.c,reject,unreach-call,ilp32\n",
        );
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("writable");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn bench(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_ult-bench"))
            .args(words)
            .current_dir(self.0.path())
            .output()
            .expect("the runner starts")
    }

    fn tasks(&self) -> Output {
        let words =
            "tasks c/tasks.csv --format benchexec --timeout 20 --memory 500 --out bx --tool";
        let mut words: Vec<&str> = words.split(' ').collect();
        words.push("verifiers.ult --engine=portfolio --show-invariants");
        self.bench(&words)
    }

    /// The rows of a table as `file tool got judgement reason`.
    fn rows(&self, table: &str) -> Vec<String> {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_path(self.path(table))
            .expect("a table");
        let headers = reader.headers().expect("headers").clone();
        let column = |name: &str| headers.iter().position(|h| h == name).expect("the column");
        let wanted = ["file", "tool", "got", "judgement", "reason"].map(column);
        let rows = reader.records().map(|record| {
            let record = record.expect("a row");
            let cells: Vec<&str> = wanted.iter().map(|&i| &record[i]).collect();
            cells.join(" ").trim_end().to_owned()
        });
        rows.collect()
    }
}

#[test]
fn a_list_becomes_tasks_sets_properties_and_a_benchmark() {
    let lab = Lab::new();
    let output = lab.tasks();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "4 tasks in bx; left out: 1 that are to be rejected\n");
    assert_eq!(
        lab.read("bx/tasks/bug.c.yml"),
        "format_version: '2.0'\n\ninput_files: \"../../c/bug.c\"\n\nproperties:\n  \
         - property_file: \"../properties/unreach-call.prp\"\n    expected_verdict: false\n  \
         - property_file: \"../properties/no-overflow.prp\"\n    expected_verdict: true\n\n\
         options:\n  language: C\n  data_model: \"ILP32\"\n"
    );
    let odd = lab.read("bx/tasks/a \"b\"/hard.c.yml");
    assert!(
        odd.contains(r#"input_files: "../../../c/a \"b\"/hard.c""#),
        "{odd}"
    );
    assert_eq!(lab.read("bx/no-overflow.set"), "tasks/bug.c.yml\n");
    assert_eq!(lab.read("bx/unreach-call.set").lines().count(), 4);
    assert_eq!(
        lab.read("bx/properties/unreach-call.prp"),
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
    );
    let benchmark = lab.read("bx/ult.xml");
    for part in [
        "tool=\"verifiers.ult\" timelimit=\"20 s\" hardtimelimit=\"30 s\" memlimit=\"500 MB\"",
        "<option name=\"--engine\">portfolio</option>",
        "<option name=\"--show-invariants\"/>",
        "<includesfile>no-overflow.set</includesfile>",
    ] {
        assert!(benchmark.contains(part), "{part}: {benchmark}");
    }
    lab.write(
        "c/other.csv",
        "file,expected,property\nsafe.c,true,termination\n",
    );
    let output = lab.bench(&[
        "tasks",
        "c/other.csv",
        "--format",
        "benchexec",
        "--out",
        "other",
    ]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`termination` of safe.c"), "{said}");
}

/// What BenchExec writes, shortened.
const RESULT: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN' 'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>
<result benchmarkname="b" starttime="2026-11-24T09:04:22.424466+00:00" tool="TOOL" version="0.1.0" generator="BenchExec 3.35" memlimit="4000000000B" timelimit="30s" cpuCores="1" options="--x" block="unreach-call" name="NAME.unreach-call" endtime="2026-11-24T09:04:22.584537+00:00">
  <systeminfo hostname="h"><cpu model="P" cores="2"/><ram size="8000000000B"/></systeminfo>
  <run name="../tasks/a.c.yml" properties="unreach-call" expectedVerdict="true">
    <column title="cputime" value="1.25s"/><column title="walltime" value="2.5s"/><column title="memory" value="50000000B"/>
    <column title="status" value="true"/><column title="category" value="correct" hidden="true"/>
  </run>
  <run name="../tasks/b.c.yml" properties="unreach-call" expectedVerdict="false">
    <column title="cputime" value="0.5s"/><column title="walltime" value="0.6s"/><column title="memory" value="1000000B"/>
    <column title="status" value="STATUS"/>
  </run>
  <run name="../tasks/c.c.yml" properties="unreach-call" expectedVerdict="true">
    <column title="cputime" value="30.1s"/><column title="walltime" value="30.2s"/><column title="memory" value="1000000B"/>
    <column title="status" value="TIMEOUT"/><column title="terminationreason" value="cputime" hidden="true"/>
  </run>
</result>
"#;

#[test]
fn results_become_tables_and_pictures() {
    let lab = Lab::new();
    for (name, status) in [("one", "false(unreach-call)"), ("two", "true")] {
        let text = RESULT
            .replace("NAME", name)
            .replace("TOOL", name)
            .replace("STATUS", status);
        lab.write(&format!("{name}.xml"), &text);
    }
    let output = lab.bench(&["import", "one.xml", "two.xml", "--out", "table"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        lab.rows("table.csv"),
        [
            "a.c one true right",
            "b.c one false right",
            "c.c one killed unknown killed: time",
            "a.c two true right",
            "b.c two true wrong",
            "c.c two killed unknown killed: time",
        ]
    );
    let table = lab.read("table.csv");
    assert!(table.contains("# measured by: BenchExec 3.35\n"), "{table}");
    assert!(
        table.contains("a.c,one,true,true,right,2.5,1.25,50.0,"),
        "{table}"
    );
    // As they are, too.
    let output = lab.bench(&["compare", "one.xml", "two.xml"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("now WRONG: 1\n  b.c: false -> true"),
        "{said}"
    );
    assert!(
        said.contains("processor time on the same tasks: 1.25 s -> 1.25 s, x1.00"),
        "{said}"
    );
    let output = lab.bench(&["report", "table.csv", "--out", "report"]);
    assert!(output.status.success(), "{output:?}");
    let report = lab.read("report/report.md");
    for part in [
        "| one | 3 | 1 | 1 | 0 | 0 | 0 | 1 | 0 | 1.75 | 1.25 | 0.500 | 50.0 |",
        "| two | 3 | 1 | 0 | 1 | 0 | 0 | 1 | 0 | 1.25 | 1.25 | - | 50.0 |",
        "1 tasks are right with both, in 1.25 s with one and in 1.25 s with two; 1 are right with one alone, 0 with two alone",
        "| all | 3 | 2 | 1 | 1 | 0 | 1 |",
        "Of the 2 that one decides rightly, two decides 1 (50.0 %).",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    for picture in ["quantile.svg", "scatter-one-two.svg"] {
        let text = lab.read(&format!("report/{picture}"));
        assert!(
            text.starts_with("<svg") && text.contains("<circle"),
            "{picture}"
        );
    }
    lab.write("broken.xml", "<result><run/></result>");
    let output = lab.bench(&["import", "broken.xml", "--out", "none"]);
    assert_eq!(output.status.code(), Some(2));
}

/// The real one, with the real tool-info module, and a tool that answers each task otherwise.
#[test]
fn benchexec_runs_the_tasks() {
    if !Command::new("benchexec")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        skipped("benchexec is missing: the tool-info module is not tested");
        return;
    }
    let lab = Lab::new();
    assert!(lab.tasks().status.success());
    fs::create_dir(lab.path("bin")).expect("writable");
    let report = |verdict: &str, rest: &str| {
        format!(
            "echo '{{\"tool\":\"ult\",\"verdict\":\"{verdict}\",\"reason\":{rest},\"statistics\":{{\"solver_calls\":7}}}}'"
        )
    };
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'ult 0.1.0'; exit; fi\necho 'warning: {{' >&2\necho \"$@\" >&2\n\
         case \"$*\" in\n*safe.c*) {}; exit 0;;\n*bug.c*no-overflow*) {}; exit 0;;\n*bug.c*) {}; exit 1;;\n\
         *hard.c*) {}; exit 4;;\n*odd.c*) {}; exit 1;;\nesac\n",
        report("SAFE", "null"),
        report("SAFE", "null"),
        report("UNSAFE", "null"),
        report("UNKNOWN", "{\"code\":\"timeout\",\"text\":\"out of time\"}"),
        report("SAFE", "null"),
    );
    lab.write("bin/ult", &script);
    fs::set_permissions(lab.path("bin/ult"), fs::Permissions::from_mode(0o755)).expect("allowed");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchexec");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("benchexec")
        .args([
            "--no-container",
            "--numOfThreads",
            "1",
            "-o",
            "results/",
            "bx/ult.xml",
        ])
        .env("PYTHONPATH", root)
        .env("PATH", format!("{}:{path}", lab.path("bin").display()))
        .current_dir(lab.0.path())
        .output()
        .expect("it starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if said.contains("cgroup") && !output.status.success() {
        skipped("there are no control groups for BenchExec: the tool-info module is not tested");
        return;
    }
    let files = fs::read_dir(lab.path("results")).unwrap_or_else(|error| panic!("{error}: {said}"));
    let mut results: Vec<String> = files
        .filter_map(|entry| entry.ok()?.path().to_str().map(str::to_owned))
        .filter(|name| name.ends_with(".xml.bz2"))
        .collect();
    results.sort();
    // Each set of tasks, and all together.
    assert_eq!(results.len(), 3, "{said}");
    let mut words = vec!["import", "--out", "table"];
    words.extend(results.iter().map(String::as_str));
    let output = lab.bench(&words);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        lab.rows("table.csv"),
        [
            "bug.c ult true right",
            "safe.c ult true right",
            "bug.c ult false right",
            "a \"b\"/hard.c ult unknown unknown timeout",
            "odd.c ult crash crashed ERROR (SAFE with exit code 1)",
        ],
        "{said}"
    );
}

/// For whoever reads the tests' output, and in the file that `ULT_SKIPPED` names.
fn skipped(what: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{what}");
    if let Some(path) = std::env::var_os("ULT_SKIPPED") {
        let file = fs::File::options().append(true).create(true).open(path);
        let written = file.and_then(|mut file| writeln!(file, "{what}"));
        written.expect("the list of what is skipped can be written");
    }
}
