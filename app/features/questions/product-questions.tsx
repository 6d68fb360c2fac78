import type { Product } from "../../../domain/catalog/product.ts";
import type { Question } from "../../../domain/questions/question.ts";
import { ButtonLink } from "../../ui/button.tsx";

/** What others asked about a product, and the way to ask; works without JavaScript. */
export function ProductQuestions({
  product,
  questions,
}: {
  product: Product;
  questions: readonly Question[];
}) {
  return (
    <section id="questions" className="wrap section border-t border-line pt-(--section-y)">
      <div className="grid gap-8 lg:grid-cols-[4fr_7fr] lg:gap-[clamp(3rem,7vw,7rem)]">
        <div className="grid content-start justify-items-start gap-5">
          <h2>Questions</h2>
          <p className="text-ink-muted">Anything you’d like to know? We answer by email, and here.</p>
          <ButtonLink to={`/questions/new?product=${product.slug}`} variant="secondary">
            Ask a Question
          </ButtonLink>
        </div>
        {questions.length > 0 && (
          <div className="border-t border-line">
            {questions.map(({ id, question, name, answer }) => (
              <details key={id} className="group border-b border-line">
                <summary className="flex min-h-15 cursor-pointer items-center justify-between gap-4 py-3.5 font-medium whitespace-pre-line wrap-anywhere">
                  {question}
                </summary>
                <div className="grid gap-2 pr-8 pb-5">
                  <p className="whitespace-pre-line wrap-anywhere">{answer}</p>
                  {name && <p className="text-caption text-ink-muted wrap-anywhere">Asked by {name}</p>}
                </div>
              </details>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}
