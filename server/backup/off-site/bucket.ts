import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import type { BucketSettings } from "../../../domain/backup/off-site.ts";
import { connectionCause } from "../../platform/http/public-lookup.ts";
import { readUpTo } from "../../platform/http/request-body.ts";

/** An object of the bucket; its `key` is without the folder. */
export type StoredObject = { key: string; bytes: number };

export type Bucket = {
  put(key: string, body: Buffer, signal?: AbortSignal): Promise<void>;
  /** Null if there is no such object. */
  get(key: string, signal?: AbortSignal): Promise<Buffer | null>;
  remove(key: string, signal?: AbortSignal): Promise<void>;
  list(keyPrefix: string, signal?: AbortSignal): Promise<StoredObject[]>;
};

/** A refused or failed call, as a sentence without its full stop. `field`: the form's field, if its value is wrong. */
export class BucketProblem extends Error {
  override name = "BucketProblem";
  readonly field: string | null;
  readonly isUnreachable: boolean;
  constructor(message: string, { field = null, isUnreachable = false }: Partial<BucketProblem> = {}) {
    super(message);
    this.field = field;
    this.isUnreachable = isUnreachable;
  }
}

/** Timeout (ms) of a whole call: enough to upload a piece at 35 KB a second. */
const callMs = 60_000;
/** Pauses (ms) before a call is repeated after an outage. */
const pausesMs = [500, 3_000];
/** More than any object of the shop has, or a list of a thousand objects. */
const maxResponseBytes = 16 * 1024 ** 2;
const maxListPages = 1_000;

/** Opens a bucket of any service that speaks S3. Calls throw BucketProblem. */
export function openBucket(
  settings: BucketSettings,
  { timeoutMs = callMs, pauses = pausesMs }: { timeoutMs?: number; pauses?: readonly number[] } = {},
): Bucket {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey, isPathStyle } = settings;
  // Calls are retried below, where the reason of a failure is known.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  const root = new URL(endpoint);
  if (isPathStyle) root.pathname = `/${bucket}`;
  else root.host = `${bucket}.${root.host}`;
  const base = root.href.replace(/\/$/, "");
  const folderPrefix = prefix === "" ? "" : `${prefix}/`;

  async function attempt(method: string, url: string, body: Buffer | null, signal?: AbortSignal) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request = await client.sign(url, {
      method,
      // The service compares this hash with the received body.
      headers: {
        "X-Amz-Content-Sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
      },
      ...(body && { body: new Uint8Array(body) }),
      redirect: "manual",
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    const rethrow = (error: Error) => {
      throw unreachableProblem(root.host, error);
    };
    const { status, headers, body: stream } = await fetch(request).catch(rethrow);
    const content = await readUpTo(maxResponseBytes, stream).catch(rethrow);
    if (content === null) throw new BucketProblem("The answer is longer than any of S3");
    return { status, date: headers.get("date"), content };
  }

  async function call(method: string, url: string, body: Buffer | null, signal?: AbortSignal) {
    for (let tries = 0; ; tries += 1) {
      const result = await attempt(method, url, body, signal).then(
        (response) => {
          const { status, content } = response;
          if (status < 300 || (status === 404 && method !== "PUT" && !isBucketGone(content))) return response;
          return storageProblem(response, { method, settings });
        },
        (error: unknown) => error,
      );
      if (!(result instanceof Error)) return result as Awaited<ReturnType<typeof attempt>>;
      signal?.throwIfAborted();
      const pause = pauses[tries];
      if (!(result instanceof BucketProblem) || !result.isUnreachable || pause === undefined) throw result;
      await delay(pause, null, { signal });
    }
  }

  const objectUrl = (key: string) => `${base}/${folderPrefix}${key}`;
  return {
    async put(key, body, signal) {
      await call("PUT", objectUrl(key), body, signal);
    },
    async get(key, signal) {
      const { status, content } = await call("GET", objectUrl(key), null, signal);
      return status === 404 ? null : content;
    },
    async remove(key, signal) {
      await call("DELETE", objectUrl(key), null, signal);
    },
    async list(keyPrefix, signal) {
      const objects: StoredObject[] = [];
      let token = "";
      for (let page = 0; page < maxListPages; page += 1) {
        const query = new URLSearchParams({ "list-type": "2", prefix: `${folderPrefix}${keyPrefix}` });
        if (token !== "") query.set("continuation-token", token);
        const { content } = await call("GET", `${base}${isPathStyle ? "" : "/"}?${query}`, null, signal);
        const xml = content.toString("utf8");
        // Files missing in a list would be uploaded again, and a restore would not find them.
        if (!/<\/ListBucketResult>\s*$/.test(xml)) throw incompleteListProblem(root.host);
        // Not with one regular expression, which would scan the rest of the list again for each unterminated entry.
        for (const entry of xml.split("<Contents>").slice(1)) {
          const [item = "", rest] = entry.split("</Contents>", 2);
          if (rest === undefined) throw incompleteListProblem(root.host);
          const key = xmlElement(item, "Key") ?? "";
          if (key.startsWith(folderPrefix))
            objects.push({ key: key.slice(folderPrefix.length), bytes: Number(xmlElement(item, "Size")) });
        }
        token = xmlElement(xml, "NextContinuationToken") ?? "";
        if (token !== "") continue;
        if (xmlElement(xml, "IsTruncated") === "true") throw incompleteListProblem(root.host);
        return objects;
      }
      throw new BucketProblem(`The bucket ${bucket} has more files than can be listed`);
    },
  };
}

