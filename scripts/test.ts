import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";

type Step = { name: string; program: string; args?: string[]; environment?: Record<string, string> };

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "palmira-npm-test-"));
const { TEST_DATABASE_URL: otherDatabaseUrl, ...environment } = process.env;

/** All that has to hold before a change is good, quick checks first. */
const steps: Step[] = [
  { name: "page types", program: "node_modules/@react-router/dev/bin.cjs", args: ["typegen"] },
  { name: "types", program: "node_modules/typescript/bin/tsc", args: ["--noEmit"] },
  {
    name: "lint and format",
    program: "node_modules/@biomejs/biome/bin/biome",
    args: ["check", "--error-on-warnings", "."],
  },
  {
    name: "spelling",
    program: "node_modules/cspell/bin.mjs",
    args: ["lint", "--no-progress", "--no-summary", "--config", "cspell.json"],
  },
  { name: "import rules", program: "scripts/check-imports.ts" },
  { name: "build", program: "scripts/build.ts" },
  { name: "browser bundle", program: "scripts/check-bundle.ts" },
  vitest("unit and integration tests", "integration"),
  ...(otherDatabaseUrl
    ? [vitest("the same on TEST_DATABASE_URL", "integration", { TEST_DATABASE_URL: otherDatabaseUrl })]
    : []),
  vitest("end-to-end tests", "e2e"),
];

const failed = steps.find((step) => !passes(step));
const { passed, failed: failures } = countTests();
rmSync(scratch, { recursive: true });
// A failed step that is no test run counts as one failure.
console.log(`${passed} passed, ${failed ? Math.max(failures, 1) : failures} failed`);
process.exitCode = failed ? 1 : 0;

function vitest(name: string, project: string, extra: Record<string, string> = {}): Step {
  const report = join(scratch, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return {
    name,
    program: "node_modules/vitest/vitest.mjs",
    args: ["run", "--project", project, ...reporters],
    environment: extra,
  };
}

/** Runs one step, saying how long it took, and shows its output if it fails. */
function passes({ name, program, args = [], environment: extra }: Step): boolean {
  const startedAt = performance.now();
  process.stdout.write(`${name} ... `);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...environment, ...extra },
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok" : "FAILED"} (${seconds} s)`);
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status === 0;
}

function countTests(): { passed: number; failed: number } {
  const reportSchema = v.object({ numPassedTests: v.number(), numFailedTests: v.number() });
  const reports = steps
    .map((step) => join(scratch, `${step.name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => v.parse(reportSchema, JSON.parse(readFileSync(file, "utf8"))));
  return {
    passed: reports.reduce((sum, report) => sum + report.numPassedTests, 0),
    failed: reports.reduce((sum, report) => sum + report.numFailedTests, 0),
  };
}
