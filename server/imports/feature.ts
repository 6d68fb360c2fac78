import * as v from "valibot";
import {
  countsText,
  importCheckFormSchema,
  importCheckSchema,
  importFormSchema,
  importLimits,
  importSchema,
} from "../../domain/imports/import.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { UploadedFile } from "../platform/http/request-body.ts";
import { recurring } from "../platform/jobs/jobs.ts";
import {
  applyImport,
  checkImport,
  eraseImportedRows,
  kindWords,
  listImports,
  lockImports,
  purgeImports,
  undoImport,
} from "./commands.ts";

const shared = { tag: "Imports", access: "admin", limit: "write", roles: ["staff"] } as const;
const upload = { field: "file", maxBytes: importLimits.bytes };

/** Calls that import CSV files: a dry run, the import, and its undo within an hour. */
const importsApi = [
  route("POST /api/admin/imports/check", {
    ...shared,
    summary: "Check a CSV file row by row, without importing anything",
    onlyReads: true,
    upload,
    body: importCheckFormSchema,
    response: dataEnvelope(importCheckSchema),
    responses: { 200: "What becomes of each row, and the `key` to import exactly this" },
    handle: async (ctx, { body, file }) => {
      const result = await checkImport(ctx, { ...body, bytes: fileBytes(file) });
      return result.ok ? ok(result.check) : unreadableProblem(result.problem);
    },
  }),
  route("POST /api/admin/imports", {
    ...shared,
    summary: "Import a CSV file as its check said: all of its new and changed rows, or nothing",
    upload,
    body: importFormSchema,
    response: dataEnvelope(importSchema),
    responses: {
      200: "The import of an earlier call with this `id`",
      201: "The import; it can be undone for an hour",
      409: "`invalid_state`: the file or the shop has changed since the check",
    },
    handle: async (ctx, { body, file, log }) => {
      const result = await applyImport(ctx, { ...body, bytes: fileBytes(file) });
      if (result.ok) {
        const { id, kind, counts } = result.import;
        const title = `Import of ${kindWords[kind]}`;
        log({
          subject: `import:${id}`,
          ...(result.isRepeat
            ? { summary: `${title} requested again, but not done twice` }
            : { summary: `${title}: ${countsText(counts)}`, after: counts }),
        });
        return result.isRepeat ? ok(result.import) : created(result.import);
      }
      return result.isOutdated ? problem("invalid_state", result.problem) : unreadableProblem(result.problem);
    },
  }),
  route("GET /api/admin/imports", {
    ...shared,
    limit: "none",
    summary: "Imports of the last hour, newest first",
    response: dataEnvelope(v.array(importSchema)),
    responses: { 200: "Imports with `undoUntil`, and `undone` if they were" },
    handle: async (ctx) => ok(await listImports(ctx)),
  }),
  route("POST /api/admin/imports/:id/undo", {
    ...shared,
    limit: "none",
    summary: "Undo an import, except for rows that were changed or used since",
    params: v.object({ id: v.pipe(uuidSchema, v.toLowerCase()) }),
    response: dataEnvelope(importSchema),
    responses: {
      200: "The import; `undone.kept`: rows that stay, and why",
      404: "No import of the last hour",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const result = await undoImport(ctx, id);
      if (!result) return problem("not_found", "An import can be undone for an hour. This one stays.");
      const { undone, isRepeat } = result;
      const rows = { undone: undone.rows, kept: undone.kept.length };
      const kind = kindWords[result.import.kind];
      log({
        ...(isRepeat
          ? { summary: `Undo of an import of ${kind} requested again, but not done twice` }
          : {
              summary: `Import of ${kind} undone: ${rows.undone} taken back, ${rows.kept} kept`,
              after: rows,
            }),
      });
      return ok(result.import);
    },
  }),
];

function fileBytes(file: UploadedFile | null): Buffer {
  if (!file) throw new Error("an upload without a file");
  return file.bytes;
}

function unreadableProblem(reason: string): Problem {
  return problem("validation_failed", reason, { fields: { file: reason } });
}

const purgeJob = { name: "forget_imports", lane: "upkeep", priority: 10, everySeconds: 300 } as const;

/** Imports from CSV files. */
export const importsFeature = {
  api: importsApi,
  cron: (ctx) => [recurring(purgeJob, () => purgeImports(ctx))],
  purges: [purgeImports],
  // Waits for running imports, which could store the person again.
  personalData: { beforeErase: lockImports, erase: (tx, { email }) => eraseImportedRows(tx, email) },
} satisfies Feature;
