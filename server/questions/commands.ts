import { and, eq, inArray, lt, sql } from "drizzle-orm";
import {
  askerAddressDays,
  hiddenQuestionYears,
  honeypotMessageDays,
} from "../../domain/privacy/retention.ts";
import type { AskedQuestion, QuestionForm, QuestionStatus } from "../../domain/questions/question.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { eraseQuestionMail } from "../outbox/personal-data.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { enqueueAnswer, enqueueQuestion } from "./mail.ts";
import { findQuestion } from "./queries.ts";
import { questions } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

type NewQuestion = QuestionForm & { productId: number; visitorId: VisitorId; isSuspicious: boolean };

/**
 * Stores a question, and notifies the owner unless it is suspicious. A visitor who sends the same text again gets the
 * same question. Null if there is no such published product.
 */
export async function askQuestion(
  { db, now }: ShopContext,
  { productId, visitorId, question, name, email, isSuspicious }: NewQuestion,
): Promise<{ id: number } | null> {
  return db.transaction(async (tx) => {
    const [product] = await tx
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, productId), eq(products.published, true)));
    if (!product) return null;
    // Locks the visitor's row, so that of two equal questions the second finds the first.
    await rememberVisitor(tx, visitorId, now());
    const [sameQuestion] = await tx
      .select({ id: questions.id })
      .from(questions)
      .where(
        and(
          eq(questions.visitorId, visitorId),
          eq(questions.productId, productId),
          eq(questions.question, question),
        ),
      );
    if (sameQuestion) return sameQuestion;
    const [newQuestion] = await tx
      .insert(questions)
      .values({ productId, visitorId, question, name, email, isSuspicious, createdAt: now() })
      .returning({ id: questions.id });
    if (!newQuestion) throw new Error("an insert returned no row");
    if (!isSuspicious) await enqueueQuestion(tx, { id: newQuestion.id, at: now() });
    return newQuestion;
  });
}

/**
 * Applies the owner's edit of a question; missing fields stay. The first answer is e-mailed to the asker, if they left an
 * address.
 */
export async function changeQuestion(
  { db, now }: ShopContext,
  change: { id: number; answer?: string | undefined; status?: QuestionStatus | undefined },
): Promise<
  | { ok: true; before: AskedQuestion; after: AskedQuestion }
  | { ok: false; reason: "unknown_question" | "unanswered" }
> {
  const { id, answer, status } = change;
  return db.transaction(async (tx) => {
    await tx.select({ id: questions.id }).from(questions).where(eq(questions.id, id)).for("update");
    const before = await findQuestion(tx, id);
    if (!before) return { ok: false, reason: "unknown_question" };
    const newAnswer = answer ?? before.answer;
    if (status === "published" && newAnswer === null) return { ok: false, reason: "unanswered" };
    const isNewAnswer = answer !== undefined && answer !== before.answer;
    await tx
      .update(questions)
      .set({
        status: status ?? before.status,
        answer: newAnswer,
        ...(isNewAnswer && before.answer === null ? { answeredAt: now() } : {}),
      })
      .where(eq(questions.id, id));
    if (isNewAnswer && before.answer === null && before.email !== null) {
      await enqueueAnswer(tx, { id, email: before.email });
    }
    const after = await findQuestion(tx, id);
    if (!after) throw new Error(`question ${id} disappeared while it was changed`);
    return { ok: true, before, after };
  });
}

export async function deleteQuestion(
  { db, mailFolder }: ShopContext,
  id: number,
): Promise<"deleted" | "unknown" | "busy"> {
  return db.transaction(async (tx) => {
    const [question] = await tx
      .select({ id: questions.id })
      .from(questions)
      .where(eq(questions.id, id))
      .for("update");
    if (!question) return "unknown";
    if (!(await eraseQuestionMail(tx, [id], mailFolder))) return "busy";
    await tx.delete(questions).where(eq(questions.id, id));
    return "deleted";
  });
}

/** Deletes old unpublished questions, suspicious ones sooner, and the askers' addresses some time after the answer. */
export async function purgeQuestions({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  const isOld = (days: number) => lt(questions.createdAt, before(days));
  // Must match the condition of the partial index.
  const isNotShown = sql`${questions.status} <> 'published'`;
  await deleteInBatches(db, questions, and(isNotShown, isOld(hiddenQuestionYears * 365)));
  await deleteInBatches(
    db,
    questions,
    and(isNotShown, eq(questions.isSuspicious, true), isOld(honeypotMessageDays)),
  );
  const oldAnsweredQuestions = await db
    .select({ id: questions.id })
    .from(questions)
    .where(and(sql`${questions.email} is not null`, lt(questions.answeredAt, before(askerAddressDays))))
    .limit(1_000);
  if (oldAnsweredQuestions.length === 0) return;
  const ids = oldAnsweredQuestions.map(({ id }) => id);
  await db.update(questions).set({ email: null }).where(inArray(questions.id, ids));
}
