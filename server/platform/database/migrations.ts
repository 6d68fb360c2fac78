import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

export const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

type Recorded = {
  /** When it was generated (ms), by which databases record it. */
  when: number;
  hash: string;
};

export type Migration = Recorded & {
  /** Such as `0042_declined_cards`. */
  name: string;
  number: number;
  statements: string[];
  /** Runs statement by statement, since PostgreSQL builds an index concurrently outside a transaction only. */
  isOutsideTransaction: boolean;
  /** The migration without which no program can work with the schema any more; null: all programs still can. */
  required: Recorded | null;
};

const journalSchema = v.object({
  entries: v.array(v.object({ idx: v.number(), when: v.number(), tag: v.string() })),
});

/** All migrations of a program, the baseline first, with what their marker comments say (see CONTRIBUTING.md). */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const journal: unknown = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  const byNumber = new Map<number, Recorded>();
  return v.parse(journalSchema, journal).entries.map(({ idx, when, tag: name }) => {
    const text = readFileSync(join(folder, `${name}.sql`), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    byNumber.set(idx, { when, hash });
    // Every program needs the baseline, so that those from before it refuse the database.
    const oldestProgram = idx === 0 ? 0 : /^-- oldest-program: (\d+)$/m.exec(text)?.[1];
    const required = oldestProgram === undefined ? null : byNumber.get(Number(oldestProgram));
    if (required === undefined) throw new Error(`${name} needs a migration ${oldestProgram} before it`);
    return {
      name,
      number: idx,
      when,
      hash,
      statements: statementsOf(text),
      isOutsideTransaction: /^-- outside-transaction$/m.test(text),
      required,
    };
  });
}

export function statementsOf(text: string): string[] {
  return text.split("--> statement-breakpoint");
}
