import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import * as v from "valibot";
import { backupSchema } from "../../domain/backup/backup.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import { numericId } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import { requestBackup } from "./commands.ts";
import { findBackup, listBackups } from "./queries.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;
const params = v.object({ id: numericId });

export const backupApi = [
  route("GET /api/admin/backups", {
    ...shared,
    summary: "Backups, newest first, with the results of their tests",
    limit: "none",
    response: dataOf(
      v.object({ backups: v.array(backupSchema), folder: v.string(), isNightly: v.boolean() }),
    ),
    answers: { 200: "`{backups, folder, isNightly}`; `folder`: this server's folder of backups" },
    handle: async (ctx) =>
      ok({
        backups: await listBackups(ctx.db),
        folder: ctx.config.backupDir.path,
        isNightly: ctx.config.backups.isNightly,
      }),
  }),
  route("POST /api/admin/backups", {
    ...shared,
    summary: "Make a backup now and test it by restoring it; poll the list for its progress",
    limit: "write",
    response: dataOf(v.object({ id: v.number() })),
    answers: { 202: "The `id` of the queued backup, or of one already running" },
    handle: async (ctx, { log }) => {
      const id = await requestBackup(ctx, "manual");
      log({ subject: `backup:${id}`, summary: "Asked for a backup" });
      return accepted({ id });
    },
  }),
  route("GET /api/admin/backups/:id/file", {
    ...shared,
    summary: "The stored file of a backup",
    downloads: true,
    confirm: "A backup is downloaded",
    limit: "none",
    params,
    file: ["application/octet-stream"],
    answers: { 200: "The file", 404: "This server has no such file" },
    handle: async (ctx, { params: { id }, log }) => {
      const backup = await findBackup(ctx.db, id);
      const file = backup?.path && backup.bytes ? await open(backup.path, "r").catch(() => null) : null;
      if (!file || !backup?.path) {
        const where = backup?.server ? ` It was made by the server ${backup.server}.` : "";
        return problem("not_found", `This server does not have that file.${where}`);
      }
      log({ subject: `backup:${id}`, summary: "Downloaded a backup" });
      return {
        status: 200,
        // Streamed, so that a slow client needs little memory.
        stream: Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>,
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Length": String((await file.stat()).size),
          "Content-Disposition": `attachment; filename="${basename(backup.path)}"`,
          "Cache-Control": "no-store",
        },
      };
    },
  }),
];
