import { Disclosure } from "../../ui/disclosure.tsx";
import type { Answer } from "./answers.ts";
import { contactColumns } from "./contact-columns.ts";

/** Questions that open one by one, the first open already; without JavaScript too. */
export function Faq({ answers }: { answers: readonly Answer[] }) {
  return (
    <section aria-labelledby="faq" className="section bg-cream-soft">
      <div className={`wrap ${contactColumns}`}>
        <h2 id="faq">Questions, answered</h2>
        <div className="border-t border-line">
          {answers.map(({ question, answer }, index) => (
            <Disclosure key={question} title={question} look="question" isOpen={index === 0}>
              <p>{answer}</p>
            </Disclosure>
          ))}
        </div>
      </div>
    </section>
  );
}
