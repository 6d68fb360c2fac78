import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A start as main.ts and run.ts make it, during which a signal comes while modules are loaded: no event is handled then. */
const start = `
  import { shutdownOnSignal } from ${JSON.stringify(join(import.meta.dirname, "shutdown.ts"))};
  process.on("SIGTERM", () => process.exit(0));
  process.kill(process.pid, "SIGTERM");
  shutdownOnSignal({ info() {}, error: console.error }, 0);
  setTimeout(() => process.exit(3), 5_000);
`;

test("SIGTERM ends a start with 0 also while its modules are loaded", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", start], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
