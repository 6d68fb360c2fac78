import { and, asc, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { eraseMailAbout } from "../outbox/personal-data.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { questionsApi } from "./api.ts";
import { purgeQuestions } from "./commands.ts";
import { questionsMail } from "./mail.ts";
import { questions } from "./tables.ts";

export const questionsFeature = {
  api: questionsApi,
  mail: questionsMail,
  purges: [purgeQuestions],
  personalData: { lists: { questions: exportQuestions }, erase: eraseQuestions },
} satisfies Feature;

async function exportQuestions(db: Db, asker: Person, limit: number) {
  return db
    .select({
      productId: questions.productId,
      question: questions.question,
      name: questions.name,
      email: questions.email,
      status: questions.status,
      answer: questions.answer,
      answeredAt: questions.answeredAt,
      createdAt: questions.createdAt,
    })
    .from(questions)
    .where(isBy(asker))
    .orderBy(asc(questions.id))
    .limit(limit);
}

/** Deletes questions written until a time, with their answers and e-mails about them. */
async function eraseQuestions(tx: Db, person: PersonToErase, { mailFolder }: ShopContext): Promise<void> {
  const erased = await tx
    .delete(questions)
    .where(and(isBy(person), lte(questions.createdAt, person.until)))
    .returning({ id: questions.id });
  const ids = erased.map(({ id }) => String(id));
  await eraseMailAbout(tx, { subject: "questionId", ids, person }, mailFolder);
}

/** Questions with this address, or from one of these browsers. */
function isBy({ email, visitorIds }: Person): SQL | undefined {
  return or(eq(sql`lower(${questions.email})`, email), inArray(questions.visitorId, visitorIds));
}
