import { randomBytes, randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import {
  type BucketSettings,
  bucketSchema,
  type offSiteFormSchema,
  offSiteSchema,
} from "../../../domain/backup/off-site.ts";
import { withoutKey } from "../../connections/save.ts";
import type { ShopContext } from "../../context.ts";
import { notifyOwners } from "../../outbox/owner-mail.ts";
import type { Db } from "../../platform/database/database.ts";
import { invalidFields, type Problem, problem } from "../../platform/http/problem.ts";
import type { Viewer } from "../../platform/http/viewer.ts";
import { StartProblem } from "../../platform/process/start-problem.ts";
import { readShopId } from "../../settings/installation.ts";
import { decrypt, deleteSecret, writeFacts, writeSecret } from "../../settings/secrets.ts";
import { secrets } from "../../settings/tables.ts";
import { type Bucket, BucketProblem, openBucket } from "./bucket.ts";
import { type Marker, openVault, readMarker } from "./pieces.ts";

const secretName = "off_site";
const stateName = "off_site_state";

const storedSchema = v.object({
  bucket: bucketSchema,
  /** Created or entered in the panel; null if there is none yet, or BACKUP_PASSPHRASE is used. */
  passphrase: v.nullable(v.string()),
  /** Whether the owner has confirmed the passphrase by typing it again. */
  isConfirmed: v.boolean(),
  /** Whether the bucket had files of this shop when it was entered. */
  hasFiles: v.boolean(),
});
export type Destination = v.InferOutput<typeof storedSchema> & {
  version: number;
  updatedAt: Date;
};

/** `count`: failures in a row. */
const failureSchema = v.nullable(
  v.object({ since: v.string(), message: v.string(), count: v.number(), retryAt: v.string() }),
);
export type OffSiteFailure = v.InferOutput<typeof failureSchema>;

/** Progress of the uploads to the destination with this version, without secrets. Times are ISO 8601 in UTC. */
const stateSchema = v.object({
  ...v.pick(offSiteSchema, ["version", "listedAt", "uploadedAt", "backups", "log", "check"]).entries,
  /** Missing in states stored by an earlier version of the shop. */
  books: v.optional(offSiteSchema.entries.books, []),
  waiting: v.object({ files: v.number(), bytes: v.number(), since: v.nullable(v.string()) }),
  failure: failureSchema,
  /** Failure to make an accountant's file, which does not stop the other uploads. */
  booksFailure: v.optional(failureSchema, null),
});
export type OffSiteState = v.InferOutput<typeof stateSchema>;

const newState = (version: number): OffSiteState => ({
  version,
  listedAt: null,
  uploadedAt: null,
  waiting: { files: 0, bytes: 0, since: null },
  failure: null,
  booksFailure: null,
  backups: [],
  books: [],
  log: null,
  check: null,
});

/** `destination`: null if there is none. `isUnreadable`: this server lacks the key that encrypted it. */
export async function readDestination({ db, secretsKey }: Pick<ShopContext, "db" | "secretsKey">): Promise<{
  version: number;
  destination: Destination | null;
  isUnreadable: boolean;
}> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, secretName));
  const { version = 0, updatedAt } = row ?? {};
  const secret = row && decrypt(secretsKey, row);
  if (secret?.state !== "set" || !updatedAt)
    return { version, destination: null, isUnreadable: secret?.state === "unreadable" };
  const fields = v.parse(storedSchema, JSON.parse(secret.value));
  return { version, destination: { ...fields, version, updatedAt }, isUnreadable: false };
}

/** The passphrase to encrypt with; null if there is none yet, or the owner has not confirmed it. */
export function passphraseInUse(
  { config }: Pick<ShopContext, "config">,
  { passphrase, isConfirmed }: Destination,
): string | null {
  return config.backups.passphrase ?? (isConfirmed ? passphrase : null);
}

