import * as v from "valibot";
import { withoutSpaces } from "../shared/required-text.ts";

const required = (max: number) => v.pipe(withoutSpaces(max), v.minLength(1, "Missing"));

const originUrl = v.pipe(
  required(300),
  v.check((url) => {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.pathname === "/" && !parsed.search;
  }, "Must be an address like https://s3.eu-central-1.amazonaws.com, without the bucket"),
  v.transform((url) => new URL(url).origin),
);

/** The bucket for copies of the backups, at any service compatible with S3. */
export const bucketSchema = v.object({
  endpoint: originUrl,
  region: v.pipe(required(60), v.regex(/^[\w-]+$/, "Must be a name like eu-central-1, or auto")),
  bucket: v.pipe(required(63), v.regex(/^[\w.-]+$/, "Enter only the bucket’s name")),
  /** Folder in the bucket; "" for its root. */
  prefix: v.pipe(
    withoutSpaces(200),
    v.transform((path) => path.replaceAll(/^\/+|\/+$/g, "")),
    v.regex(/^([\w.-]+(\/[\w.-]+)*)?$/, "May have letters, digits, dots, hyphens and slashes"),
  ),
  accessKeyId: required(200),
  secretAccessKey: required(500),
  /** Whether the bucket's name is in the URL’s path instead of the host name. */
  isPathStyle: v.boolean(),
});
export type BucketSettings = v.InferOutput<typeof bucketSchema>;

export const offSiteFormSchema = v.object({
  ...bucketSchema.entries,
  /** If empty, the stored key is kept, provided that endpoint and key id are unchanged. */
  secretAccessKey: withoutSpaces(500),
  /** The version that the caller has seen, so that another person's change is not overwritten. */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

export const passphraseFormSchema = v.object({ passphrase: v.pipe(v.string(), v.trim(), v.maxLength(500)) });

const nullableText = v.nullable(v.string());

/** State of the off-site backups, without secrets. Times ISO 8601 UTC. */
export const offSiteSchema = v.object({
  /** Version of the destination; 0 if none was ever entered. */
  version: v.number(),
  /** Null if there is none. */
  destination: v.nullable(v.omit(bucketSchema, ["secretAccessKey"])),
  /** Whether the destination is stored, but this server lacks the key to decrypt it. */
  isUnreadable: v.boolean(),
  /**
   * `environment`: BACKUP_PASSPHRASE. `unconfirmed`: the owner has not yet typed it a second time. `existing`: the files in the
   * bucket are encrypted with another passphrase, which must be entered.
   */
  passphrase: v.picklist(["environment", "panel", "unconfirmed", "existing", "none"]),
  /** When the bucket was last listed, and a file was last uploaded. */
  listedAt: nullableText,
  uploadedAt: nullableText,
  waiting: v.object({ files: v.number(), bytes: v.number() }),
  failure: v.nullable(v.object({ since: v.string(), message: v.string() })),
  /** Backups that are complete in the bucket, newest first. */
  backups: v.array(v.object({ name: v.string(), takenAt: v.string(), bytes: v.number() })),
  /** Monthly files for the accountant that are complete in the bucket, newest month (`YYYY-MM`) first. */
  books: v.array(v.object({ name: v.string(), month: v.string(), bytes: v.number() })),
  /** The period of which every moment can be restored from the bucket. */
  log: v.nullable(v.object({ from: v.string(), to: v.string(), bytes: v.number() })),
  /** The last test by a restore. */
  check: v.nullable(
    v.object({ at: v.string(), name: v.string(), isGood: v.boolean(), lines: v.array(v.string()) }),
  ),
});
export type OffSite = v.InferOutput<typeof offSiteSchema>;
