import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

const folder = join(import.meta.dirname, "../../deploy/observability");

test.skipIf(spawnSync("promtool", ["--version"]).error)(
  "each alert fires when it should, and none fires for a healthy shop (needs promtool)",
  () => {
    execFileSync("promtool", ["test", "rules", "rules.test.yaml"], { cwd: folder, stdio: "pipe" });
  },
);