function unreachableProblem(host: string, error: Error): BucketProblem {
  const { cause } = error;
  const reason =
    error.name === "TimeoutError"
      ? "no answer in time"
      : connectionCause(cause instanceof Error ? cause : error);
  return new BucketProblem(`${host} could not be reached (${reason})`, { isUnreachable: true });
}

const incompleteListProblem = (host: string) =>
  new BucketProblem(`${host} did not answer with the whole list of the bucket’s files`, {
    isUnreachable: true,
  });

const isBucketGone = (content: Buffer) => xmlElement(content.toString("utf8"), "Code") === "NoSuchBucket";

function storageProblem(
  { status, date, content }: { status: number; date: string | null; content: Buffer },
  { method, settings }: { method: string; settings: BucketSettings },
): BucketProblem {
  const code = xmlElement(content.toString("utf8", 0, 10_000), "Code") ?? `status ${status}`;
  const { bucket, endpoint } = settings;
  switch (code) {
    case "InvalidAccessKeyId":
      return new BucketProblem(`This access key ID is not known at ${endpoint}`, { field: "accessKeyId" });
    case "SignatureDoesNotMatch":
      return new BucketProblem("The secret access key does not fit the access key ID", {
        field: "secretAccessKey",
      });
    case "NoSuchBucket":
      return new BucketProblem(`There is no bucket ${bucket} at ${endpoint}`, { field: "bucket" });
    case "RequestTimeTooSkewed": {
      const minutes = Math.round(Math.abs(Date.now() - Date.parse(date ?? "")) / 60_000);
      const skewText = Number.isFinite(minutes) ? `${minutes} minutes` : "too much";
      return new BucketProblem(
        `The clock of this machine differs from the bucket’s by ${skewText}: set it right`,
      );
    }
    case "XAmzContentSHA256Mismatch":
    case "BadDigest":
    case "IncompleteBody":
      return new BucketProblem(
        `A file was damaged on its way to ${new URL(endpoint).host}, which did not store it`,
        {
          isUnreachable: true,
        },
      );
    case "AuthorizationHeaderMalformed":
    case "PermanentRedirect":
    case "TemporaryRedirect":
    case "IllegalLocationConstraintException":
      return new BucketProblem(`The bucket ${bucket} is in another region`, { field: "region" });
    case "AccessDenied":
    case "status 403": {
      const verb = { PUT: "write to", DELETE: "delete in" }[method] ?? "read and list";
      return new BucketProblem(`The key may not ${verb} the bucket ${bucket}`, { field: "accessKeyId" });
    }
    default:
      return new BucketProblem(`${new URL(endpoint).host} answered ${code}`, {
        isUnreachable: status >= 500 || status === 429,
      });
  }
}

function xmlElement(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return (
    text
      ?.replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&") ?? null
  );
}
