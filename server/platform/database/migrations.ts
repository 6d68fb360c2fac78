import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import * as v from "valibot";

export const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

type MigrationKey = {
  /** Time of generation (ms), by which databases record it. */
  when: number;
  hash: string;
};

export type Migration = MigrationKey & {
  /** Such as `0042_declined_cards`. */
  name: string;
  number: number;
  statements: string[];
  /** Runs statement by statement, since PostgreSQL builds an index concurrently outside a transaction only. */
  isOutsideTransaction: boolean;
  /** The migration that programs must include to work with the changed schema; null if all programs still can. */
  required: MigrationKey | null;
};

const journalSchema = v.object({
  entries: v.array(v.object({ idx: v.number(), when: v.number(), tag: v.string() })),
});

/** All migrations of a program with the contents of their marker comments, the baseline first (see CONTRIBUTING.md). */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const journal: unknown = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  const byNumber = new Map<number, MigrationKey>();
  return v.parse(journalSchema, journal).entries.map(({ idx, when, tag: name }) => {
    const text = readFileSync(join(folder, `${name}.sql`), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    byNumber.set(idx, { when, hash });
    // Programs must include the baseline, so that those from before it refuse the database.
    const oldestProgram = idx === 0 ? 0 : /^-- oldest-program: (\d+)$/m.exec(text)?.[1];
    const required = oldestProgram === undefined ? null : byNumber.get(Number(oldestProgram));
    if (required === undefined) throw new Error(`${name} needs a migration ${oldestProgram} before it`);
    return {
      name,
      number: idx,
      when,
      hash,
      statements: splitStatements(text),
      isOutsideTransaction: /^-- outside-transaction$/m.test(text),
      required,
    };
  });
}

export function splitStatements(text: string): string[] {
  return text.split("--> statement-breakpoint");
}

export type MigrationRecords = {
  /** Migrations that the database has, by their times. */
  applied: Set<number>;
  /** Migrations that a program must include to work with the database. */
  required: Set<number>;
};

type Client = pg.Pool | pg.ClientBase;

/**
 * `applied_migrations` has all migrations of the database. `__drizzle_migrations` has those that a program must include: every
 * version of the shop, including those before 1.0.0, refuses to start if it finds an unknown one there.
 */
export async function readRecords(client: Client): Promise<MigrationRecords> {
  const { rows } = await client.query<{ has_required: boolean; has_applied: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as has_required,
      to_regclass('drizzle.applied_migrations') is not null as has_applied`,
  );
  const read = async (exists: boolean | undefined, table: string) => {
    if (!exists) return [];
    const { rows } = await client.query<{ created_at: string }>(`select created_at from drizzle.${table}`);
    return rows.map((row) => Number(row.created_at));
  };
  const required = await read(rows[0]?.has_required, "__drizzle_migrations");
  const applied = await read(rows[0]?.has_applied, "applied_migrations");
  return { required: new Set(required), applied: new Set([...required, ...applied]) };
}

/** The names of the database's migrations, oldest first. */
export async function appliedMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from drizzle.applied_migrations order by created_at",
  );
  return rows.map(({ name }) => name);
}

export async function createRecords(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    );
    create table if not exists drizzle.applied_migrations (
      created_at bigint primary key, name text not null, hash text not null, applied_at timestamptz not null default now()
    )`);
}

export async function recordMigration(
  client: pg.ClientBase,
  { when, name, hash, required }: Pick<Migration, "when" | "name" | "hash" | "required">,
): Promise<void> {
  await client.query(
    "insert into drizzle.applied_migrations (created_at, name, hash) values ($1, $2, $3) on conflict do nothing",
    [when, name, hash],
  );
  if (required === null) return;
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
      select $1::text, $2::bigint
      where not exists (select from drizzle.__drizzle_migrations where created_at = $2)`,
    [required.hash, required.when],
  );
}
