import type { UsageStep } from "./product-usage.ts";

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
