import type { Product } from "../../../domain/catalog/product.ts";
import type { Question } from "../../../domain/questions/question.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { scoreBesideList, scoreColumn } from "../reviews/list/review-score.tsx";

/** Answered questions about a product, and a link to ask one; works without JavaScript. */
export function ProductQuestions({
  product,
  questions,
}: {
  product: Product;
  questions: readonly Question[];
}) {
  return (
    <section id="questions" className={`wrap section ${scoreBesideList}`}>
      <div className={scoreColumn}>
        <h2>Questions</h2>
        <p className="text-ink-muted">Anything you’d like to know? We answer by email, and here.</p>
        <ButtonLink to={`/questions/new?product=${product.slug}`} variant="secondary">
          Ask a Question
        </ButtonLink>
      </div>
      {questions.length > 0 && (
        <div className="border-t border-line wrap-anywhere">
          {questions.map(({ id, question, name, answer }) => (
            <Disclosure key={id} title={question}>
              <p className="whitespace-pre-line text-ink">{answer}</p>
              {name && <p className="text-caption">Asked by {name}</p>}
            </Disclosure>
          ))}
        </div>
      )}
    </section>
  );
}
