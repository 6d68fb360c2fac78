import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What each server package would leave behind in a browser's file, whatever a minifier does to names. */
const traces: Record<string, RegExp> = {
  pg: /SCRAM-SHA-256/,
  "drizzle-orm": /drizzle:entityKind/,
  "graphile-worker": /graphile_worker/,
  stripe: /api\.stripe\.com/,
  pino: /pino\.serializers/,
  nodemailer: /X-Mailer/,
  "prom-client": /process_cpu_seconds_total/,
  "@node-rs/argon2": /argon2-wasm32/,
  "Node's own modules": /["'`]node:[a-z]/,
};

const folder = join(process.argv[2] ?? join(import.meta.dirname, ".."), "build", "client");
const files = existsSync(folder) ? globSync("**/*.js", { cwd: folder }) : [];
if (files.length === 0) {
  console.error(`${folder} has no JavaScript: build first.`);
  process.exitCode = 1;
}
for (const file of files) {
  const code = readFileSync(join(folder, file), "utf8");
  for (const [name, trace] of Object.entries(traces)) {
    if (!trace.test(code)) continue;
    console.error(`build/client/${file}: holds code of ${name} (${trace})`);
    process.exitCode = 1;
  }
}
