import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { AskedQuestion, QuestionPage, QuestionStatus } from "../../domain/questions/question.ts";
import { pick } from "../../domain/shared/pick.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { questions } from "./tables.ts";

/** Published questions about any size of a published product, the latest answer first. `cursor`: from the previous page. */
export async function listQuestions(
  { db, products: { sizeIds } }: Pick<ShopContext, "db" | "products">,
  { productId, limit, cursor }: { productId: number; limit: number; cursor?: number | undefined },
): Promise<QuestionPage> {
  const productIds = await sizeIds(productId);
  const rows = await db
    .select({ question: questions })
    .from(questions)
    .innerJoin(products, eq(products.id, questions.productId))
    .where(
      and(
        inArray(questions.productId, productIds),
        eq(questions.status, "published"),
        eq(products.published, true),
        cursor === undefined
          ? undefined
          : sql`(${questions.answeredAt}, ${questions.id}) <
              (select c.answered_at, c.id from ${questions} as c where c.id = ${cursor})`,
      ),
    )
    .orderBy(desc(questions.answeredAt), desc(questions.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ question }) => String(question.id));
  return {
    data: page.flatMap(({ question: row }) =>
      row.answer === null || row.answeredAt === null
        ? []
        : {
            ...pick(row, "id", "productId", "question", "name"),
            answer: row.answer,
            askedAt: row.createdAt.toISOString(),
            answeredAt: row.answeredAt.toISOString(),
          },
    ),
    nextCursor,
  };
}

/** Questions of one status, or all questions, newest first. */
export async function listAllQuestions(
  db: Db,
  filter: { status?: QuestionStatus | undefined; limit: number; cursor?: number | undefined },
): Promise<{ data: AskedQuestion[]; nextCursor: string | null }> {
  const { status, limit, cursor } = filter;
  const rows = await selectQuestions(db)
    .where(
      and(
        status === undefined ? undefined : eq(questions.status, status),
        cursor === undefined ? undefined : lt(questions.id, cursor),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ row }) => String(row.id));
  return { data: page.map(toAskedQuestion), nextCursor };
}

export async function findQuestion(db: Db, id: number): Promise<AskedQuestion | null> {
  const [row] = await selectQuestions(db).where(eq(questions.id, id));
  return row ? toAskedQuestion(row) : null;
}

function selectQuestions(db: Db) {
  return db
    .select({ row: questions, productName: products.name })
    .from(questions)
    .innerJoin(products, eq(products.id, questions.productId));
}

function toAskedQuestion({
  row,
  productName,
}: {
  row: typeof questions.$inferSelect;
  productName: string;
}): AskedQuestion {
  const { visitorId: _, createdAt, answeredAt, ...rest } = row;
  return {
    ...rest,
    productName,
    askedAt: createdAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}
