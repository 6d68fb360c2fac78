import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { bucketSchema } from "../../domain/backup/off-site.ts";
import { booksFolder, completeBooks } from "../../server/backup/off-site/books.ts";
import {
  type Bucket,
  BucketProblem,
  openBucket,
  type StoredObject,
} from "../../server/backup/off-site/bucket.ts";
import { archiveFolder, backupFolder, backupsIn } from "../../server/backup/off-site/local-files.ts";
import {
  downloadFile,
  isComplete,
  markerKey,
  openUnmarked,
  openVault,
  readMarker,
  type StoredFile,
  storedFiles,
  type Vault,
} from "../../server/backup/off-site/pieces.ts";
import { ensureSpace } from "../../server/backup/take.ts";
import { type Config, resolveArchiveDir } from "../../server/platform/config.ts";
import { dataFile } from "../../server/platform/embedded-postgres/archive/base-backup.ts";
import {
  type ArchiveContents,
  parseSegments,
  readArchive,
} from "../../server/platform/embedded-postgres/archive/contents.ts";
import { readEnvironment } from "../../server/platform/process/environment.ts";
import { StartProblem } from "../../server/platform/process/start-problem.ts";
import { choosePlan, type RestoreRequest, restoreToTime } from "./restore-to-time.ts";
import { readSecretLines, showProgress } from "./terminal.ts";

/** `folder`: where the copies lie, `s3://bucket/folder`. */
type OpenStore = {
  folder: string;
  bucket: Bucket;
  vault: Vault;
  files: Map<string, StoredFile>;
  passphrase: string;
};

/** `npm run restore -- s3://bucket/folder`: downloads the newest backup, or the one that is named, and restores it; saves an accountant's file. */
export async function restoreOffSite(
  config: Config,
  url: string,
  restore: (path: string, passphrase: string) => Promise<void>,
): Promise<void> {
  const { folders, name } = splitLocation(url);
  const store = await openStore(config, folders);
  const { folder } = store;
  if (name?.endsWith(".zip")) return saveBooks(config, store, name);
  const backups = backupsIn(store.files.values());
  const chosenBackup = name === null ? backups[0] : backups.find((backup) => backup.name === name);
  const all = backups.map((backup) => `  ${backup.name}`).join("\n");
  if (!chosenBackup) {
    throw new StartProblem(
      backups.length === 0
        ? `There is no complete backup in ${folder}. Nothing was changed.`
        : `There is no complete backup ${name} in ${folder}. There are:\n${all}\nNothing was changed.`,
    );
  }
  console.error(`Complete backups in ${folder}:\n${all}\nRestoring ${chosenBackup.name}.`);
  const path = join(config.dataDir, "off-site", chosenBackup.name);
  try {
    await download(store, config.dataDir, [
      { file: { ...chosenBackup, name: backupFolder + chosenBackup.name }, path },
    ]);
    await restore(path, store.passphrase);
  } finally {
    await rm(join(config.dataDir, "off-site"), { recursive: true, force: true });
  }
}

/** `npm run restore -- s3://bucket/folder/books-….zip`: decrypts one accountant's file, and leaves the shop alone. */
async function saveBooks(config: Config, store: OpenStore, name: string): Promise<void> {
  const books = completeBooks(store.files.values());
  const file = books.find((book) => book.name === name);
  if (!file) {
    const all = books.map((book) => `\n  ${book.name}`).join("");
    throw new StartProblem(
      `There is no complete file ${name} in ${store.folder}. ${all === "" ? "There is none" : `There are:${all}`}`,
    );
  }
  const path = join(config.dataDir, name);
  await download(store, config.dataDir, [{ file: { ...file, name: booksFolder + name }, path }]);
  console.log(`Saved as ${path}.`);
}

