import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { openTestShop, type TestShop } from "../../test/shop.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "deploy/observability");
const readExample = (name: string) => readFileSync(join(folder, name), "utf8");
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
const rules = (parse(readExample("rules.yaml")) as Rules).groups.flatMap((group) => group.rules);

describe("the examples for Prometheus and Grafana", () => {
  let shop: TestShop;
  let metrics: Set<string>;
  beforeAll(async () => {
    shop = await openTestShop();
    const text = await (await shop.app.request("/metrics")).text();
    metrics = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = "", kind]) =>
        kind === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
  });
  afterAll(() => shop.stop());

  test.each([
    ["alerts", rules.map(({ expr }) => expr)],
    [
      "the dashboard",
      [...readExample("dashboard.json").matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, e]) => e ?? ""),
    ],
  ])("%s use only metrics that the shop has", (_, expressions) => {
    const metricNames = expressions.flatMap((expression) =>
      [...expression.matchAll(/(\w+)\{/g)].map(([, name = ""]) => name).filter((name) => name !== "up"),
    );
    expect(metricNames.length).toBeGreaterThan(15);
    expect(metricNames.filter((name) => !metrics.has(name))).toEqual([]);
  });
});

test("each alert has a section in the operator's handbook and a test", () => {
  const handbook = readFileSync(join(root, "docs/operating.md"), "utf8");
  const { tests } = parse(readExample("rules.test.yaml")) as { tests: { name: string }[] };
  for (const { alert } of rules) {
    expect(handbook, alert).toContain(`### ${alert}\n`);
    expect(tests.map(({ name }) => name)).toContain(alert);
  }
});
