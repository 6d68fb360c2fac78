import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import pg from "pg";
import { fileTimestamp } from "./names.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";

/** Manifest of a base backup. Times are ISO 8601, UTC. */
export type BaseBackupManifest = {
  startedAt: string;
  /** The earliest time to which the database can be restored from this backup. */
  stoppedAt: string;
  /** The first and last log segments that a restore needs. */
  firstSegment: string;
  lastSegment: string;
  /** Position in the log at the end of the backup: "0/3000120". */
  stopLsn: string;
  /** The shop's time zone, in which the owner enters times. */
  timeZone: string;
  /** Total size of the files, and size of the archive. */
  bytes: number;
  packedBytes: number;
  sha256: string;
};

export const dataFile = "data.tar.zst";
export const manifestFile = "manifest.json";
export const unfinishedMark = "unfinished-";

/** Folders whose content is recreated at every start or belongs to the running server; pg_basebackup omits it, too. */
const emptiedFolders =
  /^(pg_wal|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;
const skippedFiles =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|backup_(label|manifest).*|tablespace_map.*|.*\.signal|pgsql_tmp.*|\.s\.PGSQL.*|palmira-.*)$/;
const controlFile = "global/pg_control";
const readBytes = 256 * 1024;

/**
 * Copies a running server's data folder into the archive, as PostgreSQL's manual describes it: changes during the copy are
 * repaired by the log at a restore. The backup appears in the archive atomically.
 */
export async function takeBaseBackup(options: {
  url: string;
  dataFolder: string;
  archive: string;
  timeZone: string;
  signal?: AbortSignal;
}): Promise<BaseBackupManifest> {
  const { dataFolder, archive, timeZone } = options;
  const client = new pg.Client({ connectionString: options.url, application_name: "palmira-base-backup" });
  // A broken connection also fails the current or next statement.
  client.on("error", () => {});
  await client.connect();
  let unfinishedFolder: string | null = null;
  try {
    await client.query("set statement_timeout = 0; set idle_session_timeout = 0");
    // By the database's clock, like the times in the log.
    const started = await queryRow<{ at: Date; segment: string }>(
      client,
      "select clock_timestamp() as at, pg_walfile_name(pg_backup_start('palmira', true)) as segment",
    );
    const folder = join(archive, "base", fileTimestamp(started.at));
    unfinishedFolder = join(archive, "base", `${unfinishedMark}${fileTimestamp(started.at)}`);
    // Does not create the archive's own folder, as its disk may not be mounted.
    await mkdir(join(archive, "base"), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await mkdir(unfinishedFolder, { mode: 0o700 });

    let stopped: { at: Date; lsn: string; segment: string; label: string } | null = null;
    let bytes = 0;
    async function* tarChunks() {
      for await (const chunk of folderContent(dataFolder, started.at)) {
        bytes += chunk.length;
        yield chunk;
      }
      stopped = await queryRow(
        client,
        `select clock_timestamp() as at, lsn::text, pg_walfile_name(lsn) as segment, labelfile as label
          from pg_backup_stop(false)`,
      );
      const label = Buffer.from(stopped?.label ?? "");
      yield Buffer.concat([
        tarHeader("backup_label", label.length, started.at),
        label,
        tarPadding(label.length),
        tarEnd,
      ]);
    }
    const hash = createHash("sha256");
    let packedBytes = 0;
    const counter = new Transform({
      transform(chunk, _, done) {
        packedBytes += chunk.length;
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(
      Readable.from(tarChunks(), { objectMode: true, highWaterMark: 2 }),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      counter,
      createWriteStream(join(unfinishedFolder, dataFile), { mode: 0o600, flush: true }),
      ...(options.signal ? [{ signal: options.signal }] : []),
    );
    const stop = stopped as { at: Date; lsn: string; segment: string } | null;
    if (!stop) throw new Error("the base backup was not ended");
    const manifest: BaseBackupManifest = {
      startedAt: started.at.toISOString(),
      stoppedAt: stop.at.toISOString(),
      firstSegment: started.segment,
      lastSegment: stop.segment,
      stopLsn: stop.lsn,
      timeZone,
      bytes,
      packedBytes,
      sha256: hash.digest("hex"),
    };
    await writeFile(join(unfinishedFolder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await rename(unfinishedFolder, folder);
    return manifest;
  } catch (error) {
    if (unfinishedFolder !== null) await rm(unfinishedFolder, { recursive: true, force: true });
    throw error;
  } finally {
    // Ends a backup that was not stopped, too.
    await client.end();
  }
}

async function queryRow<Row extends pg.QueryResultRow>(client: pg.Client, statement: string): Promise<Row> {
  const { rows } = await client.query<Row>(statement);
  if (!rows[0]) throw new Error("PostgreSQL gave no answer");
  return rows[0];
}

async function* folderContent(dataFolder: string, at: Date): AsyncGenerator<Buffer> {
  yield* walk("");
  // Copied last, so that recovery starts at this backup; read twice, because the server may be writing it.
  const control = await readTwice(join(dataFolder, controlFile));
  yield tarHeader(controlFile, control.length, at);
  yield Buffer.concat([control, tarPadding(control.length)]);

  async function* walk(folder: string): AsyncGenerator<Buffer> {
    for (const entry of await readdir(join(dataFolder, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skippedFiles.test(entry.name) || name === controlFile) continue;
      if (emptiedFolders.test(name)) yield tarHeader(`${name}/`, 0, at);
      else if (entry.isDirectory()) {
        yield tarHeader(`${name}/`, 0, at);
        yield* walk(name);
      } else if (entry.isFile()) yield* fileContent(name);
    }
  }

  async function* fileContent(name: string): AsyncGenerator<Buffer> {
    // The file is missing if its table was dropped in the meantime; the log contains that as well.
    const file = await open(join(dataFolder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (!file) return;
    try {
      const { size } = await file.stat();
      yield tarHeader(name, size, at);
      for (let remaining = size; remaining > 0; ) {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(readBytes, remaining)));
        // The file was truncated in the meantime; the log contains later additions.
        const chunk =
          bytesRead === 0 ? Buffer.alloc(Math.min(readBytes, remaining)) : buffer.subarray(0, bytesRead);
        yield chunk;
        remaining -= chunk.length;
      }
      yield tarPadding(size);
    } finally {
      await file.close();
    }
  }
}

async function readTwice(path: string): Promise<Buffer> {
  for (let previous = await readFile(path); ; ) {
    const content = await readFile(path);
    if (content.equals(previous)) return content;
    previous = content;
  }
}
