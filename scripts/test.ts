import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";

type Step = { name: string; program: string; args?: string[]; environment?: Record<string, string> };

const { values: options } = parseArgs({
  options: { all: { type: "boolean" }, changed: { type: "boolean" } },
});
const root = join(import.meta.dirname, "..");
const caches = "node_modules/.cache";
const scratch = mkdtempSync(join(tmpdir(), "palmira-npm-test-"));
const { TEST_DATABASE_URL: externalDatabaseUrl, ...environment } = process.env;

/** With `--all`, random tests run longer, and a second accessibility engine checks the panel. */
const longTestSettings: Record<string, string> = options.all ? { FUZZ_RUNS: "16", LONGER: "1" } : {};

/** Checks that every change has to pass. The steps of a stage run in parallel. */
const stages: Step[][] = [
  [{ name: "page types", program: "node_modules/@react-router/dev/bin.cjs", args: ["typegen"] }],
  [
    { name: "import rules", program: "scripts/check-imports.ts" },
    { name: "migrations", program: "scripts/check-migrations.ts" },
    {
      name: "lint and format",
      program: "node_modules/@biomejs/biome/bin/biome",
      args: ["check", "--error-on-warnings", "."],
    },
    { name: "build", program: "scripts/build.ts" },
  ],
  // More steps in parallel than there are cores, because each waits for clocks, mail or processes at times.
  [
    {
      name: "types",
      program: "node_modules/typescript/bin/tsc",
      args: ["--noEmit", "--checkers", "1", "--incremental", "--tsBuildInfoFile", `${caches}/types.json`],
    },
    {
      name: "spelling",
      program: "node_modules/cspell/bin.mjs",
      args: [
        "lint",
        "--no-progress",
        "--no-summary",
        "--config=cspell.json",
        "--cache",
        "--cache-strategy=content",
        `--cache-location=${caches}/spelling`,
      ],
    },
    vitest("unit tests", "unit", 1),
    { name: "browser bundle", program: "scripts/check-bundle.ts" },
    // With two workers, these took two minutes longer than the browser tests, and a core was idle for most of that time.
    vitest("integration tests", "integration", 3, { environment: longTestSettings }),
    ...(options.changed && !touchesPages()
      ? []
      : [vitest("browser tests", "e2e", 2, { runsAll: true, retries: 1, environment: longTestSettings })]),
  ],
  ...(externalDatabaseUrl
    ? [
        [
          vitest("integration tests on TEST_DATABASE_URL", "integration", 2, {
            environment: { TEST_DATABASE_URL: externalDatabaseUrl },
          }),
        ],
      ]
    : []),
  ...(options.all && externalDatabaseUrl
    ? [
        [
          vitest("failure tests on TEST_DATABASE_URL", "trouble", 2, {
            environment: { TEST_DATABASE_URL: externalDatabaseUrl },
            files: [".trouble.test.ts"],
          }),
        ],
      ]
    : []),
  ...(options.all
    ? [
        [
          vitest("failure tests", "trouble", 2),
          { name: "drill", program: "drill/main.ts", args: ["--short", "--embedded"] },
        ],
      ]
    : []),
];

let hasFailed = false;
for (const stage of stages) {
  if (hasFailed) break;
  hasFailed = (await Promise.all(stage.map(runStep))).includes(false);
}
const { passed, unstable, failed } = readReports();
rmSync(scratch, { recursive: true });
for (const { name, problem } of unstable)
  console.log(`UNSTABLE: ${name} passed only when retried:\n${problem}`);
for (const name of failed) console.log(`FAILED: ${name}`);
// A failed step without tests counts as one failure.
console.log(`${passed} passed, ${hasFailed ? Math.max(failed.length, 1) : 0} failed`);
process.exitCode = hasFailed ? 1 : 0;

/**
 * With `--changed`, runs only the tests that import files changed since main, unless `runsAll` is set. A test that passes only
 * when retried is reported.
 */
function vitest(
  name: string,
  project: string,
  workers: number,
  {
    environment,
    files = [],
    runsAll = false,
    retries = 0,
  }: {
    environment?: Record<string, string>;
    files?: string[];
    runsAll?: boolean;
    retries?: number;
  } = {},
): Step {
  const changedOptions = options.changed && !runsAll ? ["--changed=main", "--passWithNoTests"] : [];
  const report = join(scratch, `${name}.json`);
  const reporters = ["--reporter=minimal", "--reporter=json", `--outputFile.json=${report}`];
  return {
    name,
    program: "node_modules/vitest/vitest.mjs",
    args: [
      "run",
      ...files,
      "--project",
      project,
      `--maxWorkers=${workers}`,
      `--retry=${retries}`,
      ...changedOptions,
      ...reporters,
    ],
    ...(environment && { environment }),
  };
}

/** Whether the change can affect pages: browser tests do not import the files they test. */
function touchesPages(): boolean {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const files = [
    ...git("diff", "--name-only", "main..."),
    ...git("diff", "--name-only", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return files.some((file) => /^(app|content|e2e|public)\//.test(file));
}

/** Runs one step; prints its duration, and its output if it failed. Returns whether it passed. */
async function runStep({ name, program, args = [], environment: extra }: Step): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...environment, ...extra },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [status] = (await once(child, "close")) as [number | null];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${name} ... ${status === 0 ? "ok" : "FAILED"} (${seconds} s)`);
  if (status !== 0) console.log(output);
  return status === 0;
}

type Report = { passed: number; unstable: { name: string; problem: string }[]; failed: string[] };

/** Sums up the reports of the test runs. */
function readReports(): Report {
  const reportSchema = v.object({
    numPassedTests: v.number(),
    testResults: v.array(
      v.object({
        name: v.string(),
        status: v.string(),
        assertionResults: v.array(
          v.object({ status: v.string(), fullName: v.string(), failureMessages: v.array(v.string()) }),
        ),
      }),
    ),
  });
  const reports = stages
    .flat()
    .map((step) => join(scratch, `${step.name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => v.parse(reportSchema, JSON.parse(readFileSync(file, "utf8"))));
  return {
    passed: reports.reduce((sum, report) => sum + report.numPassedTests, 0),
    unstable: reports.flatMap(({ testResults }) =>
      testResults.flatMap(({ name: path, assertionResults }) =>
        assertionResults.flatMap(({ status, fullName, failureMessages: [problem] }) =>
          status === "passed" && problem ? [{ name: `${relative(root, path)}: ${fullName}`, problem }] : [],
        ),
      ),
    ),
    failed: reports.flatMap(({ testResults }) =>
      testResults.flatMap(({ name: path, status, assertionResults }) => {
        const file = relative(root, path);
        const tests = assertionResults.filter((test) => test.status === "failed");
        if (tests.length > 0) return tests.map(({ fullName }) => `${file}: ${fullName}`);
        // The file failed before its first test or after its last one.
        return status === "failed" ? [file] : [];
      }),
    ),
  };
}
