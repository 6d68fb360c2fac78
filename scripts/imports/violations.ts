import { domainPackages, isTables, partOf, refusal } from "./rules.ts";
import { readSources, type Source } from "./source.ts";
import { storeyViolations } from "./storeys.ts";

export type Violation = { file: string; problem: string };

/** Everything under `root` that breaks the layout's rules: imports, storeys, writes to a foreign table, cycles. */
export function findViolations(root: string): Violation[] {
  const sources = readSources(root);
  return [
    ...sources.flatMap(foreignImports),
    ...storeyViolations(sources),
    ...foreignWrites(sources),
    ...cycles(sources),
  ];
}

function foreignImports({ file, imports }: Source): Violation[] {
  return imports.flatMap(({ specifier, file: imported, isTypeOnly }) => {
    if (imported !== null) {
      const reason = refusal(file, imported, isTypeOnly);
      return reason ? [{ file, problem: `imports ${imported}: ${reason}` }] : [];
    }
    const isForeign = partOf(file).kind === "domain" && !domainPackages.includes(specifier);
    return isForeign
      ? [{ file, problem: `imports ${specifier}: domain takes no package but the schema library` }]
      : [];
  });
}

/** Only the room that owns a table writes it, by Drizzle or in SQL. */
function foreignWrites(sources: Source[]): Violation[] {
  const ownerBySqlName = new Map<string, string>();
  for (const { file, code } of sources.filter(({ file }) => isTables(file))) {
    for (const [, name = ""] of code.matchAll(/\bpgTable\(\s*["'](\w+)["']/g))
      ownerBySqlName.set(name, roomOf(file));
  }
  return sources
    .filter(({ file }) => partOf(file).kind !== "test")
    .flatMap(({ file, code, imports }) => {
      const foreignNames = imports
        .filter((found) => found.file !== null && isTables(found.file) && roomOf(found.file) !== roomOf(file))
        .flatMap((found) => found.names);
      const byName = foreignNames.filter((name) =>
        new RegExp(`\\.(insert|update|delete)\\(\\s*${name}\\b|${sqlWrite}\\$\\{\\s*${name}\\b`, "i").test(
          code,
        ),
      );
      const bySqlName = [...code.matchAll(new RegExp(`${sqlWrite}"?(\\w+)\\b`, "gi"))]
        .map(([, name = ""]) => name)
        .filter((name) => (ownerBySqlName.get(name) ?? roomOf(file)) !== roomOf(file));
      return [...byName, ...bySqlName].map((name) => ({ file, problem: `writes the foreign table ${name}` }));
    });
}

const sqlWrite = "\\b(?:insert\\s+into|update|delete\\s+from)\\s+";

function roomOf(file: string): string {
  const part = partOf(file);
  return part.kind === "room" ? part.name : part.kind;
}

/** Type imports are erased at run time, so only value imports can form a circle. */
function cycles(sources: Source[]): Violation[] {
  const importsByFile = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports.flatMap((found) => (found.file !== null && !found.isTypeOnly ? [found.file] : [])),
    ]),
  );
  const circles: Violation[] = [];
  const finished = new Set<string>();

  function visit(file: string, path: string[]) {
    if (path.includes(file)) {
      const circle = [...path.slice(path.indexOf(file)), file];
      circles.push({ file, problem: `imports itself: ${circle.join(" -> ")}` });
      return;
    }
    if (finished.has(file)) return;
    for (const imported of importsByFile.get(file) ?? []) visit(imported, [...path, file]);
    finished.add(file);
  }

  for (const file of importsByFile.keys()) visit(file, []);
  return circles;
}
