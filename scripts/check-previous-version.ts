import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { openPool } from "../server/platform/database/database.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { startPostgres } from "../server/platform/embedded-postgres/embedded-postgres.ts";
import { databaseSettings } from "../test/database-settings.ts";
import { withDatabase } from "../test/database-url.ts";

// Runs the integration tests of the previous version on a database migrated by this one, as happens during a rolling deploy
// and after one is rolled back. `npm run check:previous [commit] [-- arguments of Vitest]`; the default is the last tag. Takes
// minutes: the previous version is installed and built in a temporary folder.

/** Not run, because they compare the database with the schema that the previous version defines. */
const schemaTests = ["test/retention.test.ts", "test/database.test.ts"];

const root = join(import.meta.dirname, "..");
const [first, ...others] = process.argv.slice(2);
// Without a commit, the first argument is already one of Vitest: npm removes the `--`.
const [commit, vitestArguments] = first?.startsWith("-")
  ? [previousVersion(), [first, ...others]]
  : [first ?? previousVersion(), others];
const folder = mkdtempSync(join(tmpdir(), "palmira-previous-"));
const checkout = join(folder, "checkout");
const log = pino({ level: "silent" });

git("worktree", "add", "--detach", checkout, commit);
const postgres = await startPostgres({
  dataDir: folder,
  log,
  maxConnections: 100,
  settings: databaseSettings,
});
try {
  console.log(`Previous version: ${git("log", "-1", "--format=%h %s", commit)}`);
  install();
  // The template of all databases that the tests create.
  const pool = openPool(withDatabase(postgres.url, "template1"), log, { name: "palmira-tests", max: 2 });
  await migrate(pool, log);
  await pool.end();
  const excluded = schemaTests.map((file) => `--exclude=${file}`);
  process.exitCode = run(
    ["node_modules/vitest/vitest.mjs", "run", "--project", "integration", ...excluded, ...vitestArguments],
    { TEST_DATABASE_URL: postgres.url },
  );
} finally {
  await postgres.stop();
  git("worktree", "remove", "--force", checkout);
  rmSync(folder, { recursive: true, force: true });
}

function previousVersion(): string {
  const tag = spawnSync("git", ["describe", "--tags", "--abbrev=0", "HEAD^"], {
    cwd: root,
    encoding: "utf8",
  });
  if (tag.status !== 0) {
    console.error("No version was released before this one: npm run check:previous COMMIT");
    process.exit(1);
  }
  return tag.stdout.trim();
}

function install(): void {
  const readLock = (path: string) => readFileSync(join(path, "package-lock.json"), "utf8");
  if (readLock(root) === readLock(checkout)) {
    // Hard links are enough, because nothing writes to node_modules.
    execFileSync("cp", ["-al", join(root, "node_modules"), join(checkout, "node_modules")]);
  } else {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: checkout,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  if (run(["scripts/build.ts"]) !== 0) throw new Error("the previous version could not be built");
}

/** Runs a script of the previous version with its Node; returns the exit code. */
function run(script: string[], environment: Record<string, string> = {}): number {
  const node = join(checkout, "node_modules/.bin/node");
  const env = { ...process.env, ...environment };
  return spawnSync(node, script, { cwd: checkout, stdio: "inherit", env }).status ?? 1;
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}
