import { and, asc, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  askedQuestionPageSchema,
  askedQuestionSchema,
  maxAnswerLength,
  questionFormSchema,
  questionPageSchema,
  questionStatuses,
} from "../../domain/questions/question.ts";
import { productIdSchema } from "../../domain/shared/number-fields.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { eraseMailAbout } from "../outbox/personal-data.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem, rateLimited } from "../platform/http/problem.ts";
import { askQuestion, changeQuestion, deleteQuestion, purgeQuestions } from "./commands.ts";
import { questionsMail } from "./mail.ts";
import { listAllQuestions, listQuestions } from "./queries.ts";
import { questions } from "./tables.ts";

const tag = "Questions";
const status = v.picklist(questionStatuses, `One of ${questionStatuses.join(", ")}`);
const admin = { tag, access: "admin" } as const;

const questionsApi = [
  route("GET /api/questions/product/:productId", {
    tag,
    summary: "Answered questions about a product, the latest answer first",
    access: "anyone",
    limit: "none",
    params: v.object({ productId: numericId }),
    query: v.object({ limit: pageLimit(50), cursor: v.optional(numericId) }),
    response: questionPageSchema,
    responses: { 200: "`{data, nextCursor}`; empty for an unknown product" },
    handle: async (ctx, { params, query }) => ({
      status: 200,
      body: await listQuestions(ctx, { ...params, ...query }),
    }),
  }),
  route("POST /api/questions", {
    tag,
    summary: "Ask about a product; the owner is notified",
    access: "anyone",
    limit: "contact",
    body: v.object({
      productId: productIdSchema,
      ...questionFormSchema.entries,
      /** Honeypot: hidden in the form, so only bots fill it in. */
      website: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500, "Too long"))), null),
    }),
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: {
      201: "The question was stored; it is shown once it is answered",
      404: "There is no such published product",
    },
    handle: async (ctx, { body: { website, ...question }, visitor }) => {
      const visitorId = visitor();
      const waitS = await ctx.limits.take("asker", visitorId);
      if (waitS !== null) return rateLimited("You have asked many questions. Please try again later.", waitS);
      const isSuspicious = (website ?? "").trim() !== "";
      const result = await askQuestion(ctx, { ...question, visitorId, isSuspicious });
      return result ? created({ id: result.id }) : notFoundProblem("product");
    },
  }),
  route("GET /api/admin/questions", {
    ...admin,
    roles: ["staff"],
    summary: "Questions about products, newest first",
    query: v.object({ status: v.optional(status), limit: pageLimit(50), cursor: v.optional(numericId) }),
    response: askedQuestionPageSchema,
    responses: { 200: "`{data, nextCursor}`" },
    handle: async (ctx, { query }) => ({ status: 200, body: await listAllQuestions(ctx.db, query) }),
  }),
  route("PATCH /api/admin/questions/:id", {
    ...admin,
    roles: ["staff"],
    summary: "Answer, publish or hide a question; the first answer is e-mailed to the asker",
    limit: "write",
    params: idParams,
    body: v.pipe(
      v.object({
        answer: v.optional(
          v.pipe(
            v.string("Write your answer first"),
            v.trim(),
            v.minLength(1, "Write your answer first"),
            v.check((text) => [...text].length <= maxAnswerLength, `At most ${maxAnswerLength} characters`),
          ),
        ),
        status: v.optional(status),
      }),
      v.check(
        ({ answer, status }) => answer !== undefined || status !== undefined,
        "Send an answer or a status",
      ),
    ),
    response: dataEnvelope(askedQuestionSchema),
    responses: {
      200: "The question",
      404: "There is no such question",
      409: "`invalid_state`: it has no answer to publish",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await changeQuestion(ctx, { id, ...body });
      if (!result.ok) {
        return result.reason === "unknown_question"
          ? notFoundProblem("question")
          : problem("invalid_state", "Answer the question before you publish it.");
      }
      const { before, after } = result;
      const actions = [
        ...(before.answer === after.answer
          ? []
          : [before.answer === null ? "Answered" : "Changed the answer to"]),
        ...(before.status === after.status
          ? []
          : [{ open: "Reopened", published: "Published", hidden: "Hid" }[after.status]]),
      ];
      log({
        summary: actions.length === 0 ? "Left a question as it was" : `${actions.join(", ")} a question`,
        ...(before.status === after.status
          ? {}
          : { before: { status: before.status }, after: { status: after.status } }),
      });
      return ok(after);
    },
  }),
  route("DELETE /api/admin/questions/:id", {
    ...admin,
    roles: ["staff"],
    summary: "Delete a question with its answer and the emails about it",
    limit: "write",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: {
      200: "Deleted",
      404: "There is no such question",
      409: "`invalid_state`: an email about it is being sent just now",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const result = await deleteQuestion(ctx, id);
      if (result === "unknown") return notFoundProblem("question");
      if (result === "busy") {
        return problem(
          "invalid_state",
          "An email about it is being sent just now. Please try again in a minute.",
        );
      }
      log("Deleted a question");
      return ok({ id });
    },
  }),
];

export const questionsFeature = {
  api: questionsApi,
  mail: questionsMail,
  purges: [purgeQuestions],
  personalData: { lists: { questions: exportQuestions }, erase: eraseQuestions },
} satisfies Feature;

async function exportQuestions(db: Db, asker: Person, limit: number) {
  const { productId, question, name, email, status, answer, answeredAt, createdAt } = questions;
  return db
    .select({ productId, question, name, email, status, answer, answeredAt, createdAt })
    .from(questions)
    .where(isByPerson(asker))
    .orderBy(asc(questions.id))
    .limit(limit);
}

/** Deletes a person's questions written up to a time, with their answers and the e-mails about them. */
async function eraseQuestions(tx: Db, person: PersonToErase, { mailFolder }: ShopContext): Promise<void> {
  const erasedQuestions = await tx
    .delete(questions)
    .where(and(isByPerson(person), lte(questions.createdAt, person.until)))
    .returning({ id: questions.id });
  const ids = erasedQuestions.map(({ id }) => String(id));
  await eraseMailAbout(tx, { subject: "questionId", ids, person }, mailFolder);
}

/** Matches questions with this address, or from one of these browsers. */
function isByPerson({ email, visitorIds }: Person): SQL | undefined {
  return or(eq(sql`lower(${questions.email})`, email), inArray(questions.visitorId, visitorIds));
}
