import type { ReactNode } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import type { Question } from "../../../domain/questions/question.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { scoreBesideList, scoreColumn } from "../reviews/list/review-score.tsx";

/** Answered questions about a product, and a link to ask one; works without JavaScript. */
export function QuestionList({ product, questions }: { product: Product; questions: readonly Question[] }) {
  return (
    <section id="questions" className={`wrap section pt-0 ${scoreBesideList}`}>
      <div className={scoreColumn}>
        <h2>Questions</h2>
        <AskLink product={product} />
      </div>
      <div className="border-t border-line wrap-anywhere">
        {questions.map(({ id, question, name, answer }) => (
          <Disclosure key={id} title={question}>
            <p className="whitespace-pre-line text-ink">{answer}</p>
            {name && <p className="text-caption">Asked by {name}</p>}
          </Disclosure>
        ))}
      </div>
    </section>
  );
}

/** A part of `QuietBlock`, for a product without questions. */
export function AskAQuestion({ product }: { product: Product }) {
  return (
    <div id="questions">
      <h2 className="text-h3">Questions</h2>
      <div className="mt-2">
        <AskLink product={product} />
      </div>
    </div>
  );
}

function AskLink({ product }: { product: Product }) {
  return (
    <>
      <p className="mb-5 text-ink-muted">Anything you’d like to know? We answer by email, and here.</p>
      <ButtonLink to={`/questions/new?product=${product.slug}`} variant="secondary">
        Ask a Question
      </ButtonLink>
    </>
  );
}

/** Shows empty sections side by side, so that they need little space. */
export function QuietBlock({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-10 rounded-md bg-cream-soft p-[clamp(1.5rem,1rem+2.5vw,3rem)] md:auto-cols-fr md:grid-flow-col">
      {children}
    </div>
  );
}
