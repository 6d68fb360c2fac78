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
const keptDays = 30;
/** Of all builds together; a build has 4 MB, most of which the next one has as well. */
const totalBytesMax = 100_000_000;
/** Whatever a running server has is at most this old. */
const seenEveryHours = 6;
const filesPerInsert = 20;

/**
 * Keeps the files of this server's build in the database, so that each server has those of every other: pages of two versions
 * are open during a deploy, and long after it. Awaited before the first page is served; never throws. Then says every
 * hour that the build is in use, until `stop`.
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
  // In one order, so that servers that start at once do not wait for each other in a circle.
  const paths = [...files.keys()].sort();
  const seen = await db
    .select({
      path: builtFiles.path,
      isStale: sql<boolean>`${builtFiles.seenAt} < now() - make_interval(hours => ${seenEveryHours})`,
    })
    .from(builtFiles)
    .where(inArray(builtFiles.path, paths));
  const stale = seen.filter(({ isStale }) => isStale).map(({ path }) => path);
  if (stale.length > 0) {
    await db.update(builtFiles).set({ seenAt: sql`now()` }).where(inArray(builtFiles.path, stale));
  }
  const known = new Set(seen.map(({ path }) => path));
  const missing = paths.filter((path) => !known.has(path));
  for (let at = 0; at < missing.length; at += filesPerInsert) {
    const rows = missing.slice(at, at + filesPerInsert).map(async (path) => {
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
/** How often, at most, the names are read again for one that is unknown (ms): whoever guesses costs no more. */
const namesKeptMs = 250;
const memoryBytesMax = 8_000_000;
const decompress = promisify(brotliDecompress);

type Kept = { content: Buffer; isBrotli: boolean };

/**
 * Serves files of other builds than this server's, those asked for most recently from memory. Other requests fall
 * through.
 */
export function serveBuiltFiles({ db, now }: Pick<ShopContext, "db" | "now">): MiddlewareHandler {
  const readNames = cachedFor(namesKeptMs, now, async () => {
    const rows = await db.select({ path: builtFiles.path }).from(builtFiles);
    return new Set(rows.map(({ path }) => path));
  });
  // Least recently used first.
  const memory = new Map<string, Kept>();
  let bytes = 0;
  const read = async (path: string): Promise<Kept | null> => {
    const known = memory.get(path);
    if (known) {
      memory.delete(path);
      memory.set(path, known);
      return known;
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
      if (bytes <= memoryBytesMax) break;
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
    const isSentAsItIs =
      !file.isBrotli || preferredEncoding(c.req.header("accept-encoding") ?? null) === "br";
    const body = isSentAsItIs ? file.content : await decompress(file.content);
    return c.body(new Uint8Array(body), 200, {
      "Content-Type": type,
      "Content-Length": String(body.length),
      "Cache-Control": "public, max-age=31536000, immutable",
      ...(file.isBrotli && { Vary: "Accept-Encoding" }),
      ...(file.isBrotli && isSentAsItIs && { "Content-Encoding": "br" }),
      ...(path.startsWith("images/") && { "Cross-Origin-Resource-Policy": "cross-origin" }),
    });
  };
}

/** Files of builds that no server has started with for long, and the oldest where there are too many. */
export async function purgeBuiltFiles({ db, now }: ShopContext, bytesMax = totalBytesMax): Promise<void> {
  const before = (hours: number) => new Date(now().getTime() - hours * hourMs);
  await deleteInBatches(db, builtFiles, lt(builtFiles.seenAt, before(keptDays * 24)));
  const total = sql<number>`sum(octet_length(${builtFiles.content})) over (order by ${builtFiles.seenAt} desc, ${builtFiles.path})`;
  const sized = db
    .select({ path: builtFiles.path, total: total.as("total") })
    .from(builtFiles)
    .as("sized");
  const surplus = db.select({ path: sized.path }).from(sized).where(sql`${sized.total} > ${bytesMax}`);
  await db
    .delete(builtFiles)
    .where(and(inArray(builtFiles.path, surplus), lt(builtFiles.seenAt, before(4 * seenEveryHours))));
}
