import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Starts like main.ts and run.ts, and gets a signal while modules are loading, when no event is handled. */
const start = `
  import { shutdownOnSignal } from ${JSON.stringify(join(import.meta.dirname, "shutdown.ts"))};
  process.on("SIGTERM", () => process.exit(0));
  process.kill(process.pid, "SIGTERM");
  shutdownOnSignal({ info() {}, error: console.error }, 0);
  setTimeout(() => process.exit(3), 5_000);
`;

test("SIGTERM during the loading of modules ends the start with exit code 0", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", start], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

/** Runs a separate process: an unhandled rejection would end the tests' process as well. */
function runProgram(lines: string[]) {
  return spawnSync(process.execPath, ["--input-type=module", "--eval", lines.join("\n")], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
}

const rejectionScript = [
  'Promise.reject(new Error("slipped"));',
  'setTimeout(() => console.log("still here"), 20);',
];

test("an unhandled rejection is logged, and the process continues", () => {
  const { status, stdout } = runProgram([
    'import { logUnhandledRejections } from "./shutdown.ts";',
    "logUnhandledRejections({ error: ({ err }, words) => console.log(words, err.message) });",
    ...rejectionScript,
  ]);
  expect(status).toBe(0);
  expect(stdout).toBe("unhandled promise rejection slipped\nstill here\n");
});

test("without the handler, an unhandled rejection ends Node", () => {
  expect(runProgram(rejectionScript)).toMatchObject({ status: 1, stdout: "" });
});
