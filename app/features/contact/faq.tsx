import type { Answer } from "../../../domain/content/blocks.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Blocks } from "../content/words.tsx";
import { contactColumns } from "./contact-columns.ts";

/** Questions that open separately, the first one open at once; works without JavaScript. */
export function Faq({ heading, answers }: { heading: string; answers: readonly Answer[] }) {
  return (
    <section aria-labelledby="faq" className="section bg-cream-soft">
      <div className={`wrap ${contactColumns}`}>
        <h2 id="faq">{heading}</h2>
        <div className="border-t border-line">
          {answers.map(({ question, blocks }, index) => (
            <Disclosure key={question} title={question} look="question" isOpen={index === 0}>
              <div className="grid gap-3 [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5">
                <Blocks blocks={blocks} />
              </div>
            </Disclosure>
          ))}
        </div>
      </div>
    </section>
  );
}
