import { eq } from "drizzle-orm";
import * as v from "valibot";
import { products } from "../catalog/tables.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { enqueueOwnerAlert } from "../outbox/owner-mail.ts";
import type { Message } from "../outbox/settle.ts";
import type { Db } from "../platform/database/database.ts";
import { questions } from "./tables.ts";

const questionData = v.object({ questionId: v.pipe(v.string(), v.transform(Number)) });

export async function enqueueQuestion(tx: Db, { id, at }: { id: number; at: Date }): Promise<void> {
  const data = { questionId: String(id) };
  await enqueueOwnerAlert(tx, { kind: "owner_question", dedupeKey: `owner_question:${id}`, data }, at);
}

/** Enqueues one e-mail with the answer to the asker. */
export async function enqueueAnswer(tx: Db, { id, email }: { id: number; email: string }): Promise<void> {
  const data = { questionId: String(id) };
  const dedupeKey = `question_answer:${id}`;
  await enqueueMessages(tx, [{ kind: "question_answer", dedupeKey, recipient: email, data }]);
}

export const questionsMail = {
  async owner_question({ db, owner, adminUrl }, message) {
    const question = await findQuestion(db, message);
    if (!question) return "unneeded";
    const { productName, row } = question;
    return {
      ...owner,
      email: {
        kind: "owner_question",
        productName,
        question: row.question,
        name: row.name,
        isAnswerAwaited: row.email !== null,
        adminUrl: `${adminUrl}/questions`,
      },
    };
  },
  async question_answer({ db, publicUrl }, message) {
    const question = await findQuestion(db, message);
    if (!question?.row.answer || !message.recipient) return "unneeded";
    const { productName, slug, row } = question;
    return {
      email: {
        kind: "question_answer",
        productName,
        question: row.question,
        answer: row.answer ?? "",
        productUrl: `${publicUrl}/product/${slug}`,
      },
      secret: null,
    };
  },
} satisfies Mail;

async function findQuestion(db: Db, message: Message) {
  const { questionId } = v.parse(questionData, message.data);
  const [question = null] = await db
    .select({ row: questions, productName: products.name, slug: products.slug })
    .from(questions)
    .innerJoin(products, eq(products.id, questions.productId))
    .where(eq(questions.id, questionId));
  return question;
}
