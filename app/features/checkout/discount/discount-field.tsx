import Tag from "lucide-react/icons/tag";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import type { DiscountEntry } from "./use-discount.ts";

/** A form of its own, so that Enter in the field applies the code; the field stands inside another form. */
const formId = "discount-form";

export function DiscountForm({ discount }: { discount: DiscountEntry }) {
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void discount.apply();
      }}
    />
  );
}

/** A code's way in: closed until it is wanted; then the field, or what the code gives and the way to take it out. */
export function DiscountField({ discount }: { discount: DiscountEntry }) {
  const { applied, problem, code } = discount;
  const [isWanted, setWanted] = useState(false);
  const isOpen = !applied && (isWanted || problem !== null || code !== "");
  const [said, setSaid] = useState("");
  const place = useRef<HTMLDivElement>(null);

  // The control that had the focus is gone with the change: the one that took its place gets it.
  const state = applied ? "applied" : isOpen ? "open" : "closed";
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [state]);

  return (
    <div ref={place} className="noscript:hidden">
      <p role="status" className="sr-only">
        {problem ?? (applied ? `Discount code ${applied.code} applied: ${applied.label}.` : said)}
      </p>
      {applied && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 rounded-sm border border-line bg-cream-soft px-3.5 py-1">
          <span className="flex min-w-0 items-center gap-2.5 text-ui">
            <Icon glyph={Tag} size="small" />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{applied.code}</span>: {applied.label}
            </span>
          </span>
          <TextButton
            aria-label={`Remove discount code ${applied.code}`}
            onClick={() => {
              setSaid(`Discount code ${applied.code} removed.`);
              setWanted(false);
              discount.remove();
            }}
          >
            Remove
          </TextButton>
        </div>
      )}
      {state === "closed" && (
        <TextButton onClick={() => setWanted(true)}>
          <Icon glyph={Tag} size="small" /> Add a discount code
        </TextButton>
      )}
      {isOpen && (
        <div className="grid grid-cols-[1fr_auto] items-start gap-x-3">
          <Field
            label="Discount code"
            name="discountCode"
            form={formId}
            value={code}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={problem}
            onChange={(event) => discount.type(event.target.value)}
          />
          <Button
            type="submit"
            form={formId}
            variant="secondary"
            className="mt-[1.6rem] min-h-12.5"
            size="small"
            busy={discount.isBusy}
            busyText="Checking..."
          >
            Apply
          </Button>
        </div>
      )}
    </div>
  );
}
