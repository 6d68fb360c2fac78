import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { type BaseBackupManifest, manifestFile, unfinishedMark } from "./base-backup.ts";
import {
  archivesIn,
  isSegment,
  isTimelineHistory,
  listFolder,
  parseFileTimestamp,
  segmentBytes,
} from "./names.ts";

/** A segment of the log. `number`: counted from the beginning of the log over all timelines. */
export type Segment = { name: string; timeline: number; number: number; closedAt: Date };

/**
 * A history of the database: the first one, and one more for each time it was restored. `ancestors`: the timelines that it
 * descends from, each with the position (bytes) in the log up to which it applies.
 */
export type Timeline = { id: number; since: Date; ancestors: { id: number; until: bigint }[] };

export type BaseBackup = BaseBackupManifest & { folder: string; timeline: number; firstNumber: number };

/** Archive of one database. Lists are sorted from old to new. */
export type ArchiveContents = {
  id: string;
  folder: string;
  segments: Segment[];
  timelines: Timeline[];
  bases: BaseBackup[];
};

export async function readArchives(backupDir: string): Promise<ArchiveContents[]> {
  const folder = archivesIn(backupDir);
  return Promise.all((await listFolder(folder)).map((id) => readArchive(join(folder, id))));
}

export async function readArchive(folder: string): Promise<ArchiveContents> {
  const parts = await listFolder(join(folder, "wal"));
  const files = await Promise.all(parts.map((part) => listFolder(join(folder, "wal", part))));
  return {
    id: basename(folder),
    folder,
    segments: parseSegments(files.flat()),
    timelines: await readTimelines(folder),
    bases: await readBases(folder),
  };
}

/** The segments among files of the archive's folders of the log. */
export function parseSegments(files: readonly string[]): Segment[] {
  const segments = files
    .map((file) => file.split("."))
    .filter(([name = ""]) => isSegment(name))
    .map(([name = "", time = ""]) => ({
      name,
      ...parseSegmentName(name),
      closedAt: parseFileTimestamp(time),
    }));
  return segments.toSorted((a, b) => a.number - b.number || a.timeline - b.timeline);
}

/** Complete base backups only. */
export async function readBases(folder: string): Promise<BaseBackup[]> {
  const names = (await listFolder(join(folder, "base"))).filter((name) => !name.startsWith(unfinishedMark));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const base = join(folder, "base", name);
      return parseBase(base, await readFile(join(base, manifestFile)));
    }),
  );
}

function parseBase(folder: string, manifest: Buffer): BaseBackup {
  const parsed: BaseBackupManifest = JSON.parse(manifest.toString("utf8"));
  const { timeline, number } = parseSegmentName(parsed.firstSegment);
  return { ...parsed, folder, timeline, firstNumber: number };
}

async function readTimelines(folder: string): Promise<Timeline[]> {
  const timelines = join(folder, "wal", "timelines");
  const histories = (await listFolder(timelines)).filter((file) => isTimelineHistory(file.slice(0, 16)));
  return parseTimelines(
    await Promise.all(
      histories.map(async (file) => ({ file, content: await readFile(join(timelines, file)) })),
    ),
  );
}

/** The first timeline, and those of PostgreSQL's compressed history files. */
function parseTimelines(histories: readonly { file: string; content: Buffer }[]): Timeline[] {
  const laterTimelines = histories.map(({ file, content }) => {
    const [hex = "", , time = ""] = file.split(".");
    const lines = zstdDecompressSync(content).toString().split("\n");
    const ancestors = lines.flatMap((line) => {
      const [, id, lsn = ""] = /^(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line) ?? [];
      return id === undefined ? [] : [{ id: Number(id), until: parseLsn(lsn) }];
    });
    return { id: Number.parseInt(hex, 16), since: parseFileTimestamp(time), ancestors };
  });
  return [{ id: 1, since: new Date(0), ancestors: [] }, ...laterTimelines.toSorted((a, b) => a.id - b.id)];
}

/** Position in the log in bytes: "0/3000120" -> 50331936n. */
export function parseLsn(lsn: string): bigint {
  const [high = "0", low = "0"] = lsn.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

function parseSegmentName(name: string): { timeline: number; number: number } {
  const hex = (from: number, to: number) => Number.parseInt(name.slice(from, to), 16);
  return { timeline: hex(0, 8), number: hex(8, 16) * (2 ** 32 / segmentBytes) + hex(16, 24) };
}
