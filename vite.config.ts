import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { pictureWidths } from "./domain/catalog/product-image.ts";
import { plainIcons, unusedParts } from "./scripts/build/unused-parts.ts";

/**
 * Builds the service workers as separate files at the site's root. The storefront's worker contains a hash of all file names, so
 * that browsers load it, and the files that it caches, again after each deploy.
 */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  buildStart() {
    this.emitFile({ type: "chunk", id: "app/offline/service-worker.ts", fileName: "sw.js" });
    this.emitFile({
      type: "chunk",
      id: "app/features/admin/push/service-worker.ts",
      fileName: "admin-sw.js",
    });
  },
  generateBundle(_, bundle) {
    const worker = bundle["sw.js"];
    const panelWorker = bundle["admin-sw.js"];
    if (panelWorker?.type !== "chunk" || panelWorker.imports.length > 0)
      throw new Error("the panel’s service worker is not one file");
    const names = Object.keys(bundle).sort();
    const mark = names.find((name) => /\/mark-[^/]+\.svg$/.test(name));
    if (worker?.type !== "chunk" || worker.imports.length > 0 || !mark)
      throw new Error("the service worker is not one file, or lacks its picture");
    const version = createHash("sha256").update(names.join()).digest("hex").slice(0, 12);
    worker.code = `const buildVersion = "${version}", markPath = "/${mark}", pictureWidths = ${JSON.stringify(pictureWidths)};\n${worker.code}`;
  },
};

const adminRoutes = globSync("app/routes/admin{,-*}.tsx", { cwd: import.meta.dirname });

/** The shop's own code, without the root: if that were moved, its styles would be mistaken for those of a later page. */
const ownCode = /\/(app\/(?!root\.|\w+\.css)|domain\/|lucide-react\/)/;

/** Modules of every page, and small ones of the home page that most other pages load, too. */
const frameParts = [
  "app/root.tsx",
  "app/shell/shell.tsx",
  "app/ui/skeleton.tsx",
  "app/ui/link-arrow.tsx",
  "app/features/reviews/reviews-path.ts",
];

/**
 * Few files instead of many: with many small ones, a page has 3 kB more and twice as many requests. A module belongs to the first
 * group that matches. React and the router are one file, which stays cached when the shop changes. Others contain what every page
 * loads, what certain pages share, and the rest of the home page and of the product page. What only the panel's pages share is
 * added below (`sharedByAdmin`).
 */
const files: ChunkFile[] = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  // Separate, because files that import a schema only for its type would otherwise include the library.
  { name: "schemas", test: /node_modules\/valibot\// },
  { name: loadedBy("frame", frameParts), test: ownCode },
  {
    name: loadedBy(
      "basics",
      ["app/routes/home.tsx"],
      ["app/routes/product.tsx"],
      ["app/routes/checkout.tsx"],
    ),
    test: ownCode,
  },
  { name: loadedBy("shared", ["app/routes/home.tsx"], ["app/routes/product.tsx"]), test: ownCode },
  { name: loadedBy("buying", ["app/routes/product.tsx"], ["app/routes/cart.tsx"]), test: ownCode },
  { name: loadedBy("home", ["app/routes/home.tsx"]), test: ownCode },
  { name: loadedBy("lists", ["app/routes/product.tsx"], ["app/routes/reviews.tsx"]), test: ownCode },
  {
    name: "parts",
    test: /\/(app\/ui\/(badge|disclosure)\.tsx|app\/features\/catalog\/product-grid\.ts|icons\/(check|plus)\.mjs)$/,
  },
  { name: "product", test: /\/app\/(routes\/product\.tsx|features\/catalog\/product-(view\.tsx|meta\.ts))/ },
  { name: loadedBy("notices", ["app/routes/reviews.tsx"], ["app/routes/account.tsx"]), test: ownCode },
  {
    name: loadedBy("fields", ["app/routes/newsletter.tsx"], ["app/routes/account.tsx"], adminRoutes),
    test: ownCode,
  },
  // Packages that the shop loads with its first dialog or toast, and the panel at once.
  {
    name: loadedBy("layers", ["app/ui/dialog.tsx"], ["app/ui/toast-viewport.tsx"]),
    test: /\/node_modules\//,
  },
  { name: loadedBy("dialogs", ["app/ui/dialog.tsx"]), test: /\/(node_modules\/|app\/ui\/dialog\.tsx$)/ },
  // Modules that the panel's frame shares with one or two pages of the shop.
  { name: "times", test: /\/(app\/ui\/use-form|domain\/shared\/zoned-days)\.ts$/ },
  { name: "users", test: /\/icons\/users\.mjs$/ },
  { name: "tag", test: /\/icons\/tag\.mjs$/ },
];

