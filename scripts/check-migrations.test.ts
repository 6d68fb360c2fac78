import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrationsFolder } from "../server/platform/database/migrations.ts";
import { checkMigrations } from "./check-migrations.ts";

const folder = mkdtempSync(join(tmpdir(), "palmira-migrations-"));
const journal = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8"));
const { idx, when } = journal.entries.at(-1);
const name = `${String(idx + 1).padStart(4, "0")}_tried`;
cpSync(join(migrationsFolder, "meta"), join(folder, "meta"), { recursive: true });
// Only the tested migration: the shop's own migrations are checked before every run of the tests.
writeFileSync(
  join(folder, "meta/_journal.json"),
  JSON.stringify({ entries: [{ idx: idx + 1, when: when + 1, tag: name }] }),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** Problems reported for a migration of these statements. */
function migrationProblems(...statements: string[]): string[] {
  writeFileSync(join(folder, `${name}.sql`), statements.join(";--> statement-breakpoint\n"));
  return checkMigrations(folder, idx);
}

test("additions are accepted", () => {
  const statements = [
    "create table extra (id int primary key, order_id uuid not null, constraint positive check (id > 0))",
    "alter table extra add constraint extra_order foreign key (order_id) references orders (id)",
    "create unique index extra_order_id on extra (order_id)",
    "alter table orders add column more int not null default 0",
    "create or replace function f() returns trigger language plpgsql as $$ begin drop table x; end $$",
  ];
  expect(migrationProblems(...statements)).toEqual([]);
});

test.each([
  ["alter table orders drop column email", "ban-drop-column"],
  ["drop table refunds", "ban-drop-table"],
  ["alter table orders rename column email to mail", "renaming-column"],
  ["alter table orders rename to purchases", "renaming-table"],
  ["alter table orders add column more int not null", "adding-required-field"],
  ["alter table orders alter column email type varchar(9)", "changing-column-type"],
  ["alter table orders alter column email set not null", "may write null"],
  ["alter table orders add constraint c check (number > 0) not valid", "a new CHECK refuses"],
  ["drop function f()", "may use it"],
])(
  "%s is accepted only with a comment that names the oldest program that may still run",
  (statement, problem) => {
    expect(migrationProblems(statement)).toContainEqual(expect.stringContaining(problem));
    expect(migrationProblems(`-- oldest-program: ${name.slice(0, 4)}\n${statement}`)).toEqual([]);
  },
);

test.each([
  ["create index extra on orders (email)", "require-concurrent-index-creation"],
  ["create index concurrently if not exists extra on orders (email)", "outside a transaction"],
  ["-- outside-transaction\ncreate index concurrently extra on orders (email)", "prefer-robust-stmts"],
  ["alter table orders add constraint c foreign key (email) references visitors (id)", "foreign-key"],
  ["-- oldest-programme: 0043\nselect 1", "not a marker"],
])("a migration with this statement is refused: %s", (statement, problem) => {
  expect(migrationProblems(statement)).toContainEqual(expect.stringContaining(problem));
});

test("outdated snapshots of the schema are reported", () => {
  const [newestSnapshot] = readdirSync(join(folder, "meta")).filter((file) =>
    file.endsWith("_snapshot.json"),
  );
  writeFileSync(join(folder, `meta/${name.slice(0, 4)}_snapshot.json`), "{}");
  expect(migrationProblems("select 1")).toEqual([`meta/${newestSnapshot}: only the newest snapshot is kept`]);
  rmSync(join(folder, `meta/${name.slice(0, 4)}_snapshot.json`));
});

test("an index on a table with rows is accepted only if built concurrently, in a separate file", () => {
  expect(
    migrationProblems(
      "-- outside-transaction\ncreate index concurrently if not exists extra on orders (email)",
    ),
  ).toEqual([]);
});
