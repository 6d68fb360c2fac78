import { spawn } from "node:child_process";
import { join } from "node:path";

/**
 * Runs the shop for working on it: pages change in the open browser (Vite), and the server starts again when a file
 * of server/ or domain/ changes. Watching whatever is imported instead would restart it for Vite's own temporary files.
 */
const watching = ["--watch", "--watch-path=server", "--watch-path=domain", "--watch-preserve-output"];
const server = spawn(process.execPath, [...watching, "server/main.ts"], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development", PALMIRA_DEV: "1" },
});

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    isStopping = true;
    server.kill(signal);
  });
}
server.on("exit", (code) => {
  process.exitCode = isStopping ? 0 : (code ?? 1);
});
