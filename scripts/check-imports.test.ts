import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findViolations } from "./check-imports.ts";

const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

function writeTree(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), "palmira-imports-"));
  trees.push(tree);
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), code);
  }
  return tree;
}

/** Violations as `file: problem`. */
const importProblems = (files: Record<string, string>) =>
  findViolations(writeTree(files)).map(({ file, problem }) => `${file}: ${problem}`);

const tables = {
  "server/orders/tables.ts": `export const orders = pgTable("orders", {});`,
  "server/catalog/tables.ts": `export const products = pgTable("products", {});`,
};

describe("imports that the layout forbids are reported", () => {
  test.each([
    ["domain", "domain/shared/money.ts", `import { log } from "../../server/platform/log.ts";`],
    ["platform", "server/platform/log.ts", `import { sell } from "../orders/commands.ts";`],
    ["a type in platform", "server/platform/log.ts", `import type { Order } from "../orders/commands.ts";`],
    ["a room above", "server/outbox/send.ts", `import { rate } from "../reviews/commands.ts";`],
    [
      "a type of a room above",
      "server/orders/queries.ts",
      `import type { Refund } from "../payments/refunds.ts";`,
    ],
    ["a room's code in tables", "server/orders/tables.ts", `import { statuses } from "./lifecycle.ts";`],
    [
      "a value of domain in tables",
      "server/orders/tables.ts",
      `import { max } from "../../domain/orders/order.ts";`,
    ],
    ["the gate", "server/orders/api.ts", `import { callRow } from "../http/gate.ts";`],
    ["a page", "app/routes/home.tsx", `import { sell } from "../../server/orders/commands.ts";`],
    ["a type in a page", "app/routes/home.tsx", `import type { Shop } from "../../server/shop.ts";`],
    [
      "a value in shop-context",
      "app/shop-context.ts",
      `import { createShop } from "../server/pages/shop.ts";`,
    ],
    ["what serves features", "server/orders/commands.ts", `import { createApp } from "../http/app.ts";`],
    ["the context's value", "server/orders/commands.ts", `import { openContext } from "../context.ts";`],
    ["a feature.ts", "server/orders/commands.ts", `import { cartFeature } from "../cart/feature.ts";`],
    ["a re-export", "domain/shared/money.ts", `export * from "../../server/pages/shop.ts";`],
    ["a dynamic import", "app/routes/home.tsx", `const shop = await import("../../server/shop.ts");`],
    [
      "an import over several lines",
      "domain/shared/money.ts",
      `import {\n  a,\n  b,\n} from "../../app/ui/price.tsx";`,
    ],
    ["test code", "server/orders/commands.ts", `import { factory } from "../../test/factories.ts";`],
    ["an e-mail", "emails/order.tsx", `import { sell } from "../server/orders/commands.ts";`],
  ])("%s", (_what, file, code) => {
    expect(importProblems({ [file]: code })).toEqual([expect.stringMatching(`^${file}: imports `)]);
  });

  test("a package in domain other than the schema library", () => {
    const code = `import * as v from "valibot";\nimport pg from "pg";`;

    expect(importProblems({ "domain/shared/money.ts": code })).toEqual([expect.stringMatching("imports pg")]);
  });
});

test("imports that the layout allows are not reported", () => {
  const problems = importProblems({
    ...tables,
    "server/payments/tables.ts": `import type { Kind } from "../../domain/payments/kind.ts";\nimport { orders } from "../orders/tables.ts";`,
    "app/shop-context.ts": `import type { Shop } from "../server/pages/shop.ts";`,
    "server/run.ts": `import { tasks } from "./orders/jobs.ts";`,
    "server/http/app.ts": `import { api } from "./orders/api.ts";`,
    "server/features.ts": `import { ordersFeature } from "./orders/feature.ts";`,
    "server/orders/api.ts": `import type { ShopContext } from "../context.ts";\nimport { route } from "../api-row.ts";`,
    "server/reviews/commands.ts": `import { findOrder } from "../orders/queries.ts";`,
    "server/reviews/queries.ts": `import { orders } from "../orders/tables.ts";\ndb.select().from(orders);`,
    "server/orders/commands.ts": `import { orders } from "./tables.ts";\ndb.update(orders);`,
    "server/orders/commands.test.ts": `import { products } from "../catalog/tables.ts";\ndb.insert(products);`,
    "domain/checkout/tax.ts": `// import { log } from "../../server/platform/log.ts";\n/*\nimport "../../server/pages/shop.ts"\n*/`,
  });

  expect(problems).toEqual([]);
});

