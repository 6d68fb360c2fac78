import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { patienceMs } from "./patience.ts";
import { openTcpProxy } from "./tcp-proxy.ts";

/** Path of Debian's PgBouncer, or of the one in `PGBOUNCER`; null if it is not installed. */
export const pgbouncerProgram =
  [process.env.PGBOUNCER, "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find(
    (path) => path && existsSync(path),
  ) ?? null;

export type PgBouncer = {
  /** `databaseUrl`, but through the pooler. */
  through(databaseUrl: string): string;
  /** Kills it like `kill -9`; `start` starts it again at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** PgBouncer in transaction mode in front of `databaseUrl`, with a limited number of connections to each database. */
export async function openPgBouncer(
  databaseUrl: string,
  {
    program = pgbouncerProgram,
    poolSize = 2,
    settings = [],
  }: { program?: string | null; poolSize?: number; settings?: readonly string[] } = {},
): Promise<PgBouncer> {
  if (program === null) throw new Error("there is no pgbouncer on this machine");
  // PgBouncer runs as another user, who cannot read the folder of the embedded server's socket.
  const proxy = await openTcpProxy(databaseUrl);
  const { username, password } = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "palmira-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${proxy.port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
${settings.join("\n")}
`,
  );
  const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  let server: ChildProcess | null = null;
  const kill = async () => {
    const running = server;
    server = null;
    if (running) await waitForExit(running);
  };
  const close = async () => {
    await kill();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async () => {
    const started = spawn(program, ["-q", ...asNobody, file], { stdio: ["ignore", "ignore", "pipe"] });
    server = started;
    let output = "";
    started.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    for (const deadline = Date.now() + patienceMs; !(await responds(port)); await delay(20)) {
      if (started.exitCode === null && Date.now() < deadline) continue;
      await close();
      throw new Error(`pgbouncer did not start:\n${output}`);
    }
  };
  await start();
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.searchParams.delete("host");
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    kill,
    start,
    close,
  };
}

async function responds(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function waitForExit(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill("SIGKILL");
  await exit;
}
