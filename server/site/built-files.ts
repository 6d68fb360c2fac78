import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { ShopContext } from "../context.ts";
import { cachedFor } from "../platform/cached-for.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { preferredEncoding } from "../platform/http/content-encoding.ts";
import { builtFiles } from "./tables.ts";

const hourMs = 3_600_000;
const unusedDays = 30;
/** Limit for all builds together. A build has 4 MB, most of it shared with the next one. */
const maxTotalBytes = 100_000_000;
/** Age at which `seenAt` of a running server's files is refreshed. */
const seenIntervalHours = 6;
const filesPerInsert = 20;

/**
 * Stores the files of this server's build in the database, so that every server can serve them: during and after a deploy,
 * browsers have pages of two versions open. Awaited before the first page is served; never throws. Marks the build as in
 * use every hour until `stop`.
 */
export async function shareBuiltFiles(db: Db, buildDir: string, log: Logger): Promise<{ stop(): void }> {
  const share = () =>
    storeBuiltFiles(db, buildDir).catch((error: unknown) => {
      log.warn({ err: error }, "the files of this build could not be stored for other servers");
    });
  await share();
  const timer = setInterval(share, hourMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function storeBuiltFiles(db: Db, buildDir: string): Promise<void> {
  const files = new Map<string, string>();
  for (const folder of [join(buildDir, "client/assets"), join(buildDir, "images")]) {
    const prefix = folder.endsWith("images") ? "images" : "assets";
    for (const name of globSync("*.*", { cwd: folder })) {
      if (!/\.(br|gz|partial)$/.test(name)) files.set(`${prefix}/${name}`, join(folder, name));
    }
  }
  // Sorted, so that servers that start concurrently cannot deadlock.
  const paths = [...files.keys()].sort();
  const rows = await db
    .select({
      path: builtFiles.path,
      isStale: sql<boolean>`${builtFiles.seenAt} < now() - make_interval(hours => ${seenIntervalHours})`,
    })
    .from(builtFiles)
    .where(inArray(builtFiles.path, paths));
  const stalePaths = rows.filter(({ isStale }) => isStale).map(({ path }) => path);
  if (stalePaths.length > 0) {
    await db.update(builtFiles).set({ seenAt: sql`now()` }).where(inArray(builtFiles.path, stalePaths));
  }
  const storedPaths = new Set(rows.map(({ path }) => path));
  const missingPaths = paths.filter((path) => !storedPaths.has(path));
  for (let start = 0; start < missingPaths.length; start += filesPerInsert) {
    const rows = missingPaths.slice(start, start + filesPerInsert).map(async (path) => {
      const file = files.get(path) ?? "";
      const isBrotli = existsSync(`${file}.br`);
      return { path, isBrotli, content: await readFile(isBrotli ? `${file}.br` : file) };
    });
    await db
      .insert(builtFiles)
      .values(await Promise.all(rows))
      .onConflictDoNothing();
  }
}

const types: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
/** Lifetime of the cached file names (ms); bounds the queries for unknown names. */
const namesCacheMs = 250;
const maxMemoryBytes = 8_000_000;
const decompress = promisify(brotliDecompress);

type CachedFile = { content: Buffer; isBrotli: boolean };

/**
 * Serves files of other servers' builds, recently requested ones from memory. Other requests fall through.
 */
export function serveBuiltFiles({ db, now }: Pick<ShopContext, "db" | "now">): MiddlewareHandler {
  const readNames = cachedFor(namesCacheMs, now, async () => {
    const rows = await db.select({ path: builtFiles.path }).from(builtFiles);
    return new Set(rows.map(({ path }) => path));
  });
  // Least recently used first.
  const memory = new Map<string, CachedFile>();
  let bytes = 0;
  const read = async (path: string): Promise<CachedFile | null> => {
    const cached = memory.get(path);
    if (cached) {
      memory.delete(path);
      memory.set(path, cached);
      return cached;
    }
    if (!(await readNames()).has(path)) return null;
    const [file] = await db
      .select({ content: builtFiles.content, isBrotli: builtFiles.isBrotli })
      .from(builtFiles)
      .where(eq(builtFiles.path, path));
    if (!file) return null;
    if (!memory.has(path)) bytes += file.content.length;
    memory.set(path, file);
    for (const [oldest, { content }] of memory) {
      if (bytes <= maxMemoryBytes) break;
      memory.delete(oldest);
      bytes -= content.length;
    }
    return file;
  };
  return async (c, next) => {
    const path = c.req.path.slice(1);
    const type = types[extname(path)];
    if ((c.req.method !== "GET" && c.req.method !== "HEAD") || type === undefined) return next();
    const file = await read(path);
    if (!file) return next();
    c.set("route", "file");
    const isSentAsStored =
      !file.isBrotli || preferredEncoding(c.req.header("accept-encoding") ?? null) === "br";
    const body = isSentAsStored ? file.content : await decompress(file.content);
    return c.body(new Uint8Array(body), 200, {
      "Content-Type": type,
      "Content-Length": String(body.length),
      "Cache-Control": "public, max-age=31536000, immutable",
      ...(file.isBrotli && { Vary: "Accept-Encoding" }),
      ...(file.isBrotli && isSentAsStored && { "Content-Encoding": "br" }),
      // Pictures for other sites and e-mails, fonts for e-mails.
      ...(/^images\/|\.woff2$/.test(path) && { "Cross-Origin-Resource-Policy": "cross-origin" }),
      ...(path.endsWith(".woff2") && { "Access-Control-Allow-Origin": "*" }),
    });
  };
}

/** Deletes files of builds not in use for `unusedDays`, and the oldest ones above `maxBytes`. */
export async function purgeBuiltFiles({ db, now }: ShopContext, maxBytes = maxTotalBytes): Promise<void> {
  const hoursAgo = (hours: number) => new Date(now().getTime() - hours * hourMs);
  await deleteInBatches(db, builtFiles, lt(builtFiles.seenAt, hoursAgo(unusedDays * 24)));
  const total = sql<number>`sum(octet_length(${builtFiles.content})) over (order by ${builtFiles.seenAt} desc, ${builtFiles.path})`;
  const sized = db
    .select({ path: builtFiles.path, total: total.as("total") })
    .from(builtFiles)
    .as("sized");
  const surplus = db.select({ path: sized.path }).from(sized).where(sql`${sized.total} > ${maxBytes}`);
  await db
    .delete(builtFiles)
    .where(and(inArray(builtFiles.path, surplus), lt(builtFiles.seenAt, hoursAgo(4 * seenIntervalHours))));
}
