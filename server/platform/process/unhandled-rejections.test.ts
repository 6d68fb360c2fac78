import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Runs a separate process: an unhandled rejection would end the tests' process as well. */
function runProgram(lines: string[]) {
  return spawnSync(process.execPath, ["--input-type=module", "--eval", lines.join("\n")], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
}

const slip = ['Promise.reject(new Error("slipped"));', 'setTimeout(() => console.log("still here"), 20);'];

test("a promise that fails with nobody waiting is logged, and the process lives on", () => {
  const { status, stdout } = runProgram([
    'import { logUnhandledRejections } from "./unhandled-rejections.ts";',
    "logUnhandledRejections({ error: ({ err }, words) => console.log(words, err.message) });",
    ...slip,
  ]);
  expect(status).toBe(0);
  expect(stdout).toBe("unhandled promise rejection slipped\nstill here\n");
});

test("without that, Node ends", () => {
  expect(runProgram(slip)).toMatchObject({ status: 1, stdout: "" });
});
