import { defineConfig } from "vite";

/** The e-mail templates as one module that Node can load: it runs no JSX itself. */
export default defineConfig({
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  ssr: { noExternal: true },
  build: {
    ssr: "emails/index.tsx",
    outDir: "build/emails",
    target: "node24",
    copyPublicDir: false,
  },
});
