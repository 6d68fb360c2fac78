import { spawn } from "node:child_process";
import { join } from "node:path";

// Runs the shop for development: Vite updates pages in the open browser, and the server restarts when a file of server/ or
// domain/ changes. Watching all imported files would restart it for Vite's temporary files.

const watchOptions = ["--watch", "--watch-path=server", "--watch-path=domain", "--watch-preserve-output"];
const server = spawn(process.execPath, [...watchOptions, "server/main.ts"], {
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
