import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Locked = { optionalDependencies?: Record<string, string> };

test("the lock lists the packages of every kind of machine, without which `npm ci` refuses it", () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8"));
  const packages: Record<string, Locked> = lock.packages;

  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );

  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
