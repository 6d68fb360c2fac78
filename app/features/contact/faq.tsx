import Plus from "lucide-react/icons/plus";
import { Icon } from "../../ui/icon.tsx";
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
            <details key={question} open={index === 0} className="group border-b border-line">
              <summary className="flex min-h-15 cursor-pointer list-none items-center justify-between gap-4 py-3.5 type-display text-[1.25rem] leading-[1.3] tracking-[-.012em] [&::-webkit-details-marker]:hidden">
                {question}
                <Icon
                  glyph={Plus}
                  className="transition-transform duration-(--dur-3) ease-out group-open:rotate-45"
                />
              </summary>
              <p className="pr-8 pb-5 text-ink-muted">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