type ChunkFile = { name: string | ((id: string, modules: Modules) => string | null); test: RegExp };

type Modules = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
};

/**
 * Returns `file` for modules that every one of the groups imports statically, directly or through other modules.
 */
function loadedBy(file: string, ...groups: (readonly string[])[]) {
  let importsByGroup: Set<string>[] | null = null;
  return (id: string, modules: Modules) => {
    importsByGroup ??= groups.map((entries) => collectImports(entries, modules));
    return importsByGroup.every((imports) => imports.has(id)) ? file : null;
  };
}

/**
 * Returns `file` for modules that the panel's frame or at least four of its pages import, and that the shop's pages import neither
 * statically nor dynamically. The file would also include what its modules import, so modules that import something of the shop's
 * pages are left out, unless that is in one of the files above.
 */
function sharedByAdmin(file: string) {
  let isShared: ((id: string) => boolean) | undefined;
  let excluded = new Set<string>();
  return (id: string, modules: Modules) => {
    if (!isShared) {
      const routes = globSync("app/routes/*.tsx", { cwd: import.meta.dirname });
      const shopRoutes = routes.filter((path) => !adminRoutes.includes(path));
      const shop = collectImports([...shopRoutes, ...frameParts], modules, true);
      const groupedModules = [...shop].filter((shopId) =>
        files.some(
          ({ name, test }) => test.test(shopId) && (typeof name === "string" || name(shopId, modules)),
        ),
      );
      // Otherwise each tab would list the panel's styles again.
      excluded = shop
        .difference(collectImports(groupedModules, modules))
        .add(resolve(import.meta.dirname, "app/panel.css"));
      const frame = collectImports(["app/routes/admin.tsx"], modules);
      const tabs = adminRoutes.map((path) => collectImports([path], modules));
      isShared = (id) =>
        !shop.has(id) && (frame.has(id) || tabs.filter((imports) => imports.has(id)).length >= 4);
    }
    if (!isShared(id) || id.includes("/app/routes/")) return null;
    return collectImports([id], modules).isDisjointFrom(excluded) ? file : null;
  };
}

/** These modules and all that they import, directly or through others. `withDynamic`: dynamic imports as well. */
function collectImports(entries: readonly string[], modules: Modules, withDynamic = false): Set<string> {
  const ids = new Set(entries.map((path) => resolve(import.meta.dirname, path)));
  // Iterating a set includes ids that are added in the meantime.
  for (const id of ids) {
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...(withDynamic ? dynamicallyImportedIds : [])])
      ids.add(imported);
  }
  return ids;
}

/** Packages that the server, or another of its packages, imports as well; so there is only one copy in memory. */
export const sharedWithServer = ["react", "react-dom", "react-router", "valibot"];

/** Functions that create the schemas of fields. */
const fieldSchemas = ["optionalText", "requiredText", "requiredLine", "wholeCents", "wholeNumber"];

export default defineConfig(({ command }) => ({
  plugins: [unusedParts, plainIcons, tailwindcss(), reactRouter(), serviceWorker],
  // Packages that only pages use are bundled, so that the shop runs without them. Not in development, where Vite's server would
  // have to transform them, which it can do only with ES modules.
  ssr: command === "build" ? { noExternal: true, external: sharedWithServer } : {},
  build: {
    target: "es2022",
    // scripts/build.ts empties the folders that it builds; the images and e-mails in build/ stay.
    emptyOutDir: false,
    // Pictures are separate files: inlined in a script, they would be loaded by every page that might show one.
    assetsInlineLimit: 0,
    // The list of imports of a dynamically imported file adds about 100 bytes to every first visit, and saves a round trip:
    // worth it on the way to the purchase.
    modulePreload: {
      resolveDependencies: (file, imports) => (/\/(cart-drawer|payment-step)-/.test(file) ? imports : []),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Leaves out schemas of which a page uses only the type: neither creating one nor reading the entries of another
          // has side effects, and code that parses uses the result.
          treeshake: { propertyReadSideEffects: false, manualPureFunctions: ["v", ...fieldSchemas] },
          output: { codeSplitting: { groups: [...files, { name: sharedByAdmin("panel"), test: ownCode }] } },
        },
      },
    },
  },
}));
