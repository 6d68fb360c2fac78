import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { pictureWidths } from "./domain/catalog/product-image.ts";
import { plainIcons, unusedParts } from "./scripts/build/unused-parts.ts";

/**
 * The service workers, files of their own at the site's root. The text of the storefront's changes with any other file, so
 * that browsers load it, and what it keeps, again after each deploy.
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

/** The shop’s own code. Styles of the root would be taken for those of a page that comes later if it were moved. */
const own = /\/(app\/(?!root\.|\w+\.css)|domain\/|lucide-react\/)/;

/** What every page has, and small parts of the home page that most others have, too. */
const frameParts = [
  "app/root.tsx",
  "app/shell/shell.tsx",
  "app/ui/skeleton.tsx",
  "app/ui/link-arrow.tsx",
  "app/features/reviews/reviews-path.ts",
];

/**
 * Few files instead of many: in small ones a page weighs 3 kB more and takes twice the requests. React and the router
 * are one, which stays in caches when the shop changes; what every page loads is another; then what home and product
 * share, first that which checkout shows as well; what is left of the home page; the product's page, without
 * small parts that others have as well; what forms and orders of the shop share with the panel; and what the panel's tabs
 * share and no shopper ever needs.
 */
const files: ChunkFile[] = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  // For the forms that check what is typed; the file of whatever imports a schema only for its type would take it along.
  { name: "schemas", test: /node_modules\/valibot\// },
  { name: loadedBy("frame", frameParts), test: own },
  {
    name: loadedBy(
      "basics",
      ["app/routes/home.tsx"],
      ["app/routes/product.tsx"],
      ["app/routes/checkout.tsx"],
    ),
    test: own,
  },
  { name: loadedBy("shared", ["app/routes/home.tsx"], ["app/routes/product.tsx"]), test: own },
  { name: loadedBy("buying", ["app/routes/product.tsx"], ["app/routes/cart.tsx"]), test: own },
  { name: loadedBy("home", ["app/routes/home.tsx"]), test: own },
  { name: loadedBy("lists", ["app/routes/product.tsx"], ["app/routes/reviews.tsx"]), test: own },
  {
    name: "parts",
    test: /\/(app\/ui\/(badge|disclosure)\.tsx|app\/features\/catalog\/product-grid\.ts|icons\/(check|plus)\.mjs)$/,
  },
  { name: "product", test: /\/app\/(routes\/product\.tsx|features\/catalog\/product-(view\.tsx|meta\.ts))/ },
  { name: loadedBy("notices", ["app/routes/reviews.tsx"], ["app/routes/account.tsx"]), test: own },
  {
    name: loadedBy("fields", ["app/routes/newsletter.tsx"], ["app/routes/account.tsx"], adminRoutes),
    test: own,
  },
  // What dialogs and toasts of the shop load when they are needed, and the panel at once.
  {
    name: loadedBy("layers", ["app/ui/dialog.tsx"], ["app/ui/toast-viewport.tsx"]),
    test: /\/node_modules\//,
  },
  { name: loadedBy("dialogs", ["app/ui/dialog.tsx"]), test: /\/(node_modules\/|app\/ui\/dialog\.tsx$)/ },
  // What the panel's frame shares with one or two pages of the shop.
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
 * Names the file of whatever these modules import, and what that imports, at once and not when it is needed; with
 * several groups only what each of them imports.
 */
function loadedBy(file: string, ...groups: (readonly string[])[]) {
  let loaded: Set<string>[] | null = null;
  return (id: string, modules: Modules) => {
    loaded ??= groups.map((starts) => collectImports(starts, modules));
    return loaded.every((imports) => imports.has(id)) ? file : null;
  };
}

/**
 * Names the file of what the panel's frame or at least four of its pages import and the shop's pages do not, not even late.
 * A file takes along what its modules import: those stay out that need something of the shop's pages which is in none of the
 * files above.
 */
function sharedByAdmin(file: string) {
  let isShared: ((id: string) => boolean) | undefined;
  let apart = new Set<string>();
  return (id: string, modules: Modules) => {
    if (!isShared) {
      const routes = globSync("app/routes/*.tsx", { cwd: import.meta.dirname });
      const shopRoutes = routes.filter((path) => !adminRoutes.includes(path));
      const shop = collectImports([...shopRoutes, ...frameParts], modules, true);
      const inFiles = [...shop].filter((shopId) =>
        files.some(
          ({ name, test }) => test.test(shopId) && (typeof name === "string" || name(shopId, modules)),
        ),
      );
      // Each tab would name the panel's styles once more.
      apart = shop
        .difference(collectImports(inFiles, modules))
        .add(resolve(import.meta.dirname, "app/panel.css"));
      const frame = collectImports(["app/routes/admin.tsx"], modules);
      const tabs = adminRoutes.map((path) => collectImports([path], modules));
      isShared = (id) =>
        !shop.has(id) && (frame.has(id) || tabs.filter((imports) => imports.has(id)).length >= 4);
    }
    if (!isShared(id) || id.includes("/app/routes/")) return null;
    return collectImports([id], modules).isDisjointFrom(apart) ? file : null;
  };
}

/** What these modules import, and what that imports; `late`: also what is only loaded when it is needed. */
function collectImports(starts: readonly string[], modules: Modules, late = false): Set<string> {
  const found = new Set(starts.map((path) => resolve(import.meta.dirname, path)));
  // Grows while it is walked through.
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...(late ? dynamicallyImportedIds : [])]) found.add(imported);
  }
  return found;
}

/** Packages that the server or another package of it imports as well: one copy in memory. */
export const sharedWithServer = ["react", "react-dom", "react-router", "valibot"];

/** Functions that make the schemas of fields. */
const fieldSchemas = ["optionalText", "requiredText", "requiredLine", "wholeCents", "wholeNumber"];

export default defineConfig(({ command }) => ({
  plugins: [unusedParts, plainIcons, tailwindcss(), reactRouter(), serviceWorker],
  // What only pages use is built into them, so that the shop runs without those packages; Vite's own server, which
  // development uses, takes ES modules only.
  ssr: command === "build" ? { noExternal: true, external: sharedWithServer } : {},
  // scripts/build.ts empties what it builds anew; the images and e-mails in build/ stay.
  // Pictures are files of their own: in a script every page that might show one would carry it.
  build: {
    target: "es2022",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    // The list of what each late file imports costs every first visit some 100 bytes, and saves a round trip: worth it on
    // the way to buying.
    modulePreload: {
      resolveDependencies: (file, imports) => (/\/(cart-drawer|payment-step)-/.test(file) ? imports : []),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Schemas of which a page uses only the type are left out: making one has no side effect, nor has reading the
          // entries of another. Whoever parses uses the result.
          treeshake: { propertyReadSideEffects: false, manualPureFunctions: ["v", ...fieldSchemas] },
          output: { codeSplitting: { groups: [...files, { name: sharedByAdmin("panel"), test: own }] } },
        },
      },
    },
  },
}));
