import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { shopperWaits } from "./export.ts";
import { type Figure, percentile } from "./figures.ts";
import type { OpenPanel } from "./panel.ts";
import { readMemory } from "./processes.ts";

const alonePauseMs = 10_000;
const pollMs = 500;

/** Times a nightly backup while shoppers browse, a backup by command, and a restore into a new folder. */
export async function measureBackup({ shop, cookie }: OpenPanel, dataDir: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "palmira-bench-backup-"));
  try {
    const waitsAlone = await shopperWaits(shop.url, delay(alonePauseMs));
    const memoryBefore = readMemory(shop.pid)?.pssMb ?? null;
    const nightly = backUpInPanel(shop.url, cookie);
    const waitsWhileSaving = await shopperWaits(shop.url, nightly.saved);
    const waitsWhileTesting = await shopperWaits(shop.url, nightly.tested);
    const memoryAfter = readMemory(shop.pid)?.pssMb ?? null;
    const { seconds, testSeconds } = await nightly.tested;

    const file = join(folder, "shop.backup");
    const commandSeconds = await run("scripts/backup.ts", [file], dataDir);
    const restoreSeconds = await run("scripts/restore.ts", [file], join(folder, "restored"));
    const relativeP99 = (waits: readonly number[]) => percentile(waits, 0.99) / percentile(waitsAlone, 0.99);
    const p99Note = (waits: readonly number[]) =>
      `(p99 ${percentile(waits, 0.99).toFixed(1)} ms, alone ${percentile(waitsAlone, 0.99).toFixed(1)})`;
    return [
      { name: "backup as at night, while shoppers come", value: seconds, unit: "s", target: { max: 60 } },
      {
        name: "p99 of a shopper during the backup, alone is 1",
        value: relativeP99(waitsWhileSaving),
        unit: "",
        target: { max: 2 },
        note: p99Note(waitsWhileSaving),
      },
      { name: "its test", value: testSeconds, unit: "s" },
      {
        name: "p99 of a shopper during its test, alone is 1",
        value: relativeP99(waitsWhileTesting),
        unit: "",
        target: { max: 2 },
        note: p99Note(waitsWhileTesting),
      },
      { name: "backup by command", value: commandSeconds, unit: "s", target: { max: 60 } },
      { name: "its file", value: statSync(file).size / 1024 ** 2, unit: "MiB" },
      { name: "restore", value: restoreSeconds, unit: "s", target: { max: 120 } },
      ...(memoryBefore !== null && memoryAfter !== null
        ? [{ name: "memory after, over before", value: memoryAfter - memoryBefore, unit: "MB" }]
        : []),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type BackupStatus = { id: number; status: string; seconds: number | null; problem: string | null };

/** Does what “Back up now” does: `saved` resolves when the file is written, `tested` when its test has ended. */
function backUpInPanel(url: string, cookie: string) {
  const headers = { Cookie: cookie, Origin: url, "Content-Type": "application/json" };
  let savedAt = 0;
  const until = async (id: Promise<number>, statuses: readonly string[]): Promise<BackupStatus> => {
    for (; ; await delay(pollMs)) {
      const response = await fetch(`${url}/api/admin/backups`, { headers });
      const { data } = (await response.json()) as { data: { backups: BackupStatus[] } };
      const backupId = await id;
      const backup = data.backups.find((candidate) => candidate.id === backupId);
      if (backup?.status === "failed") throw new Error(`the backup failed: ${backup.problem}`);
      if (backup && statuses.includes(backup.status)) return backup;
    }
  };
  const id = fetch(`${url}/api/admin/backups`, { method: "POST", headers, body: "{}" })
    .then((response) => response.json() as Promise<{ data: { id: number } }>)
    .then(({ data }) => data.id);
  const saved = until(id, ["testing", "done"]).then(() => {
    savedAt = performance.now();
  });
  const tested = saved
    .then(() => until(id, ["done"]))
    .then(({ seconds }) => ({
      seconds: seconds ?? Number.NaN,
      testSeconds: (performance.now() - savedAt) / 1000,
    }));
  return { saved, tested };
}

/** Runs a script; returns the seconds it took. */
async function run(script: string, args: readonly string[], dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", script), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PAYMENTS: "sandbox",
      DATABASE_URL: "",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${script} failed: ${output}`);
  return (performance.now() - startedAt) / 1000;
}
