import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import * as v from "valibot";
import { isPanelRoute } from "../server/pages/shop-manifest.ts";

/** Server package -> a text in its code that would survive minification in a browser bundle. */
const traces: Record<string, RegExp> = {
  pg: /SCRAM-SHA-256/,
  "drizzle-orm": /drizzle:entityKind/,
  jobs: /json_to_recordset/,
  stripe: /api\.stripe\.com/,
  pino: /pino\.serializers/,
  nodemailer: /X-Mailer/,
  twilio: /twilio-node/,
  "prom-client": /process_cpu_seconds_total/,
  "@node-rs/argon2": /argon2-wasm32/,
  "Node's own modules": /["'`]node:[a-z]/,
};

/** Code loaded on demand, and the routes that may load it with the page. */
const onDemandCode: Record<string, { trace: RegExp; allowed: string[] }> = {
  "the admin": { trace: /\/api\/admin\/verify/, allowed: ["routes/admin*"] },
  "Stripe's script": { trace: /js\.stripe\.com/, allowed: [] },
  "the sandbox's cards": { trace: /4242/, allowed: [] },
  "dialogs and toasts": { trace: /DismissableLayer/, allowed: ["routes/admin*"] },
  "the full-screen view": { trace: /pswp__/, allowed: [] },
};

/** Limits for the first visit to a page: bytes transferred with Brotli. */
const budgets = { scripts: 136_000, styles: 16_000 };
/** Limit for the pages on which most visits start. */
const maxLandingScripts = 115_000;
/** Limits for the panel, which the owner's browser has cached; its pages load the shop's styles as well. */
const adminBudgets = { scripts: 200_500, styles: 37_000 };
const landingPages = new Set(["routes/home", "routes/product", "routes/reviews"]);

const folder = join(process.argv[2] ?? join(import.meta.dirname, ".."), "build", "client");
const files = existsSync(folder) ? globSync("**/*.js", { cwd: folder }) : [];
if (files.length === 0) fail(`${folder} has no JavaScript: build first.`);
for (const file of files) {
  const code = readFileSync(join(folder, file), "utf8");
  for (const [name, trace] of Object.entries(traces)) {
    if (trace.test(code)) fail(`build/client/${file}: contains code of ${name} (${trace})`);
  }
}

const manifestFile = files.find((file) => /^assets\/manifest-\w+\.js$/.test(file));
const shopManifestFile = files.find((file) => /^assets\/manifest-shop-\w+\.js$/.test(file));
if (manifestFile) checkRoutes(`/${manifestFile}`, shopManifestFile ? `/${shopManifestFile}` : null);

/** Checks each route's files, including the route manifest; shoppers' pages have a smaller one. */
function checkRoutes(manifestPath: string, shopManifestPath: string | null): void {
  const files = v.object({
    module: v.string(),
    imports: v.optional(v.array(v.string()), []),
    css: v.optional(v.array(v.string()), []),
  });
  const route = v.object({ ...files.entries, id: v.string(), parentId: v.optional(v.string()) });
  const { entry, routes } = v.parse(
    v.object({ entry: files, routes: v.record(v.string(), route) }),
    JSON.parse(
      read(manifestPath)
        .replace(/^[^{]*/, "")
        .replace(/;\s*$/, ""),
    ),
  );
  for (const [id, leaf] of Object.entries(routes)) {
    const chain: v.InferOutput<typeof files>[] = [entry];
    for (let parent: typeof leaf | undefined = leaf; parent; parent = routes[parent.parentId ?? ""])
      chain.push(parent);
    const manifest = isPanelRoute(id) ? manifestPath : (shopManifestPath ?? manifestPath);
    const scripts = new Set([manifest, ...chain.flatMap(({ module, imports }) => [module, ...imports])]);
    const styles = new Set(chain.flatMap(({ css }) => css));
    for (const [name, { trace, allowed }] of Object.entries(onDemandCode)) {
      const earlyScript = [...scripts].find((path) => trace.test(read(path)));
      if (earlyScript && !allowed.some((pattern) => matchesGlob(id, pattern)))
        fail(`${id}: loads ${name} with the page instead of on demand (${earlyScript})`);
    }
    checkBudget(`scripts of ${id}`, scripts, maxScripts(id));
    checkBudget(`styles of ${id}`, styles, (isPanelRoute(id) ? adminBudgets : budgets).styles);
  }
}

function maxScripts(id: string): number {
  if (isPanelRoute(id)) return adminBudgets.scripts;
  return landingPages.has(id) ? maxLandingScripts : budgets.scripts;
}

function checkBudget(label: string, paths: Set<string>, maxBytes: number): void {
  const bytes = [...paths].reduce((sum, path) => sum + statSync(join(folder, `${path}.br`)).size, 0);
  if (bytes > maxBytes) fail(`${label}: ${bytes} bytes, ${maxBytes} are allowed`);
}

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