describe("storeys", () => {
  const cycle = {
    "server/catalog/seed.ts": `import { addStock } from "../inventory/commands.ts";`,
    "server/inventory/commands.ts": `import { findProduct } from "../discounts/queries.ts";`,
    "server/discounts/queries.ts": `import type { Product } from "../catalog/queries.ts";`,
  };

  test("rooms of one storey must not import each other in a cycle", () => {
    expect(importProblems(cycle)).toEqual([
      "server/catalog/seed.ts: imports server/inventory/commands.ts: inventory is in a cycle with catalog",
      "server/discounts/queries.ts: imports server/catalog/queries.ts: catalog is in a cycle with discounts",
      "server/inventory/commands.ts: imports server/discounts/queries.ts: discounts is in a cycle with inventory",
    ]);
  });

  test("a room without a storey is reported", () => {
    const problems = importProblems({ "server/attic/queries.ts": "export const boxes = 3;" });

    expect(problems).toEqual(["server/attic: has no storey in the import rules"]);
  });
});

describe("a write to another room's table is reported", () => {
  test.each([
    ["insert", "db.insert(orders).values({})"],
    ["update over two lines", "db\n  .update(\n  orders)"],
    ["delete", "tx.delete(orders)"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code under test
    ["SQL with the table", "db.execute(sql`update ${orders} set status = 1`)"],
    ["SQL with the table's name", 'db.execute(sql`insert into "orders" values (1)`)'],
    ["deleting in SQL", "db.execute(sql`DELETE  FROM orders`)"],
  ])("%s", (_how, statement) => {
    const code = `import { orders } from "../orders/tables.ts";\n${statement};`;

    const problems = importProblems({ ...tables, "server/reviews/commands.ts": code });

    expect(problems).toEqual(["server/reviews/commands.ts: writes the foreign table orders"]);
  });

  test("also under an alias", () => {
    const code = `import { orders as sold } from "../orders/tables.ts";\ndb.insert(sold);`;

    const problems = importProblems({ ...tables, "server/admin/commands.ts": code });

    expect(problems).toEqual(["server/admin/commands.ts: writes the foreign table sold"]);
  });
});

test("a circular import is reported once; imports of types alone are not circular", () => {
  const problems = importProblems({
    "domain/a.ts": `import { b } from "./b.ts";`,
    "domain/b.ts": `import { c } from "./c.ts";`,
    "domain/c.ts": `import { a } from "./a.ts";`,
    "domain/d.ts": `import { e } from "./e.ts";`,
    "domain/e.ts": `import type { d } from "./d.ts";`,
  });

  expect(problems).toEqual([
    "domain/a.ts: imports itself: domain/a.ts -> domain/b.ts -> domain/c.ts -> domain/a.ts",
  ]);
});

test("a cycle of more than four files is reported once, even of types alone", () => {
  const importCircle = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `domain/${index}.ts`,
        `import type { next } from "./${(index + 1) % count}.ts";`,
      ]),
    );

  expect(importProblems(importCircle(4))).toEqual([]);
  expect(importProblems(importCircle(5))).toEqual([
    expect.stringMatching(/^domain\/0.ts: is in a cycle of 5 files/),
  ]);
});

test("server code in a browser bundle and a missing build are reported", () => {
  const check = (tree: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "check-bundle.ts"), tree], { encoding: "utf8" });
  const withoutServerCode = { "build/client/assets/root.js": `const a={node:1};export{a}` };
  const withServerCode = { "build/client/assets/root.js": `var k=Symbol.for("drizzle:entityKind")` };

  expect(check(writeTree(withoutServerCode)).status).toBe(0);
  expect(check(writeTree(withServerCode)).stderr).toMatch(/root\.js: contains code of drizzle-orm/);
  expect(check(writeTree({ "build/readme.txt": "" })).status).toBe(1);
});
