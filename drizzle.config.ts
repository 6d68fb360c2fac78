import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate --name NAME` writes the next migration; review it before you commit it. */
export default defineConfig({
  dialect: "postgresql",
  schema: ["./server/*/tables.ts", "./server/platform/jobs/tables.ts"],
  out: "./db/migrations",
});