/** `npm run restore -- s3://bucket/folder --at "2026-11-22 10:00"`: downloads the log and what it needs, and restores to a moment. */
export async function restoreOffSiteToTime(
  config: Config,
  url: string,
  request: RestoreRequest,
): Promise<void> {
  if (config.databaseUrl !== null)
    throw new StartProblem("--at restores the embedded database, without DATABASE_URL.");
  const store = await openStore(config, splitLocation(url).folders);
  // Without BACKUP_DIR the shop will not archive its log either, so the copy is only for this restore.
  const backupDir = resolveArchiveDir(config) ?? join(config.dataDir, "off-site");
  const whole = [...store.files.values()].filter(
    (file) => file.name.startsWith(archiveFolder) && isComplete(file),
  );
  const needed = (test: RegExp) =>
    whole.filter(({ name }) => test.test(name)).map((file) => ({ file, path: join(backupDir, file.name) }));
  // The small files tell which of the others are needed.
  await download(store, backupDir, needed(/\/manifest\.json$|\/wal\/timelines\//));
  const ids = new Set(whole.map(({ name }) => name.split("/")[1] ?? ""));
  const archives = await Promise.all(
    [...ids].map(async (id): Promise<ArchiveContents> => {
      const inFolder = whole.filter(({ name }) => name.startsWith(`${archiveFolder}${id}/wal/`));
      const names = inFolder.map(({ name }) => name.split("/").at(-1) ?? "");
      return { ...(await readArchive(join(backupDir, archiveFolder, id))), segments: parseSegments(names) };
    }),
  );
  const { plan } = choosePlan(archives, request, store.folder);
  const base = plan.base.folder.slice(join(backupDir, "/").length);
  const segments = new Set(plan.segments.map(({ name }) => name));
  await download(
    store,
    backupDir,
    needed(/\/(base|wal)\//).filter(
      ({ file: { name } }) =>
        name === `${base}/${dataFile}` || segments.has(name.split("/").at(-1)?.split(".")[0] ?? ""),
    ),
  );
  await restoreToTime(config, { ...request, database: plan.archive.id }, backupDir);
}

async function download(
  { bucket, vault }: OpenStore,
  folder: string,
  downloads: readonly { file: StoredFile; path: string }[],
): Promise<void> {
  const bytes = downloads.reduce((sum, { file }) => sum + file.bytes, 0);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await ensureSpace(folder, bytes);
  const progress = showProgress("Downloading");
  let done = 0;
  for (const { file, path } of downloads) {
    await downloadFile(bucket, vault, file, path, {
      onPiece(length) {
        done += length;
        progress.update(done / bytes);
      },
    }).catch(inWords);
  }
  progress.end();
}

/**
 * `s3://bucket/folder`, perhaps with the name of a backup or an accountant's file behind it. The folder may be called `backups`
 * or `books` itself, so it is looked for as written first.
 */
function splitLocation(url: string): { folders: string[]; name: string | null } {
  const [, folder = "", name = null] =
    /^(s3:\/\/.+?)(?:\/(palmira-[^/]+\.backup|books-[^/]+\.zip))?\/*$/.exec(url) ?? [];
  return { folders: [...new Set([folder, folder.replace(/(?<=^s3:\/\/.+)\/(backups|books)$/, "")])], name };
}

async function openStore({ backups }: Config, folders: string[]): Promise<OpenStore> {
  const env = readEnvironment(process.env);
  const answers = {
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? null,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? null,
    passphrase: backups.passphrase,
  };
  const prompts = {
    accessKeyId: { variable: "AWS_ACCESS_KEY_ID", question: "Access key ID: " },
    secretAccessKey: { variable: "AWS_SECRET_ACCESS_KEY", question: "Secret access key: " },
    passphrase: { variable: "BACKUP_PASSPHRASE", question: "Passphrase: " },
  };
  const missing = (Object.keys(answers) as (keyof typeof answers)[]).filter((key) => !answers[key]);
  const lines =
    missing.length === 0 ? [] : await readSecretLines(missing.map((key) => prompts[key].question));
  for (const [index, key] of missing.entries()) answers[key] = lines[index] ?? "";
  // Without a terminal all lines are empty: the answers are missing, not wrong.
  const unset = missing.filter((key) => !answers[key]).map((key) => prompts[key].variable);
  if (unset.length > 0)
    throw new StartProblem(`Not set or entered: ${unset.join(", ")}. Nothing was changed.`);

  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const passphrase = answers.passphrase ?? "";
  for (const folder of folders) {
    const [, name, prefix = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(folder) ?? [];
    const settings = v.safeParse(bucketSchema, {
      ...answers,
      endpoint,
      region,
      bucket: name ?? "",
      prefix,
      isPathStyle: !/^https:\/\/[^/]*\.amazonaws\.com/.test(endpoint),
    });
    if (!settings.success) {
      const [issue] = settings.issues;
      throw new StartProblem(`${v.getDotPath(issue)}: ${issue.message}. Nothing was changed.`);
    }
    const bucket = openBucket(settings.output);
    const objects: StoredObject[] = await bucket.list("").catch(inWords);
    const isCopy = ({ key }: StoredObject) =>
      key === markerKey ||
      [archiveFolder, backupFolder, booksFolder].some((folder) => key.startsWith(folder));
    if (!objects.some(isCopy)) continue;
    const marker = await readMarker(bucket).catch(inWords);
    const vault = await (marker ? openVault(marker, passphrase) : openUnmarked(bucket, passphrase)).catch(
      inWords,
    );
    if (vault) return { folder, bucket, vault, files: storedFiles(objects), passphrase };
    if (marker)
      throw new StartProblem(
        `The passphrase is not the one of the backups in ${folder}. Nothing was changed.`,
      );
  }
  throw new StartProblem(
    `There are no backups of a shop in ${folders[0]} at ${endpoint}. Nothing was changed.`,
  );
}

function inWords(error: unknown): never {
  throw error instanceof BucketProblem ? new StartProblem(`${error.message}. Nothing was changed.`) : error;
}
