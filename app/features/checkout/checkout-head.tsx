import Check from "lucide-react/icons/check";
import { Icon } from "../../ui/icon.tsx";

export function CheckoutHead({ step }: { step: number }) {
  return (
    <div className="grid gap-4 pt-[clamp(1.5rem,1rem+2vw,3rem)] pb-9">
      <h1 tabIndex={-1} className="text-[clamp(2rem,1.6rem+1.6vw,3rem)]">
        Checkout
      </h1>
      <Stepper current={step} />
    </div>
  );
}

const steps = ["Shipping", "Payment"];

/** The steps of checkout; `current` counts from 1. */
function Stepper({ current }: { current: number }) {
  return (
    <ol aria-label="Checkout progress" className="flex flex-wrap items-center gap-x-5 gap-y-2 text-small">
      {steps.map((name, index) => {
        const isDone = index + 1 < current;
        const isCurrent = index + 1 === current;
        const disc = isDone
          ? "border-success bg-success text-white"
          : isCurrent
            ? "border-forest-800 bg-forest-800 text-paper"
            : "border-line-strong";
        return (
          <li
            key={name}
            aria-current={isCurrent ? "step" : undefined}
            className={`flex items-center gap-2.5 not-first:before:mr-2.5 not-first:before:h-px not-first:before:w-[clamp(1rem,4vw,2.75rem)] not-first:before:bg-line-strong ${
              isCurrent ? "font-semibold" : isDone ? "" : "text-ink-muted"
            }`}
          >
            <span
              className={`grid size-6.5 place-items-center rounded-full border text-caption font-semibold lining-nums ${disc}`}
            >
              {isDone ? <Icon glyph={Check} size="small" /> : index + 1}
            </span>
            {name}
            {isDone && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
