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
    const alone = await shopperWaits(shop.url, delay(alonePauseMs));
    const before = readMemory(shop.pid)?.pssMb ?? null;
    const nightly = backUpInPanel(shop.url, cookie);
    const waitsWhileSaving = await shopperWaits(shop.url, nightly.saved);
    const waitsWhileTesting = await shopperWaits(shop.url, nightly.tested);
    const after = readMemory(shop.pid)?.pssMb ?? null;
    const { seconds, testSeconds } = await nightly.tested;

    const file = join(folder, "shop.backup");
    const byHand = await run("scripts/backup.ts", [file], dataDir);
    const restored = await run("scripts/restore.ts", [file], join(folder, "restored"));
    const times = (waits: readonly number[]) => percentile(waits, 0.99) / percentile(alone, 0.99);
    const ms = (waits: readonly number[]) =>
      `(p99 ${percentile(waits, 0.99).toFixed(1)} ms, alone ${percentile(alone, 0.99).toFixed(1)})`;
    return [
      { name: "backup as at night, while shoppers come", value: seconds, unit: "s", target: { max: 60 } },
      {
        name: "p99 of a shopper during the backup, alone is 1",
        value: times(waitsWhileSaving),
        unit: "",
        target: { max: 2 },
        note: ms(waitsWhileSaving),
      },
      { name: "its test", value: testSeconds, unit: "s" },
      {
        name: "p99 of a shopper during its test, alone is 1",
        value: times(waitsWhileTesting),
        unit: "",
        target: { max: 2 },
        note: ms(waitsWhileTesting),
      },
      { name: "backup by command", value: byHand, unit: "s", target: { max: 60 } },
      { name: "its file", value: statSync(file).size / 1024 ** 2, unit: "MiB" },
      { name: "restore", value: restored, unit: "s", target: { max: 120 } },
      ...(before !== null && after !== null
        ? [{ name: "memory after, over before", value: after - before, unit: "MB" }]
        : []),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type BackupStatus = { id: number; status: string; seconds: number | null; problem: string | null };

/** “Back up now”: `saved` resolves when the file is written, `tested` when it was restored for a test. */
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
