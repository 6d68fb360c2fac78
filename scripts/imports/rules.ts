import type { Source } from "./source.ts";

/**
 * The part of the program that a file belongs to, by its folder. A room is a folder of server/; `server`: files directly in
 * server/.
 */
export type Part =
  | { kind: "domain" | "platform" | "app" | "content" | "emails" | "assets" | "test" | "tools" | "server" }
  | { kind: "room"; name: string };

/**
 * The rooms of server/, lowest storey first. A room imports rooms of lower storeys, types as well as values. Inside a
 * storey it may import others, as long as they do not import it back, directly or through further rooms.
 * Below all of them lie server/platform and every room's tables.ts.
 */
export const storeys = [
  {
    name: "messages, settings and issues",
    rooms: ["visitors", "outbox", "privacy", "issues", "settings"],
  },
  { name: "panel users and access", rooms: ["push", "admin", "people"] },
  {
    name: "catalog, content and connections",
    rooms: [
      "inventory",
      "catalog",
      "discounts",
      "cart",
      "content",
      "site",
      "newsletter",
      "questions",
      "stock-alerts",
      "payment-providers",
      "label-providers",
      "connections",
      "webhooks",
    ],
  },
  { name: "orders", rooms: ["orders"] },
  { name: "payments", rooms: ["payments"] },
  {
    name: "order processing and customers",
    rooms: ["order-desk", "labels", "reviews", "refill-reminders", "customers", "contact", "campaigns"],
  },
  {
    name: "checkout, drafts and bookkeeping",
    rooms: ["checkout", "drafts", "disputes", "money-check", "sales", "books", "imports"],
  },
  { name: "overview and operation", rooms: ["overview", "backup", "go-live"] },
  { name: "pages and HTTP", rooms: ["pages", "http"] },
] as const satisfies readonly { name: string; rooms: readonly string[] }[];

/** Index of the room's storey, 0 for the lowest; -1 for a room without a storey. */
export const storeyIndex = (room: string) =>
  storeys.findIndex(({ rooms }) => (rooms as readonly string[]).includes(room));

/** Files directly in server/ that every room may import: definitions of API rows, and types. */
const openFiles = {
  values: ["server/api-row.ts"],
  types: ["server/context.ts", "server/feature.ts", "server/personal-data.ts"],
};

export function filePart(file: string): Part {
  const [top = "", second = "", ...deeper] = file.split("/");
  if (/\.test\.tsx?$/.test(file) || top === "test" || top === "e2e") return { kind: "test" };
  if (top === "domain" || top === "app" || top === "content" || top === "emails" || top === "assets")
    return { kind: top };
  if (top !== "server") return { kind: "tools" };
  if (deeper.length === 0) return { kind: "server" };
  return second === "platform" ? { kind: "platform" } : { kind: "room", name: second };
}

export const isTables = (file: string) => /^server\/[^/]+\/(?:[^/]+\/)?[^/]*tables\.ts$/.test(file);

/** The two rooms that an import connects; null for an import of tables, which are open to all rooms. */
function importArrow(importer: string, imported: string): { from: string; to: string } | null {
  const from = filePart(importer);
  const to = filePart(imported);
  if (from.kind !== "room" || to.kind !== "room" || from.name === to.name) return null;
  return isTables(importer) || isTables(imported) ? null : { from: from.name, to: to.name };
}

export type Arrow = { from: string; to: string; file: string; imported: string };

/** Imports of one room by another, types included; those of tables are left out. */
export function arrowsBetweenRooms(sources: readonly Source[]): Arrow[] {
  return sources.flatMap(({ file, imports }) =>
    imports.flatMap(({ file: imported }) => {
      const arrow = imported === null ? null : importArrow(file, imported);
      return arrow && imported ? [{ ...arrow, file, imported }] : [];
    }),
  );
}

/** Why `importer` may not import `imported` (paths from the root), or null if it may. Does not compare storeys. */
export function importProblem(importer: string, imported: string, isTypeOnly: boolean): string | null {
  const from = filePart(importer);
  const to = filePart(imported);
  if (from.kind === "test" || from.kind === "tools" || from.kind === "assets") return null;
  if (to.kind === "test") return "only tests import test code";
  if (to.kind === "assets" && from.kind !== "domain") return null;
  switch (from.kind) {
    case "domain":
      return to.kind === "domain" ? null : "domain imports only domain";
    case "content":
      return to.kind === "content"
        ? null
        : "content imports nothing: pages pass it the values that its texts name";
    case "emails":
      return to.kind === "emails" || to.kind === "domain" ? null : "emails import only emails and domain";
    case "app":
      if (to.kind === "app" || to.kind === "content" || to.kind === "domain") return null;
      return importer === "app/shop-context.ts" && isTypeOnly
        ? null
        : "app imports only app, content and domain; app/shop-context.ts alone takes types of the server";
    case "platform":
      return to.kind === "platform" || to.kind === "domain" ? null : "server/platform imports only domain";
    case "server":
      return to.kind === "app" || to.kind === "tools" ? "the server does not import pages or tools" : null;
    case "room":
      return isTables(importer)
        ? tablesRefusal(imported, isTypeOnly)
        : roomRefusal(from.name, to, imported, isTypeOnly);
  }
}

/** Why a tables.ts may not import the file, or null if it may. */
function tablesRefusal(imported: string, isTypeOnly: boolean): string | null {
  const isOpen =
    isTables(imported) ||
    imported.startsWith("server/platform/database/") ||
    (isTypeOnly && filePart(imported).kind === "domain");
  return isOpen ? null : "tables import only tables, server/platform/database and types of domain";
}

function roomRefusal(room: string, to: Part, imported: string, isTypeOnly: boolean): string | null {
  if (to.kind === "domain" || to.kind === "platform") return null;
  if (to.kind === "server") {
    const isOpen = openFiles.values.includes(imported) || (isTypeOnly && openFiles.types.includes(imported));
    return isOpen ? null : "rooms do not import the files that combine them";
  }
  if (to.kind !== "room") return "rooms import only rooms, platform and domain";
  if (to.name === room || isTables(imported)) return null;
  if (imported === `server/${to.name}/feature.ts`) return "only server/features.ts imports a feature.ts";
  return null;
}

/**
 * Packages that domain may import; it runs in the browser too. The rules of phone numbers are large: pages load the only file
 * that imports them when they need it.
 */
export const domainPackages = ["valibot", "libphonenumber-js/min"];
