import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arrowsBetweenRooms, storeys } from "./imports/rules.ts";
import { readSources, type Source } from "./imports/source.ts";

// `node scripts/draw-rooms.ts`: writes the chart of the rooms (the folders of server/) and the table of nouns (which room
// owns which noun of the shop's language) into docs/architecture.md. A test fails when they are out of date.

/** The rooms that each room imports, in the order of the storeys. */
function roomImports(sources: readonly Source[]): Map<string, string[]> {
  const arrows = arrowsBetweenRooms(sources);
  const rooms: string[] = storeys.flatMap(({ rooms }) => rooms);
  return new Map(
    rooms.map((room) => [
      room,
      rooms.filter((other) => arrows.some(({ from, to }) => from === room && to === other)),
    ]),
  );
}

/**
 * A Mermaid chart of the rooms by storey, the highest first. Arrows that follow from others are left out: a room may also
 * import everything below the rooms that it imports.
 */
function drawStoreys(sources: readonly Source[]): string {
  const imports = roomImports(sources);
  const reachableByRoom = new Map<string, Set<string>>();
  const reachableFrom = (room: string): Set<string> => {
    const cachedRooms = reachableByRoom.get(room);
    if (cachedRooms) return cachedRooms;
    const rooms = new Set<string>();
    reachableByRoom.set(room, rooms);
    for (const next of imports.get(room) ?? [])
      for (const reachable of [next, ...reachableFrom(next)]) rooms.add(reachable);
    return rooms;
  };
  const arrows = [...imports].flatMap(([room, direct]) =>
    direct
      .filter((next) => !direct.some((other) => other !== next && reachableFrom(other).has(next)))
      .map((next) => `  ${room} --> ${next}`),
  );
  const subgraphs = [...storeys.entries()]
    .reverse()
    .map(
      ([n, { name, rooms }]) => `  subgraph s${n + 1}["${n + 1} ${name}"]\n    ${rooms.join("; ")}\n  end`,
    );
  return ["```mermaid", "flowchart TB", ...subgraphs, ...arrows, "```"].join("\n");
}

/** Every room with all that it imports, by storey, the highest first. */
function listStoreys(sources: readonly Source[]): string {
  const imports = roomImports(sources);
  const lines = [...storeys.entries()]
    .reverse()
    .flatMap(([n, { name, rooms }]) => [
      `${n + 1}  ${name}`,
      ...rooms.map((room) => `   ${room.padEnd(18)} ${(imports.get(room) ?? []).join(" ")}`.trimEnd()),
    ]);
  return ["```", ...lines, "0  tables.ts of every room, server/platform", "```"].join("\n");
}

/** Roots with a folder for each noun. A noun is a room, which is a folder of `server/`; the other roots use the same names. */
const roots = ["server", "domain", "app/features", "app/features/admin"] as const;

/** Folders of the other roots that have no room of the same name, and what they contain. */
const foldersWithoutRoom: Record<string, string> = {
  account: "a buyer's page with their orders (room: orders) and data (privacy)",
  address: "address fields and their rules, shared by several nouns",
  home: "the home page, with products, reviews and texts",
  kit: "parts of the panel's pages",
  palette: "the panel's search (room: overview)",
  sessions: "the panel's page of open sessions (room: admin)",
  shared: "money, dates and texts, shared by all nouns",
  shell: "the frame of the panel's pages",
  shipping: "delivery rules: stored by settings, read by orders, checkout and pages",
};

/** E-mails are named by their content, so this lists the room that sends each. */
const emailsByRoom: Record<string, string[]> = {
  checkout: ["subscriptions"],
  contact: ["contact"],
  drafts: ["requests"],
  inventory: ["owner/alerts"],
  issues: ["owner/alerts"],
  newsletter: ["subscriptions"],
  "order-desk": ["order-updates", "owner/orders", "returns"],
  orders: ["order-confirmation", "order-updates", "owner/orders", "requests"],
  outbox: ["owner/alerts"],
  people: ["requests"],
  privacy: ["requests"],
  questions: ["contact"],
  "refill-reminders": ["subscriptions"],
  reviews: ["reviews"],
  "stock-alerts": ["subscriptions"],
};

function nounTable(root: string): string {
  const folders = roots.map((folder) => ({ root: folder, names: listFolders(join(root, folder)) }));
  const rooms = folders[0]?.names.filter((name) => name !== "platform") ?? [];
  const sharedNouns = rooms.filter(
    (room) => room in emailsByRoom || folders.slice(1).some(({ names }) => names.includes(room)),
  );
  const serverOnlyRooms = rooms.filter((room) => !sharedNouns.includes(room));
  const rows = [
    ["noun", ...roots.map((root) => `\`${root}/\``), "`emails/`"],
    ...sharedNouns.map((room) => [
      room,
      ...folders.map(({ names }) => (names.includes(room) ? "x" : "")),
      (emailsByRoom[room] ?? []).join(", "),
    ]),
  ];
  const widths = ["noun", ...roots, "emails"].map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [
    line(head),
    line(widths.map((width) => "-".repeat(width))),
    ...body.map(line),
    "",
    `In \`server/\` alone: ${serverOnlyRooms.join(", ")}.`,
    "",
    "Folders not named after a room:",
    "",
    ...Object.entries(foldersWithoutRoom).map(([name, contents]) => `- \`${name}\`: ${contents}`),
  ].join("\n");
}

/** E-mails missing in `emailsByRoom`, and names in it without an e-mail. */
export function unknownEmails(root: string): string[] {
  const files = globSync("{,owner/}*.tsx", { cwd: join(root, "emails") }).map((file) => file.slice(0, -4));
  const emails = files.filter((name) => name !== "index");
  const listedEmails = new Set(Object.values(emailsByRoom).flat());
  return [
    ...emails.filter((name) => !listedEmails.has(name)),
    ...[...listedEmails].filter((name) => !emails.includes(name)),
  ];
}

/** Folders of the other roots named in neither `server/` nor `foldersWithoutRoom`, and names in it without a folder. */
export function unknownNouns(root: string): string[] {
  const rooms = listFolders(join(root, "server"));
  const otherFolders = roots.slice(1).flatMap((folder) => listFolders(join(root, folder)));
  const listedFolders = Object.keys(foldersWithoutRoom);
  const unknownFolders = otherFolders.filter(
    (name) => name !== "admin" && !rooms.includes(name) && !listedFolders.includes(name),
  );
  return [...unknownFolders, ...listedFolders.filter((name) => !otherFolders.includes(name))];
}

const listFolders = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** The document with up-to-date drawings between their marks, such as `<!-- storeys -->`. */
export function withDrawings(document: string, root: string, sources: readonly Source[]): string {
  const parts = {
    drawing: drawStoreys(sources),
    storeys: listStoreys(sources),
    nouns: nounTable(root),
  };
  return Object.entries(parts).reduce(
    (text, [mark, part]) =>
      text.replace(
        new RegExp(`(<!-- ${mark} -->)[\\s\\S]*?(<!-- end of ${mark} -->)`),
        (_all, start: string, end: string) => `${start}\n\n${part}\n\n${end}`,
      ),
    document,
  );
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const file = join(root, "docs/architecture.md");
  writeFileSync(file, withDrawings(readFileSync(file, "utf8"), root, readSources(root)));
}
