import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as v from "valibot";
import { type Migration, migrationsFolder, readMigrations } from "../server/platform/database/migrations.ts";

/** Squawk's rules against changes that break the previous version; a migration that names its oldest program is exempt. */
const breakingRules = [
  "adding-not-nullable-field",
  "adding-required-field",
  "ban-drop-column",
  "ban-drop-not-null",
  "ban-drop-table",
  "changing-column-type",
  "disallowed-unique-constraint",
  "renaming-column",
  "renaming-table",
];
/** Squawk's rules that do not apply: the migrator sets timeouts, and Drizzle determines column types. */
const unwantedRules = [
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  "prefer-identity",
  "prefer-text-field",
  "require-lock-timeout",
  "require-statement-timeout",
  "require-timeout-settings",
];
/** Does not apply in a transaction, where a failed migration is rolled back and need not be repeatable. */
const repeatableRule = "prefer-robust-stmts";

/** Statements that break the previous version and that Squawk accepts. */
const breakingStatements = [
  {
    problem: "a new CHECK refuses what the previous version may write",
    pattern: /\badd (constraint \S+ )?check\b/,
  },
  { problem: "the previous version may write null", pattern: /\bset not null\b/ },
  { problem: "the previous version may rely on the default", pattern: /\bdrop default\b/ },
  { problem: "`on conflict` may need the constraint", pattern: /\bdrop constraint\b/ },
  {
    problem: "the previous version may use it",
    pattern: /^drop (function|procedure|view|type|domain|sequence|schema)\b/,
  },
  { problem: "the previous version knows the old name", pattern: /\brename (to|value)\b/ },
  { problem: "the previous version may insert the same twice", pattern: /^create unique index\b/ },
];

/**
 * Number of the last migration of 1.0.0, the first release; null until it is released. Migrations up to it may rename and
 * drop, because no released version runs on a database that they have changed.
 */
const lastOfFirstRelease: number | null = null;

/** Problems of the migrations in a folder; those after number `lastExempt` must keep the previous version working. */
export function checkMigrations(folder = migrationsFolder, lastExempt = lastOfFirstRelease): string[] {
  const migrations = readMigrations(folder).map((migration) => ({
    ...migration,
    mayBreak: migration.required !== null || lastExempt === null || migration.number <= lastExempt,
  }));
  const isInOrder = migrations.every(({ when }, index) => when > (migrations[index - 1]?.when ?? 0));
  return [
    ...(isInOrder ? [] : ["the journal's times do not grow from migration to migration"]),
    ...migrations.flatMap((migration) => [...checkStatements(migration), ...squawk(migration, folder)]),
    ...checkSnapshots(folder),
  ];
}

/** `drizzle-kit generate` compares with the newest snapshot alone. */
function checkSnapshots(folder: string): string[] {
  const snapshots = readdirSync(join(folder, "meta")).filter((name) => name.endsWith("_snapshot.json"));
  return snapshots
    .toSorted()
    .slice(0, -1)
    .map((name) => `meta/${name}: only the newest snapshot is kept`);
}

type CheckedMigration = Migration & { mayBreak: boolean };

function checkStatements({ name, statements, mayBreak, isOutsideTransaction }: CheckedMigration): string[] {
  const text = statements.join("");
  const createdTables = [...text.matchAll(/^create table (?:if not exists )?("?\w+"?)/gim)].map(
    ([, table]) => table,
  );
  const problems = [...text.matchAll(/^--\s*(?:oldest|outside).*$/gim)]
    .map(([line]) => line)
    .filter((line) => !/^-- (oldest-program: \d{4}|outside-transaction)$/.test(line))
    .map((line) => `not a marker that the migrator knows: ${line}`);
  for (const statementText of statements) {
    // Function bodies are in dollar quotes.
    const plainText = statementText.replace(/\$(\w*)\$.*?\$\1\$/gs, "").replace(/^\s*--.*$/gm, "");
    for (const part of plainText.toLowerCase().split(";")) {
      const statement = part.trim().replace(/\s+/g, " ");
      if (!isOutsideTransaction && /^\w+ (unique )?index concurrently\b/.test(statement)) {
        problems.push(`works outside a transaction only: ${statement}`);
      }
      const table = /^(?:alter table (?:only )?|create unique index .*? on )("?\w+"?)/.exec(statement)?.[1];
      if (mayBreak || (table && createdTables.includes(table)) || /^-- still-works: \S/m.test(statementText))
        continue;
      for (const { problem, pattern } of breakingStatements) {
        if (pattern.test(statement)) problems.push(`${problem}: ${statement}`);
      }
    }
  }
  return problems.map((problem) => `${name}: ${problem}`);
}

const findingsSchema = v.array(v.object({ line: v.number(), rule_name: v.string(), message: v.string() }));

function squawk({ name, isOutsideTransaction, mayBreak }: CheckedMigration, folder: string): string[] {
  const excluded = [
    ...unwantedRules,
    ...(mayBreak ? breakingRules : []),
    ...(isOutsideTransaction ? [] : [repeatableRule]),
  ];
  const args = [
    join(folder, `${name}.sql`),
    "--reporter=json",
    "--pg-version=14.0",
    isOutsideTransaction ? "--no-assume-in-transaction" : "--assume-in-transaction",
    ...excluded.map((rule) => `--exclude=${rule}`),
  ];
  const program = findSquawk();
  if (program === null) return [];
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (error) throw error;
  if (!stdout) throw new Error(`squawk: ${stderr}`);
  return v
    .parse(findingsSchema, JSON.parse(stdout))
    .map(({ line, rule_name, message }) => `${name}:${line + 1}: ${rule_name}: ${message}`);
}

/** Null if there is no program for this kind of machine. */
function findSquawk(): string | null {
  const require = createRequire(import.meta.resolve("squawk-cli/package.json"));
  try {
    return require.resolve(`@squawk-cli/${process.platform}-${process.arch}/bin/squawk`);
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const problems = checkMigrations();
  for (const problem of problems) console.error(`db/migrations/${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
