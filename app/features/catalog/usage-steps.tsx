import type { ProductImage } from "../../../domain/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";
import type { UsageStep } from "./usage-text.ts";

/** How to use the product, numbered. */
export function UsageSteps({ steps }: { steps: UsageStep[] }) {
  return (
    <ol className="border-b border-line">
      {steps.map(({ title, text, dose }, index) => (
        <li key={`${title}${text}`} className="grid grid-cols-[3rem_1fr] gap-x-2 border-t border-line py-7">
          <span
            aria-hidden="true"
            className="font-display text-2xl leading-[1.3] text-copper-700 lining-nums"
          >
            {index + 1}
          </span>
          <div>
            {title && <h3>{title}</h3>}
            <p className={`text-ink-muted ${title ? "mt-2" : ""}`}>{text}</p>
            {dose && <p className="mt-3 text-small font-medium">{dose}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

export function ProductUsage({ steps, picture }: { steps: UsageStep[]; picture: ProductImage }) {
  return (
    <section id="how" className="section pb-0">
      <div className="wrap grid gap-12 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]">
        <div>
          <h2>How to Use</h2>
          <div className="mt-10 aspect-5/4 overflow-hidden bg-cream max-lg:hidden">
            <Picture image={picture} sizes="33rem" className="size-full object-cover object-[60%_60%]" />
          </div>
        </div>
        <UsageSteps steps={steps} />
      </div>
    </section>
  );
}
