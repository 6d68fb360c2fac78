import { and, asc, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { questions } from "./tables.ts";

/** Who asked: with this address (in lower case), or from one of these browsers. */
type Asker = { email: string; visitorIds: string[] };

export async function exportQuestions(db: Db, asker: Asker, limit: number) {
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
    .where(by(asker))
    .orderBy(asc(questions.id))
    .limit(limit);
}

/** Deletes what was asked until a time, with the answers; answers the questions' ids. */
export async function eraseQuestions(tx: Db, asker: Asker, until: Date): Promise<number[]> {
  const erased = await tx
    .delete(questions)
    .where(and(by(asker), lte(questions.createdAt, until)))
    .returning({ id: questions.id });
  return erased.map(({ id }) => id);
}

function by({ email, visitorIds }: Asker): SQL | undefined {
  return or(eq(sql`lower(${questions.email})`, email), inArray(questions.visitorId, visitorIds));
}
