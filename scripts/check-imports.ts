import { join } from "node:path";
import {
  type Arrow,
  arrowsBetweenRooms,
  domainPackages,
  filePart,
  importProblem,
  isTables,
  storeyIndex,
} from "./imports/rules.ts";
import { readSources, type Source } from "./imports/source.ts";

// `node scripts/check-imports.ts`: prints forbidden imports and writes to another room's tables. Exit code 1 if there are any.

type Violation = { file: string; problem: string };

/** Everything under `root` that breaks the layout's rules: imports, storeys, writes to a foreign table, cycles. */
export function findViolations(root: string): Violation[] {
  const sources = readSources(root);
  return [
    ...sources.flatMap(importViolations),
    ...storeyViolations(sources),
    ...foreignWrites(sources),
    ...cycles(sources),
    ...largeCycles(sources),
  ];
}

function importViolations({ file, imports }: Source): Violation[] {
  return imports.flatMap(({ specifier, file: imported, isTypeOnly }) => {
    if (imported !== null) {
      const reason = importProblem(file, imported, isTypeOnly);
      return reason ? [{ file, problem: `imports ${imported}: ${reason}` }] : [];
    }
    const isUnknownPackage = filePart(file).kind === "domain" && !domainPackages.includes(specifier);
    return isUnknownPackage
      ? [{ file, problem: `imports ${specifier}: domain takes no package but the schema library` }]
      : [];
  });
}

/** Rooms without a storey, imports of a higher storey, and cycles of imports within a storey. */
function storeyViolations(sources: readonly Source[]): Violation[] {
  const parts = sources.map(({ file }) => filePart(file));
  const rooms = new Set(parts.flatMap((part) => (part.kind === "room" ? [part.name] : [])));
  const roomsWithoutStorey = [...rooms].filter((room) => storeyIndex(room) === -1);
  if (roomsWithoutStorey.length > 0) {
    return roomsWithoutStorey.map((room) => ({
      file: `server/${room}`,
      problem: "has no storey in the import rules",
    }));
  }

  const arrows = arrowsBetweenRooms(sources);
  const importsWithinStorey = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    if (storeyIndex(from) !== storeyIndex(to)) continue;
    importsWithinStorey.set(from, (importsWithinStorey.get(from) ?? new Set()).add(to));
  }
  const isUpward = ({ from, to }: Arrow) => storeyIndex(to) > storeyIndex(from);
  const isInCycle = ({ from, to }: Arrow) =>
    storeyIndex(to) === storeyIndex(from) && reachableFrom(to, importsWithinStorey).has(from);
  return arrows
    .filter((arrow) => isUpward(arrow) || isInCycle(arrow))
    .map((arrow) => ({
      file: arrow.file,
      problem: `imports ${arrow.imported}: ${arrow.to} is ${isUpward(arrow) ? "above" : "in a cycle with"} ${arrow.from}`,
    }));
}

function reachableFrom(start: string, imports: Map<string, Set<string>>): Set<string> {
  const reached = new Set([start]);
  // Iterating a set includes entries that are added in the meantime.
  for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next);
  return reached;
}

/** Only the room that owns a table writes it, by Drizzle or in SQL. */
function foreignWrites(sources: Source[]): Violation[] {
  const ownerBySqlName = new Map<string, string>();
  for (const { file, code } of sources.filter(({ file }) => isTables(file))) {
    for (const [, name = ""] of code.matchAll(/\bpgTable\(\s*["'](\w+)["']/g))
      ownerBySqlName.set(name, fileRoom(file));
  }
  return sources
    .filter(({ file }) => filePart(file).kind !== "test")
    .flatMap(({ file, code, imports }) => {
      const foreignNames = imports
        .filter(
          ({ file: imported }) =>
            imported !== null && isTables(imported) && fileRoom(imported) !== fileRoom(file),
        )
        .flatMap(({ names }) => names);
      const byName = foreignNames.filter((name) =>
        new RegExp(`\\.(insert|update|delete)\\(\\s*${name}\\b|${sqlWrite}\\$\\{\\s*${name}\\b`, "i").test(
          code,
        ),
      );
      const bySqlName = [...code.matchAll(new RegExp(`${sqlWrite}"?(\\w+)\\b`, "gi"))]
        .map(([, name = ""]) => name)
        .filter((name) => (ownerBySqlName.get(name) ?? fileRoom(file)) !== fileRoom(file));
      return [...byName, ...bySqlName].map((name) => ({ file, problem: `writes the foreign table ${name}` }));
    });
}

const sqlWrite = "\\b(?:insert\\s+into|update|delete\\s+from)\\s+";

function fileRoom(file: string): string {
  const part = filePart(file);
  return part.kind === "room" ? part.name : part.kind;
}

/** Cycles of value imports; type imports are erased at run time. */
function cycles(sources: Source[]): Violation[] {
  const importsByFile = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports.flatMap(({ file: imported, isTypeOnly }) =>
        imported !== null && !isTypeOnly ? [imported] : [],
      ),
    ]),
  );
  const violations: Violation[] = [];
  const finished = new Set<string>();

  function visit(file: string, path: string[]) {
    if (path.includes(file)) {
      const cycle = [...path.slice(path.indexOf(file)), file];
      violations.push({ file, problem: `imports itself: ${cycle.join(" -> ")}` });
      return;
    }
    if (finished.has(file)) return;
    for (const imported of importsByFile.get(file) ?? []) visit(imported, [...path, file]);
    finished.add(file);
  }

  for (const file of importsByFile.keys()) visit(file, []);
  return violations;
}

/** Maximum number of files that may import each other, types included: more cannot be understood one by one. */
const maxCycleLength = 4;

/** Larger cycles of files; each is reported once. */
function largeCycles(sources: readonly Source[]): Violation[] {
  const importsByFile = new Map(
    sources.map(({ file, imports }) => [file, new Set(imports.flatMap(({ file }) => file ?? []))]),
  );
  const reachableByFile = new Map(
    [...importsByFile.keys()].map((file) => [file, reachableFrom(file, importsByFile)]),
  );
  return [...reachableByFile].flatMap(([file, reachable]) => {
    const cycle = [...reachable].filter((other) => reachableByFile.get(other)?.has(file)).sort();
    const problem = `is in a cycle of ${cycle.length} files, types included: ${cycle.join(", ")}`;
    return cycle.length > maxCycleLength && cycle[0] === file ? [{ file, problem }] : [];
  });
}

if (import.meta.main) {
  const violations = findViolations(join(import.meta.dirname, ".."));
  for (const { file, problem } of violations) console.error(`${file}: ${problem}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