export async function readState(db: Db, version: number): Promise<OffSiteState> {
  const [row] = await db.select({ facts: secrets.facts }).from(secrets).where(eq(secrets.name, stateName));
  const state = v.safeParse(stateSchema, row?.facts);
  return state.success && state.output.version === version ? state.output : newState(version);
}

/** Progress of the uploads to the current destination, if there is one. */
export async function readProgress(db: Db): Promise<OffSiteState | null> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, secretName));
  return row?.sealed ? readState(db, row.version) : null;
}

/** Stores the state separately from the destination and unencrypted, because it contains no secret. */
export function writeState(db: Db, state: OffSiteState, now: Date): Promise<void> {
  return writeFacts(db, { name: stateName, facts: state, now });
}

/**
 * Ends the uploads of a restored shop: the original shop may still be running, and both would write and delete files in the same
 * folder.
 */
export async function forgetDestination(tx: Db): Promise<void> {
  await deleteSecret(tx, secretName);
  await deleteSecret(tx, stateName);
}

/** Writes, reads, lists and deletes a small object. Throws BucketProblem. */
async function testBucket(bucket: Bucket): Promise<void> {
  const name = `palmira-try-${randomBytes(6).toString("hex")}`;
  const content = randomBytes(64);
  await bucket.put(name, content);
  try {
    if (!(await bucket.get(name))?.equals(content))
      throw new BucketProblem("What was written there is not what can be read");
    if (!(await bucket.list(name)).some(({ key }) => key === name))
      throw new BucketProblem("What was written there is not in the bucket’s list");
  } finally {
    await bucket.remove(name);
  }
}

/** Tests a bucket and stores it. Returns null if it was stored. */
export async function saveDestination(
  ctx: ShopContext,
  { version, ...form }: v.InferOutput<typeof offSiteFormSchema>,
  viewer: Viewer,
): Promise<Problem | null> {
  const { destination: current } = await readDestination(ctx);
  const settings = { ...form, secretAccessKey: form.secretAccessKey || chooseSecret(form, current) };
  if (settings.secretAccessKey === "") {
    return invalidFields({
      secretAccessKey: current ? "Enter it again for this address and key" : "Missing",
    });
  }
  let marker: Marker | null;
  try {
    // The owner is waiting for the response.
    const bucket = openBucket(settings, { timeoutMs: 15_000, pauses: [] });
    await testBucket(bucket);
    marker = await readMarker(bucket);
  } catch (error) {
    if (error instanceof StartProblem) return invalidFields({ prefix: error.message });
    if (!(error instanceof BucketProblem)) throw error;
    if (error.field) return invalidFields({ [error.field]: error.message });
    return problem("provider_unavailable", `${error.message}. Nothing was kept.`);
  }
  if (marker && marker.shopId !== (await readShopId(ctx.db)))
    return invalidFields({ prefix: "Another shop’s backups are there: choose another folder" });
  const isSameFolder = (["endpoint", "bucket", "prefix"] as const).every(
    (field) => current?.bucket[field] === settings[field],
  );
  const environmentPassphrase = ctx.config.backups.passphrase;
  if (marker && environmentPassphrase !== null && !(await openVault(marker, environmentPassphrase)))
    return invalidFields({
      prefix: "The files there have another passphrase than BACKUP_PASSPHRASE: choose another folder",
    });
  const { passphrase, isConfirmed } = (isSameFolder && current) || { passphrase: null, isConfirmed: false };
  const value = { bucket: settings, passphrase, isConfirmed, hasFiles: marker !== null };
  return store(ctx, value, { version, viewer, change: "changed" });
}

/** The secret to use. A stored secret is only sent to the endpoint for which it was entered. */
function chooseSecret(
  form: Pick<BucketSettings, "endpoint" | "accessKeyId">,
  current: Destination | null,
): string {
  const isSameAccount =
    current?.bucket.endpoint === form.endpoint && current.bucket.accessKeyId === form.accessKeyId;
  return isSameAccount ? current.bucket.secretAccessKey : "";
}

