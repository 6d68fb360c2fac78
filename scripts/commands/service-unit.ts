import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Settings needed to run a command as the service. */
type ServiceUnit = {
  user: string;
  workingDirectory: string;
  environment: Record<string, string>;
};

const unitFolders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"];

/**
 * Reads account, folder and environment of a service from its unit, the drop-ins of `systemctl edit` and the environment
 * files they name. Reads files instead of asking systemd, so that it works while systemd does not run: in a rescue shell,
 * or during the build of an image. Returns null if there is no such unit.
 */
export function readServiceUnit(name: string, folders: string[] = unitFolders): ServiceUnit | null {
  const unit = folders.map((folder) => `${folder}/${name}.service`).find((file) => existsSync(file));
  if (unit === undefined) return null;
  const dropIns = folders
    .toReversed()
    .map((folder) => `${folder}/${name}.service.d`)
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => [file, `${folder}/${file}`] as const))
    .filter(([file]) => file.endsWith(".conf"));
  // A drop-in in /etc replaces one of the same name elsewhere; all are applied in the order of their names.
  const dropInPaths = [...new Map(dropIns)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
  const lines = [unit, ...dropInPaths].flatMap((file) => serviceLines(readFileSync(file, "utf8")));

  const lastValue = (key: string, fallback: string) =>
    lines.findLast((line) => line.key === key)?.value || fallback;
  const assignments = findValues(lines, "Environment").flatMap(splitWords).map(parseAssignment);
  const fromFiles = findValues(lines, "EnvironmentFile").flatMap((value) => {
    const path = value.replace(/^-/, "");
    if (value.startsWith("-") && !existsSync(path)) return [];
    return parseEnvironmentFile(readFileSync(path, "utf8"));
  });
  return {
    user: lastValue("User", "root"),
    workingDirectory: lastValue("WorkingDirectory", "/"),
    // As in systemd.exec(5): environment files take precedence over Environment=.
    environment: Object.fromEntries([...assignments, ...fromFiles]),
  };
}

/** The assignments of the section [Service], with continued lines joined. */
function serviceLines(text: string): { key: string; value: string }[] {
  const lines: { key: string; value: string }[] = [];
  let section = "";
  for (const line of text.replace(/\\\n/g, " ").split("\n")) {
    section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1] ?? section;
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section === "Service" && key !== undefined && value !== undefined) lines.push({ key, value });
  }
  return lines;
}

/** All values of a setting that can be repeated; an empty one discards earlier ones. */
function findValues(lines: { key: string; value: string }[], key: string): string[] {
  const values = lines.filter((line) => line.key === key).map(({ value }) => value);
  return values.slice(values.lastIndexOf("") + 1);
}

/** Splits the value of `Environment=` at spaces outside quotes. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|\\(.)/g, (_, double, single, escaped) =>
      escaped === undefined ? (double ?? single).replace(/\\(.)/g, "$1") : escaped,
    ),
  );
}

function parseAssignment(word: string): [string, string] {
  const end = word.indexOf("=");
  return end === -1 ? [word, ""] : [word.slice(0, end), word.slice(end + 1)];
}

/**
 * Parses a file of `EnvironmentFile=` by systemd's rules, which differ from those of `.env`: `;` also starts a comment, and
 * a `#` within a line does not.
 */
export function parseEnvironmentFile(text: string): [string, string][] {
  const variables: [string, string][] = [];
  const linePattern =
    /[ \t]*(?:[#;][^\n]*|([A-Za-z_]\w*)[ \t]*=[ \t]*((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\n\\"'])*)|[^\n]*)(?:\n|$)/sy;
  while (linePattern.lastIndex < text.length) {
    const [, name, value = ""] = linePattern.exec(text) ?? [];
    if (name !== undefined) variables.push([name, unquote(value)]);
  }
  return variables;
}

function unquote(value: string): string {
  return value
    .replace(/[ \t\r]+$/, "")
    .replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) => {
        if (single !== undefined) return single;
        if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
        // Within double quotes a backslash escapes only these, as in a shell.
        return (double ?? "").replace(/\\\n/g, "").replace(/\\(["\\`$])/g, "$1");
      },
    );
}
