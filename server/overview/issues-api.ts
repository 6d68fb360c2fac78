import * as v from "valibot";
import { issueSchema } from "../../domain/admin/admin.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { listIssues, resolveIssue } from "./issues.ts";

const tag = "Admin";

/** Issues that a person has to decide. */
export const issuesApi = [
  route("GET /api/admin/attention", {
    tag,
    summary: "What waits for the owner's decision, oldest first",
    access: "admin",
    roles: ["staff"],
    limit: "none",
    response: dataOf(v.array(issueSchema)),
    answers: {
      200: "`[{id, kind, message, createdAt, orderId, orderNumber, amount, reason, dueAt, url}]`, at most 100; the last four of a dispute: what is disputed, why, by when to answer, and where",
    },
    handle: async (ctx) => ok(await listIssues(ctx)),
  }),
  route("POST /api/admin/attention/:id/resolve", {
    tag,
    summary: "Close an issue, with a note of what was done",
    access: "admin",
    roles: ["staff"],
    limit: "write",
    params: v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)) }),
    body: v.object({
      note: v.optional(
        v.nullable(
          v.pipe(
            v.string("Must be text"),
            v.trim(),
            v.maxLength(500, "At most 500 characters"),
            v.transform((note) => note || null),
          ),
        ),
        null,
      ),
    }),
    response: dataOf(v.object({ id: v.number(), resolvedAt: v.string() })),
    answers: { 200: "Closed", 404: "There is no such issue", 409: "It is closed already" },
    handle: async (ctx, { params, body, log }) => {
      const resolved = await resolveIssue(ctx.db, { issueId: params.id, note: body.note, now: ctx.now() });
      if (resolved === null) return problem("not_found", "There is no such issue.");
      log({
        // Beside the order that it was about, if there is one.
        subject: resolved.orderId === null ? `attention:${params.id}` : `order:${resolved.orderId}`,
        summary: `Closed an issue: ${resolved.kind.replaceAll("_", " ")}${body.note === null ? "" : `: ${body.note}`}`,
      });
      return resolved.isNew
        ? ok({ id: params.id, resolvedAt: resolved.resolvedAt.toISOString() })
        : problem("invalid_state", "This issue is closed already.");
    },
  }),
];
