import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

type Import = {
  /** The import as written: `../platform/log.ts` or `valibot`. */
  specifier: string;
  /** Path from the root with its extension; null for a package. */
  file: string | null;
  isTypeOnly: boolean;
  /** Local names of the imported values and types. */
  names: string[];
};

export type Source = { file: string; code: string; imports: Import[] };

const folders = ["app", "domain", "emails", "server"];

/** The program's files under `root`, without comments. */
export function readSources(root: string): Source[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })).sort();
  const sourceFiles = new Set(files);
  return files.map((file) => {
    const code = withoutComments(readFileSync(join(root, file), "utf8"));
    return { file, code, imports: readImports(file, code, sourceFiles) };
  });
}

/** Matches strings first, so that the slashes of a URL in a string do not begin a comment. */
function withoutComments(code: string): string {
  const stringOrComment =
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return code.replace(stringOrComment, (_match, string: string | undefined) => string ?? "");
}

function readImports(file: string, code: string, sourceFiles: Set<string>): Import[] {
  const statement =
    /^[ \t]*(?:import|export)[ \t]+(type[ \t]+)?(?:([\w$*{][^;"'`=]*?)[ \t\n]*from[ \t]*)?["']([^"'\n]+)["']/gm;
  const call = /\bimport\(\s*["']([^"'\n]+)["']\s*\)/g;
  const specifiers = [
    ...code.matchAll(statement).map(([, type, clause = "", specifier = ""]) => ({
      specifier,
      isTypeOnly: type !== undefined,
      names: importedNames(clause),
    })),
    ...code.matchAll(call).map(([, specifier = ""]) => ({ specifier, isTypeOnly: false, names: [] })),
  ];
  return specifiers.map((entry) => ({ ...entry, file: resolveFile(file, entry.specifier, sourceFiles) }));
}

function importedNames(clause: string): string[] {
  return clause
    .replace(/[{}]/g, ",")
    .split(",")
    .map(
      (part) =>
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? "",
    )
    .map((name) => name.replace(/^type\s+/, "").trim())
    .filter((name) => name !== "");
}

function resolveFile(from: string, specifier: string, sourceFiles: Set<string>): string | null {
  if (!specifier.startsWith(".")) return null;
  const path = normalize(join(dirname(from), specifier));
  return (
    [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((file) => sourceFiles.has(file)) ?? path
  );
}