/**
 * Creates a passphrase, which is used once the owner has confirmed it. Does not replace a confirmed one, because the bucket's
 * files need it.
 */
export async function makePassphrase(
  ctx: ShopContext,
  viewer: Viewer,
): Promise<{ passphrase: string } | Problem> {
  const current = await readUnconfirmedDestination(ctx);
  if ("problem" in current) return current;
  if (current.hasFiles)
    return problem("invalid_state", "There are files already: enter the passphrase that they have.");
  const passphrase = newPassphrase();
  const { bucket, version } = current;
  const value = { bucket, passphrase, isConfirmed: false, hasFiles: false };
  return (await store(ctx, value, { version, viewer, change: null })) ?? { passphrase };
}

/**
 * Confirms a new passphrase, which the owner has typed again, or stores the passphrase of the bucket's files. Returns null if it
 * was stored.
 */
export async function confirmPassphrase(
  ctx: ShopContext,
  passphrase: string,
  viewer: Viewer,
): Promise<Problem | null> {
  const current = await readUnconfirmedDestination(ctx);
  if ("problem" in current) return current;
  const marker = await readDestinationMarker(current);
  if (marker && "problem" in marker) return marker;
  const isCorrect = marker
    ? (await openVault(marker, passphrase)) !== null
    : passphrase !== "" && passphrase === current.passphrase;
  if (!isCorrect)
    return invalidFields({ passphrase: marker ? "The files there have another one" : "This is another one" });
  const { bucket, version } = current;
  const value = { bucket, passphrase, isConfirmed: true, hasFiles: marker !== null };
  return store(ctx, value, { version, viewer, change: "given a passphrase" });
}

async function readUnconfirmedDestination(ctx: ShopContext): Promise<Destination | Problem> {
  if (ctx.config.backups.passphrase !== null)
    return problem("invalid_state", "This is set where the shop runs, and changed there: BACKUP_PASSPHRASE.");
  const { destination } = await readDestination(ctx);
  if (destination === null) return problem("invalid_state", "Enter the bucket first.");
  return destination.isConfirmed
    ? problem("invalid_state", "The passphrase is in use: the files in the bucket need it.")
    : destination;
}

async function readDestinationMarker({ bucket }: Destination): Promise<Marker | null | Problem> {
  try {
    return await readMarker(openBucket(bucket, { timeoutMs: 15_000, pauses: [] }));
  } catch (error) {
    if (error instanceof BucketProblem || error instanceof StartProblem)
      return problem("provider_unavailable", `${error.message}. Nothing was changed.`);
    throw error;
  }
}

/** Five groups of five letters and digits, without characters that look alike: over 120 bits. */
function newPassphrase(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: 5 }, group).join("-");
}

async function store(
  ctx: ShopContext,
  value: v.InferOutput<typeof storedSchema> | null,
  { version, viewer, change }: { version: number; viewer: Viewer; change: string | null },
): Promise<Problem | null> {
  const { db, secretsKey } = ctx;
  if (value !== null && secretsKey.id === null) return withoutKey(ctx);
  const isStored = await db.transaction(async (tx) => {
    const secret = {
      name: secretName,
      value: value && JSON.stringify(value),
      expectedVersion: version,
      now: ctx.now(),
      by: viewer.admin?.person?.id ?? null,
    };
    if (!(await writeSecret({ db: tx, secretsKey }, secret))) return false;
    if (change !== null)
      await notifyOwners(ctx, tx, { what: `Off-site backups: the destination was ${change}`, viewer });
    return true;
  });
  return isStored
    ? null
    : problem(
        "invalid_state",
        "The destination was changed in the meantime, by somebody else or in another window.",
      );
}

export async function removeDestination(
  ctx: ShopContext,
  version: number,
  viewer: Viewer,
): Promise<Problem | null> {
  return store(ctx, null, { version, viewer, change: "removed" });
}
