import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { StartProblem } from "../process/start-problem.ts";
import {
  createRecords,
  type Migration,
  type MigrationRecords,
  readMigrations,
  recordMigration,
  splitStatements,
} from "./migrations.ts";

/** A schema from before the baseline that this program can take over, named after its last migration. */
export type EarlierState = {
  name: string;
  /** Time by which databases record that migration. */
  when: number;
  /** The program that brings a database to this state. */
  program: string;
  /** The scripts in `db/take-over` that migrate it to the baseline, in order. */
  forwards: readonly string[];
  /** The scripts that turn an empty baseline database into this state. */
  backwards: readonly string[];
};

/** Oldest first. */
export const earlierStates: readonly EarlierState[] = [
  {
    name: "0087_refunds_of_late_changes",
    when: 1_795_407_414_634,
    program: "version 0.1.0 (commit 756ac6fa)",
    forwards: ["0087-to-0098.sql", "0098-to-baseline.sql"],
    backwards: ["baseline-to-0087.sql"],
  },
  {
    name: "0098_order_edits",
    when: 1_795_486_631_720,
    program: "the last version before 1.0.0 (commit acc2bb43)",
    forwards: ["0098-to-baseline.sql"],
    backwards: [],
  },
];

const folder = join(import.meta.dirname, "../../../db/take-over");

/** The statements that migrate a state to the baseline. */
export const statementsToBaseline = ({ forwards }: EarlierState) => forwards.flatMap(readScript);

const statementsFromBaseline = ({ backwards }: EarlierState) => backwards.flatMap(readScript);

function readScript(script: string): string[] {
  return splitStatements(readFileSync(join(folder, script), "utf8"));
}

/** All statements that name tables or functions of the current schema or an earlier state. */
export function statementsOfAllStates(): string[] {
  const migrations = readMigrations().flatMap(({ statements }) => statements);
  return [
    ...migrations,
    ...earlierStates.flatMap((state) => [...statementsToBaseline(state), ...statementsFromBaseline(state)]),
  ];
}

/**
 * The earlier state that a database is in, by its records; null if it is new or has the baseline. Throws StartProblem if it is
 * in another state, or if a newer program has changed it so that this one cannot work with it.
 */
export function findEarlierState(
  { applied, required }: MigrationRecords,
  knownMigrations: readonly Migration[],
): EarlierState | null {
  if (applied.size === 0) return null;
  const times = new Set(knownMigrations.map(({ when }) => when));
  const [baseline] = knownMigrations;
  if (baseline && applied.has(baseline.when)) {
    if ([...required].every((when) => times.has(when))) return null;
    throw new StartProblem(changedByNewer);
  }
  const newest = Math.max(...applied);
  const state = earlierStates.find(({ when }) => when >= newest);
  if (!state) throw new StartProblem(changedByNewer);
  if (state.when > newest)
    throw new StartProblem(`The database is ${notTakenOver(state)} Nothing was changed.`);
  return state;
}

const changedByNewer =
  "The database was changed by a newer version of the shop, so that this one cannot work with it. Start that version, or restore a backup from before it.";

/** The end of a sentence that says how to reach `next`, the state from which the database can be taken over. */
export function notTakenOver(next: EarlierState): string {
  return `from before 1.0.0, and of a state that this version does not take over. Start ${next.program} on it once, which brings it up to date; then start this version.`;
}

/** Brings a database from an earlier state to the baseline, in the caller's transaction. */
export async function takeOver(client: pg.ClientBase, state: EarlierState): Promise<void> {
  for (const statement of statementsToBaseline(state)) await client.query(statement);
  await recordTakeOver(client, readMigrations());
}

export async function recordTakeOver(client: pg.ClientBase, [baseline]: readonly Migration[]): Promise<void> {
  if (!baseline) throw new Error("there is no baseline");
  await client.query("delete from drizzle.__drizzle_migrations; delete from drizzle.applied_migrations");
  await recordMigration(client, baseline);
}

/** Creates the tables of an earlier state in an empty database, to restore a backup of it, in the caller's transaction. */
export async function createEarlierTables(client: pg.ClientBase, state: EarlierState): Promise<void> {
  const { name, when } = state;
  await createRecords(client);
  const baseline = readMigrations()[0]?.statements ?? [];
  for (const statement of [...baseline, ...statementsFromBaseline(state)]) await client.query(statement);
  await recordMigration(client, { name, when, hash: "", required: { when, hash: "" } });
}
