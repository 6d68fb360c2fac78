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

/** `folder`: URL of the folder with the copies, `s3://bucket/folder`. */
type OpenStore = {
  folder: string;
  bucket: Bucket;
  vault: Vault;
  files: Map<string, StoredFile>;
  passphrase: string;
};

/**
 * `npm run restore -- s3://bucket/folder`: downloads the newest backup, or the one whose name follows, and restores it. Saves an
 * accountant's file if the name of one follows.
 */
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
  const nameList = backups.map((backup) => `  ${backup.name}`).join("\n");
  if (!chosenBackup) {
    throw new StartProblem(
      backups.length === 0
        ? `There is no complete backup in ${folder}. Nothing was changed.`
        : `There is no complete backup ${name} in ${folder}. There are:\n${nameList}\nNothing was changed.`,
    );
  }
  console.error(`Complete backups in ${folder}:\n${nameList}\nRestoring ${chosenBackup.name}.`);
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
    const nameList = books.map((book) => `\n  ${book.name}`).join("");
    throw new StartProblem(
      `There is no complete file ${name} in ${store.folder}. ${nameList === "" ? "There is none" : `There are:${nameList}`}`,
    );
  }
  const path = join(config.dataDir, name);
  await download(store, config.dataDir, [{ file: { ...file, name: booksFolder + name }, path }]);
  console.log(`Saved as ${path}.`);
}

/**
 * `npm run restore -- s3://bucket/folder --at "2026-11-22 10:00"`: downloads the base backup and the log that are needed, and
 * restores the database to a moment.
 */
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
  const completeFiles = [...store.files.values()].filter(
    (file) => file.name.startsWith(archiveFolder) && isComplete(file),
  );
  const downloadsMatching = (pattern: RegExp) =>
    completeFiles
      .filter(({ name }) => pattern.test(name))
      .map((file) => ({ file, path: join(backupDir, file.name) }));
  // The small files tell which of the others are needed.
  await download(store, backupDir, downloadsMatching(/\/manifest\.json$|\/wal\/timelines\//));
  const ids = new Set(completeFiles.map(({ name }) => name.split("/")[1] ?? ""));
  const archives = await Promise.all(
    [...ids].map(async (id): Promise<ArchiveContents> => {
      const walFiles = completeFiles.filter(({ name }) => name.startsWith(`${archiveFolder}${id}/wal/`));
      const names = walFiles.map(({ name }) => name.split("/").at(-1) ?? "");
      return { ...(await readArchive(join(backupDir, archiveFolder, id))), segments: parseSegments(names) };
    }),
  );
  const { plan } = choosePlan(archives, request, store.folder);
  const base = plan.base.folder.slice(join(backupDir, "/").length);
  const segments = new Set(plan.segments.map(({ name }) => name));
  await download(
    store,
    backupDir,
    downloadsMatching(/\/(base|wal)\//).filter(
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
  let doneBytes = 0;
  for (const { file, path } of downloads) {
    await downloadFile(bucket, vault, file, path, {
      onPiece(length) {
        doneBytes += length;
        progress.update(doneBytes / bytes);
      },
    }).catch(throwStartProblem);
  }
  progress.end();
}

/**
 * Parses `s3://bucket/folder`, possibly followed by the name of a backup or an accountant's file. A final `backups` or `books` may
 * be part of the folder's name, so the folder is first tried as written.
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
  const missingKeys = (Object.keys(answers) as (keyof typeof answers)[]).filter((key) => !answers[key]);
  const lines =
    missingKeys.length === 0 ? [] : await readSecretLines(missingKeys.map((key) => prompts[key].question));
  for (const [index, key] of missingKeys.entries()) answers[key] = lines[index] ?? "";
  // Without a terminal all lines are empty: the answers are missing, not wrong.
  const unsetVariables = missingKeys.filter((key) => !answers[key]).map((key) => prompts[key].variable);
  if (unsetVariables.length > 0)
    throw new StartProblem(`Not set or entered: ${unsetVariables.join(", ")}. Nothing was changed.`);

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
    const objects: StoredObject[] = await bucket.list("").catch(throwStartProblem);
    const isCopy = ({ key }: StoredObject) =>
      key === markerKey ||
      [archiveFolder, backupFolder, booksFolder].some((folder) => key.startsWith(folder));
    if (!objects.some(isCopy)) continue;
    const marker = await readMarker(bucket).catch(throwStartProblem);
    const vault = await (marker ? openVault(marker, passphrase) : openUnmarked(bucket, passphrase)).catch(
      throwStartProblem,
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

function throwStartProblem(error: unknown): never {
  throw error instanceof BucketProblem ? new StartProblem(`${error.message}. Nothing was changed.`) : error;
}
