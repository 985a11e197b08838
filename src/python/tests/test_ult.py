"""What the module promises. `tests/module.rs` runs this; with an installed wheel it can be run as it is."""

import _thread
import contextlib
import io
import os
import re
import shutil
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import ult

SAFE = """procedure count(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n) { i := i + 1; }
  assert i == n;
}
"""
UNSAFE = SAFE.replace("i == n;", "i == n + 1;")
# A product of primes: nobody finds them in a moment.
HARD = """procedure p(x: int, y: int) {
  assume x > 1 && y > 1 && x < y;
  assert x * y != 998244368971909710889394239;
}
"""
BOOK = os.environ.get("ULT_BOOK")
HAS_PROGRAM = bool(os.environ.get("ULT_PROGRAM")) or (Path(ult.__file__).parent / "bin/ult").is_file()


class Verdicts(unittest.TestCase):
    def test_safe_with_invariants(self):
        report = ult.check(SAFE)
        self.assertEqual((report.verdict, report.reason), ("SAFE", None))
        self.assertEqual([unit.name for unit in report.units], ["count"])
        self.assertTrue(any(told.line == 5 and "n" in told.formula for told in report.invariants))
        self.assertFalse(report.violations)
        self.assertEqual(report.data["tool"], "ult")

    def test_unsafe_with_a_run(self):
        report = ult.check(UNSAFE, name="sum.bpl")
        self.assertEqual(report.verdict, "UNSAFE")
        (violation,) = report.violations
        self.assertEqual((violation.place.line, violation.place.column), (6, 3))
        self.assertEqual(violation.run[-1].place.line, 6)
        self.assertTrue(any("i" in step.changes for step in violation.run))

    def test_rejected_with_diagnostics(self):
        report = ult.check("procedure p() { assert x; }")
        self.assertEqual(report.verdict, "REJECTED")
        (told,) = report.diagnostics
        self.assertEqual((told.severity, told.place.line, told.place.column), ("error", 1, 24))
        self.assertIn(told.id, str(told))

    def test_languages(self):
        graph = "graph g { var x: int; init a; error b; a -> a: x' == x; a -> b: false; }"
        self.assertEqual(ult.check(graph, "graph").verdict, "SAFE")
        horn = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(assert (=> (p 0) false))(check-sat)"
        self.assertEqual(ult.check(horn, "horn").verdict, "UNSAFE")

    def test_odd_texts(self):
        for text in ["", "\0", "procedure", "\U0001f600", "procedure p() { assert true; }\r\n" * 3]:
            self.assertIn(ult.check(text).verdict, {"SAFE", "NOTHING", "REJECTED", "UNKNOWN"}, text)

    def test_wrong_arguments(self):
        for arguments in [
            {"language": "basic"},
            {"engine": "steam"},
            {"entry": "nobody"},
            {"timeout": -1.0},
            {"timeout": float("nan")},
        ]:
            with self.assertRaises(ValueError, msg=str(arguments)):
                ult.check(SAFE, **arguments)
        with self.assertRaises(TypeError):
            ult.check(12)
        self.assertEqual(ult.check(SAFE, entry="count", timeout=1e300).verdict, "SAFE")


class Control(unittest.TestCase):
    def test_timeout(self):
        report = ult.check(HARD, timeout=0.5)
        self.assertEqual((report.verdict, report.reason.code), ("UNKNOWN", "timeout"))

    def test_cancellation_from_another_thread(self):
        cancellation = ult.Cancellation()
        threading.Timer(0.3, cancellation.cancel).start()
        start = time.monotonic()
        report = ult.check(HARD, cancellation=cancellation)
        self.assertEqual((report.verdict, report.reason.code), ("UNKNOWN", "cancelled"))
        self.assertLess(time.monotonic() - start, 30)
        self.assertTrue(cancellation.cancelled)

    def test_ctrl_c(self):
        # Where the tests run in the background, a shell may have said that Ctrl-C is to be ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        threading.Timer(0.3, _thread.interrupt_main).start()
        with self.assertRaises(KeyboardInterrupt):
            ult.check(HARD)
        self.assertEqual(ult.check(SAFE).verdict, "SAFE")

    def test_other_threads_run_meanwhile(self):
        counted = 0
        done = threading.Event()

        def count():
            nonlocal counted
            while not done.is_set():
                counted += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        ult.check(HARD, timeout=0.5)
        done.set()
        thread.join()
        self.assertGreater(counted, 20)

    def test_several_at_once(self):
        verdicts = []
        threads = [
            threading.Thread(target=lambda text=text: verdicts.append(ult.check(text).verdict))
            for text in [SAFE, UNSAFE, SAFE, UNSAFE]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(verdicts), ["SAFE", "SAFE", "UNSAFE", "UNSAFE"])

    def test_progress(self):
        heard = []
        ult.check(SAFE, progress=lambda *told: heard.append(told))
        self.assertIn(("begins", "count", None), heard)
        self.assertEqual([told[2] for told in heard if told[0] != "begins"][-1], "SAFE")

    def test_a_progress_that_fails_ends_the_check(self):
        def fail(*_):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            ult.check(HARD, progress=fail)


@unittest.skipUnless(HAS_PROGRAM, "the program `ult` is not here")
class Files(unittest.TestCase):
    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_c(self):
        text = "#include <assert.h>\nint main(int argc) { assert(argc != 7); }\n"
        report = ult.check(text, "c")
        self.assertEqual(report.verdict, "UNSAFE")
        self.assertEqual(report.violations[0].place.line, 2)

    def test_a_file_with_options(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "-odd name.bpl")
            path.write_text(SAFE)
            self.assertEqual(ult.check_file(path).verdict, "SAFE")
            self.assertEqual(ult.check_file(path, "--modular", timeout=10).verdict, "UNKNOWN")
            with self.assertRaisesRegex(RuntimeError, "--nonsense"):
                ult.check_file(path, "--nonsense")
            with self.assertRaisesRegex(RuntimeError, "cannot read"):
                ult.check_file(path / "none")

    def test_cancellation(self):
        cancellation = ult.Cancellation()
        threading.Timer(0.5, cancellation.cancel).start()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "hard.bpl")
            path.write_text(HARD)
            report = ult.check_file(path, cancellation=cancellation)
        self.assertEqual((report.verdict, report.reason.code), ("UNKNOWN", "cancelled"))


@unittest.skipUnless(BOOK, "the book is not here")
class Book(unittest.TestCase):
    """The page's Python is run, block after block as in a notebook. Below `<!-- python -->` is what was printed since."""

    def test_page(self):
        text = Path(BOOK, "howto/python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"(<!-- python -->\n)?```(python|text)\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 6)
        cells, printed = {}, io.StringIO()
        for is_output, language, content in blocks:
            if language == "python":
                with contextlib.redirect_stdout(printed):
                    exec(compile(content, "python.md", "exec"), cells)
            elif is_output:
                self.assertEqual(printed.getvalue(), content)
                printed = io.StringIO()
        self.assertEqual(printed.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
