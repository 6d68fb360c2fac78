import { join } from "node:path";
import { defineConfig } from "vite";

/** Builds the e-mail templates as one module, because Node cannot load JSX. */
export default defineConfig({
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  ssr: { noExternal: true },
  // JSX becomes HTML without React.
  resolve: {
    alias: [
      { find: /^react(\/jsx-runtime)?$/, replacement: join(import.meta.dirname, "emails/layout/html.ts") },
    ],
  },
  build: {
    ssr: "emails/index.tsx",
    outDir: "build/emails",
    target: "node24",
    copyPublicDir: false,
  },
});
