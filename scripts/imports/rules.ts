/** A part of the program, by where a file lies. `feature` is a folder of server/ that is named for a trade noun. */
export type Part =
  | { kind: "domain" | "platform" | "app" | "content" | "emails" | "assets" | "test" | "tools" }
  | { kind: "composition"; name: string }
  | { kind: "feature"; name: string };

/** Features may import platform, domain, their own files, and only these other features. Admin may import any. */
const featureMayImport: Record<string, readonly string[]> = {
  visitors: [],
  catalog: [],
  settings: [],
  contact: [],
  site: [],
  discounts: [],
  sales: [],
  inventory: ["catalog"],
  cart: ["catalog", "discounts", "inventory", "settings", "visitors"],
  orders: ["catalog", "discounts", "inventory", "visitors"],
  payments: ["orders"],
  "go-live": ["outbox", "payments", "settings"],
  checkout: ["catalog", "cart", "discounts", "inventory", "orders", "payments", "settings", "visitors"],
  reviews: ["catalog", "outbox", "orders", "visitors"],
  privacy: ["cart", "checkout", "contact", "outbox", "orders", "payments", "reviews", "visitors"],
  outbox: ["inventory", "orders", "contact", "settings"],
};

const compositionFolders = ["compose", "http", "pages"];

export function partOf(file: string): Part {
  const [top = "", second = "", ...deeper] = file.split("/");
  if (/\.test\.tsx?$/.test(file) || top === "test" || top === "e2e") return { kind: "test" };
  if (top === "domain" || top === "app" || top === "content" || top === "emails" || top === "assets")
    return { kind: top };
  if (top !== "server") return { kind: "tools" };
  if (deeper.length === 0 || compositionFolders.includes(second))
    return { kind: "composition", name: second };
  return second === "platform" ? { kind: "platform" } : { kind: "feature", name: second };
}

/** Files that only what puts the server together imports. */
const isEntrance = (file: string) => /^server\/(?!platform\/)[^/]+\/(api|jobs)\.ts$/.test(file);
export const isTables = (file: string) => /^server\/[^/]+\/[^/]*tables\.ts$/.test(file);

/** Why `importer` may not import `imported` (paths from the root), or null if it may. */
export function refusal(importer: string, imported: string, isTypeOnly: boolean): string | null {
  const from = partOf(importer);
  const to = partOf(imported);
  if (from.kind === "test" || from.kind === "tools" || from.kind === "assets") return null;
  if (to.kind === "test") return "only tests import test code";
  if (to.kind === "assets" && from.kind !== "domain") return null;
  if (isEntrance(imported) && partOf(importer).kind !== "composition") {
    return "only what puts the server together imports a feature's api.ts and jobs.ts";
  }
  switch (from.kind) {
    case "domain":
      return to.kind === "domain" ? null : "domain imports only domain";
    case "content":
      return to.kind === "content" ? null : "content imports nothing: its words are given what they name";
    case "emails":
      return to.kind === "emails" || to.kind === "domain" ? null : "emails import only emails and domain";
    case "app":
      if (to.kind === "app" || to.kind === "content" || to.kind === "domain") return null;
      return importer === "app/shop-context.ts" && isTypeOnly
        ? null
        : "app imports only app, content and domain; app/shop-context.ts alone takes types of the server";
    case "platform":
      return to.kind === "platform" || to.kind === "domain" ? null : "server/platform imports only domain";
    case "composition":
      return to.kind === "app" || to.kind === "tools" ? "the server does not import pages or tools" : null;
    case "feature":
      return featureRefusal(from.name, to, isTables(imported));
  }
}

function featureRefusal(feature: string, to: Part, toTables: boolean): string | null {
  if (to.kind === "domain" || to.kind === "platform") return null;
  if (to.kind !== "feature") return "features import only features, platform and domain";
  // Another feature's tables may be joined and referenced; writing them is looked for apart.
  if (to.name === feature || toTables || feature === "admin") return null;
  const allowed = featureMayImport[feature];
  if (!allowed) return `server/${feature} is not in the table of scripts/imports/rules.ts`;
  return allowed.includes(to.name) ? null : `${feature} does not import ${to.name}`;
}

/** The packages domain may import; it runs in the browser too. */
export const domainPackages = ["valibot"];
