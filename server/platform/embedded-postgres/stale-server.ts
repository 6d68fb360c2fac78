import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { endPostmaster, type Postmaster, processesIn, readPostmaster, servesFolder } from "./postmaster.ts";

/** The server of a killed shop may still be recovering from an earlier crash. */
const recoveryMs = 60_000;
const orphansMs = 5_000;

/**
 * The healthy server that an earlier run left in this data folder, or null once anything else it left is cleaned up.
 * `url` gives its address by port; only a server that knows our password, and archives where `archive_command` of `settings`
 * says, is adopted.
 */
export async function handleStaleServer(
  folder: string,
  url: (port: number) => string,
  settings: { archive_command: string },
): Promise<Postmaster | null> {
  for (const until = Date.now() + recoveryMs; Date.now() < until; await delay(50)) {
    const server = readPostmaster(folder);
    if (!server || !servesFolder(server.pid, folder)) break;
    if (!server.ready) continue;
    if (await answers(url(server.port), settings)) return server;
    break;
  }
  const postmaster = readPostmaster(folder);
  if (postmaster) await endPostmaster(postmaster.pid, folder);
  await endOrphans(folder);
  return null;
}

/** The workers of a killed server exit by themselves, but one in a long query may take its time. */
async function endOrphans(folder: string): Promise<void> {
  if (!existsSync(join(folder, "postmaster.pid"))) return;
  const until = Date.now() + orphansMs;
  for (let orphans = processesIn(folder); orphans.length > 0; orphans = processesIn(folder)) {
    if (Date.now() > until) for (const pid of orphans) process.kill(pid, "SIGKILL");
    await delay(20);
  }
  // PostgreSQL would take any process with this number for a running server, even a zombie, and refuse to start. Its
  // socket's lock file contains the number too.
  if (!existsSync("/proc/self/cwd")) return;
  for (const file of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"]) {
    rmSync(join(folder, file), { force: true });
  }
}

async function answers(
  connectionString: string,
  { archive_command: wanted }: { archive_command: string },
): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // An error of a connection that is being closed is expected.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string; command: string }>(
      "select current_setting('archive_mode') as mode, current_setting('archive_command') as command",
    );
    // Without archive_mode it reads "(disabled)".
    return rows[0]?.mode === "on" ? rows[0].command === wanted : wanted === "";
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
