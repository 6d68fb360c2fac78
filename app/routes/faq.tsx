import { answerGroups } from "../../domain/content/blocks.ts";
import { Blocks } from "../features/content/blocks.tsx";
import { FactsContext } from "../features/content/facts-context.tsx";
import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { DeliveryTable, Topics } from "../features/content/policy-page.tsx";
import { shopPicture } from "../features/content/shop-picture.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { Picture } from "../ui/picture.tsx";
import type { Route } from "./+types/faq";

const picture = shopPicture(
  "answers.jpg",
  "The open bottle, its dropper beside drops of oil, and three palm fruits, one of them halved",
);

const parts = { deliveryTable: <DeliveryTable /> };

/** `answers` are for the structured data. */
export async function loader({ context }: Route.LoaderArgs) {
  const { head, blocks, facts } = await loadPage(context, "questions");
  const groups = answerGroups(blocks);
  return { head, facts, groups, answers: groups.flatMap(({ answers }) => answers) };
}

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/faq" });

export default function FaqPage({ loaderData: { head, facts, groups } }: Route.ComponentProps) {
  const titledGroups = groups.filter(({ title }) => title !== "");
  return (
    <FactsContext value={facts}>
      <div className="wrap grid gap-7 pt-[clamp(2rem,1.5rem+2.5vw,4.5rem)] pb-[clamp(3.5rem,2.5rem+4vw,6.5rem)] *:min-w-0 lg:grid-cols-[minmax(0,4.4fr)_minmax(0,7fr)] lg:gap-[clamp(3rem,7vw,7rem)]">
        {/* On phones, the picture follows the answers. */}
        <header className="max-lg:contents lg:sticky lg:top-[calc(var(--header-h-scrolled)+3rem)] lg:self-start">
          <div>
            <h1>{head.heading}</h1>
            <p className="mt-3.5 max-w-128 text-lead text-ink-muted">{head.lead}</p>
            <Topics
              topics={titledGroups.map(({ id, title, answers }) => ({ id, title, count: answers.length }))}
              className="mt-10"
            />
          </div>
          <div className="aspect-3/2 overflow-hidden bg-cream max-lg:order-1 max-lg:mt-3 lg:mt-10 lg:[@media(max-height:52rem)]:hidden">
            <Picture
              image={picture}
              sizes="(min-width: 64rem) 30rem, calc(100vw - 2.5rem)"
              className="size-full object-cover"
            />
          </div>
        </header>
        <div className="grid gap-10 lg:gap-13">
          {groups.map(({ id, title, answers }, position) => (
            <section key={id} aria-labelledby={title ? id : undefined}>
              {title && (
                <h2 id={id} className="font-sans text-body font-medium tracking-normal text-copper-700">
                  {title}
                </h2>
              )}
              <div className="mt-3 border-t border-line">
                {answers.map(({ question, blocks }, index) => (
                  <Disclosure
                    key={question}
                    title={question}
                    variant="question"
                    isOpen={position === 0 && index === 0}
                  >
                    <div className="grid max-w-160 gap-3 [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5">
                      <Blocks blocks={blocks} parts={parts} />
                    </div>
                  </Disclosure>
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
      <section className="bg-cream-soft">
        <div className="wrap grid gap-5 py-[clamp(2.5rem,2rem+2.5vw,4.5rem)] md:grid-cols-[1fr_auto] md:items-center">
          <div>
            <h2 className="text-h3">Something else?</h2>
            <p className="mt-1 text-ink-muted">Write to us. We answer by email.</p>
          </div>
          <ButtonLink to="/contact">Contact Us</ButtonLink>
        </div>
      </section>
    </FactsContext>
  );
}
