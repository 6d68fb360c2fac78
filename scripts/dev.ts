import { spawn } from "node:child_process";
import { join } from "node:path";

/**
 * Runs the shop for working on it: pages change in the open browser (Vite), and the server starts again when one of
 * its own files changes (node --watch).
 */
const server = spawn(process.execPath, ["--watch", "--watch-preserve-output", "server/main.ts"], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, PALMIRA_DEV: "1" },
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => {
  process.exitCode = code ?? 0;
});
