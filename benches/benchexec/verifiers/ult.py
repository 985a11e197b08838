"""How BenchExec calls `ult` and reads its answers.

Use it as `tool="verifiers.ult"` in a benchmark definition, with the folder above this one in PYTHONPATH.
"""

import json

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# What each exit code of `ult check` stands for, as README.md lists them. A verdict counts only if both say it.
VERDICTS = {0: "SAFE", 1: "UNSAFE", 3: "REJECTED", 4: "UNKNOWN"}


class Tool(BaseTool2):
    """The program verifier `ult`."""

    def name(self):
        return "ult"

    def executable(self, tool_locator):
        return tool_locator.find_executable("ult")

    def version(self, executable):
        return self._version_from_tool(executable).removeprefix("ult ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", task.single_input_file]
        command += ["--format", "json", "--stats", *options]
        # It stops by itself just before it would be ended, and then says what it knows.
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--timeout" not in options:
            command += ["--timeout", str(seconds)]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(rlimits.memory // 1_000_000)]
        about = task.options if isinstance(task.options, dict) else {}
        if about.get("language") == "C":
            if task.property_file:
                command += ["--property", task.property_file]
            model = about.get("data_model")
            if model not in (None, "ILP32", "LP64"):
                raise UnsupportedFeatureException(f"data model {model}")
            if model and "--data-model" not in options:
                command += ["--data-model", model.lower()]
        return command

    def determine_result(self, run):
        if run.was_terminated:
            return result.RESULT_TIMEOUT if run.was_timeout else result.RESULT_ERROR
        code = run.exit_code.value
        if code is None:
            return f"ERROR (signal {run.exit_code.signal})"
        if code not in VERDICTS:
            return {5: "ERROR (solver)", 101: "ERROR (internal)"}.get(code, f"ERROR ({code})")
        report = report_in(run.output)
        if report is None:
            return "ERROR (no report)"
        if report.get("verdict") != VERDICTS[code]:
            return f"ERROR ({report.get('verdict')} with exit code {code})"
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 1:
            return result.RESULT_FALSE_PROP
        if code == 3:
            return "ERROR (rejected)"
        reason = (report.get("reason") or {}).get("code")
        special = {"timeout": result.RESULT_TIMEOUT, "memory": "OUT OF MEMORY"}
        return special.get(reason, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        """A field of the report, such as `reason.code` or `statistics.solver_calls`; of an object its keys."""
        value = report_in(output)
        for name in identifier.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, dict):
            return " ".join(value)
        return None if value is None else str(value)


def report_in(output):
    """The one report in the output of a run. What else is there are warnings; two reports are none."""
    lines = [line.rstrip("\r\n") for line in output]
    decoder = json.JSONDecoder()
    reports = []
    text = "\n".join(lines)
    at = 0
    while (at := text.find("{", at)) >= 0:
        if at > 0 and text[at - 1] != "\n":
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        if isinstance(value, dict) and value.get("tool") == "ult":
            reports.append(value)
    return reports[0] if len(reports) == 1 else None
