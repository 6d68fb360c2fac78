import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate --name <what>` writes the next migration; read it before it is committed. */
export default defineConfig({
  dialect: "postgresql",
  schema: ["./server/*/tables.ts", "./server/platform/jobs/tables.ts"],
  out: "./db/migrations",
});
