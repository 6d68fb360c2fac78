/** A part of the program, by where a file lies. `feature` is a folder of server/ that is named for a trade noun. */
export type Part =
  | { kind: "domain" | "platform" | "app" | "content" | "emails" | "assets" | "test" | "tools" | "server" }
  | { kind: "feature"; name: string };

/** Folders of server/ without a trade: they put the features together and serve them. */
const servingFolders = ["http", "pages"];
/** What features may import of what serves them: the rows of the API, and types. */
const openToFeatures = ["server/http/api-row.ts"];
const openTypes = ["server/context.ts", "server/feature.ts", ...openToFeatures];
/** Below the other features: they may import it, it imports none of them but these. */
const outboxMayImport = ["settings", "visitors"];

export function partOf(file: string): Part {
  const [top = "", second = "", ...deeper] = file.split("/");
  if (/\.test\.tsx?$/.test(file) || top === "test" || top === "e2e") return { kind: "test" };
  if (top === "domain" || top === "app" || top === "content" || top === "emails" || top === "assets")
    return { kind: top };
  if (top !== "server") return { kind: "tools" };
  if (deeper.length === 0 || servingFolders.includes(second)) return { kind: "server" };
  return second === "platform" ? { kind: "platform" } : { kind: "feature", name: second };
}

export const isTables = (file: string) => /^server\/[^/]+\/(?:[^/]+\/)?[^/]*tables\.ts$/.test(file);

/** Why `importer` may not import `imported` (paths from the root), or null if it may. */
export function refusal(importer: string, imported: string, isTypeOnly: boolean): string | null {
  const from = partOf(importer);
  const to = partOf(imported);
  if (from.kind === "test" || from.kind === "tools" || from.kind === "assets") return null;
  if (to.kind === "test") return "only tests import test code";
  if (to.kind === "assets" && from.kind !== "domain") return null;
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
    case "server":
      return to.kind === "app" || to.kind === "tools" ? "the server does not import pages or tools" : null;
    case "feature":
      return featureRefusal(from.name, to, imported, isTypeOnly);
  }
}

function featureRefusal(feature: string, to: Part, imported: string, isTypeOnly: boolean): string | null {
  if (to.kind === "domain" || to.kind === "platform") return null;
  if (to.kind === "server") {
    const open = isTypeOnly ? openTypes : openToFeatures;
    return open.includes(imported) ? null : "features do not import what serves them";
  }
  if (to.kind !== "feature") return "features import only features, platform and domain";
  if (to.name === feature) return null;
  if (imported === `server/${to.name}/feature.ts`) return "only server/features.ts imports a feature.ts";
  // Tables may be joined and referenced by all; writing them is looked for apart.
  if (feature === "outbox" && !isTables(imported) && !outboxMayImport.includes(to.name)) {
    return "the outbox is below the other features";
  }
  return null;
}

/**
 * The packages domain may import; it runs in the browser too. The rules of phone numbers are large: pages load their one
 * file when they need it.
 */
export const domainPackages = ["valibot", "libphonenumber-js/min"];
