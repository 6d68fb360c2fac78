import Tag from "lucide-react/icons/tag";
import { useEffect, useRef, useState } from "react";
import type { AppliedDiscount } from "../../../domain/discounts/discount.ts";
import { automaticText, discountSentences } from "../../../domain/discounts/discount-terms.ts";
import { useBrowserState } from "../../ui/browser/browser-state.ts";
import { waitForPointerRelease } from "../../ui/browser/pointer-release.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import type { ApiProblem } from "../api.ts";
import type { QuoteSummary } from "../cart/use-cart-quote.ts";
import { discardSharedCode } from "./shared-code.ts";
import { codeToQuote, readStoredDiscount, storeDiscount } from "./stored-checkout.ts";

/** The field is inside the address form, but belongs to a separate form, so that Enter applies the code. */
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

/** A button that opens the field for a discount code, or the applied code with a button to remove it. */
export function DiscountField({
  discount,
  automatic,
}: {
  discount: DiscountEntry;
  /** The name of the discount that applies without a code; null for none. */
  automatic: string | null;
}) {
  const { appliedDiscount, problem, code } = discount;
  const [isOpened, setOpened] = useState(false);
  const isOpen = !appliedDiscount && (isOpened || problem !== null || code !== "");
  const [removalText, setRemovalText] = useState("");
  const frame = useRef<HTMLDivElement>(null);

  // If the focused control has been replaced, its replacement gets the focus.
  const state = appliedDiscount ? "applied" : isOpen ? "open" : "closed";
  const previousState = useRef(state);
  useEffect(() => {
    const previous = previousState.current;
    previousState.current = state;
    // A code that is applied while the field is closed came with the page, not from the shopper.
    if (previous === state || (previous === "closed" && state === "applied")) return;
    if (document.activeElement === document.body)
      frame.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [state]);

  return (
    <div ref={frame} className="noscript:hidden">
      <p role="status" className="sr-only">
        {problem ??
          (appliedDiscount
            ? `Discount code ${appliedDiscount.code} applied: ${appliedDiscount.label}.`
            : removalText)}
      </p>
      {appliedDiscount && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 rounded-sm border border-line bg-cream-soft px-3.5 py-1">
          <span className="flex min-w-0 items-center gap-2.5 text-ui">
            <Icon glyph={Tag} size="small" />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{appliedDiscount.code}</span>: {appliedDiscount.label}
            </span>
          </span>
          <TextButton
            aria-label={`Remove discount code ${appliedDiscount.code}`}
            onClick={() => {
              setRemovalText(`Discount code ${appliedDiscount.code} removed.`);
              setOpened(false);
              discount.remove();
            }}
          >
            Remove
          </TextButton>
        </div>
      )}
      {automatic !== null && (appliedDiscount || problem === null) && (
        <p className={`text-small text-ink-muted ${appliedDiscount ? "mt-2" : "mb-1"}`}>
          {appliedDiscount ? discountSentences.savesNoMore(automatic) : automaticText(automatic)}
        </p>
      )}
      {appliedDiscount && problem && <p className="mt-2 text-small text-ink-muted">{problem}</p>}
      {state === "closed" && (
        <TextButton onClick={() => setOpened(true)}>
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
            onChange={(event) => discount.changeCode(event.target.value)}
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

/**
 * The shopper's discount code. `requestQuote` asks the server to price the cart with a code; `onChange` is called when the
 * applied discount may have changed.
 */
export function useDiscount(
  requestQuote: (code: string) => Promise<QuoteSummary | ApiProblem>,
  onChange: () => void,
) {
  const [appliedDiscount, setAppliedDiscount] = useBrowserState<AppliedDiscount | null>(
    null,
    readStoredDiscount,
  );
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const setDiscount = (discount: AppliedDiscount | null) => {
    setAppliedDiscount(discount);
    storeDiscount(discount);
    // The shopper's choice here is newer than the share link.
    discardSharedCode();
    onChange();
  };

  /** Removes the discount; the code stays in its field, with the reason beside it. */
  const refuse = (sentence: string, refusedCode = appliedDiscount?.code ?? code) => {
    setDiscount(null);
    setCode(refusedCode);
    setProblem(sentence);
  };

  const applyQuote = (response: QuoteSummary) => {
    if (response.discountProblem !== null) refuse(response.discountProblem);
    else if (response.discount) {
      setProblem(null);
      setCode("");
      setDiscount(response.discount);
    }
  };

  return {
    appliedDiscount,
    code,
    problem,
    isBusy,
    refuse,
    /** Handles the response to a price request with `quotedCode`, unless a newer code has replaced it in the meantime. */
    applyQuote(response: QuoteSummary, quotedCode: string) {
      if (quotedCode !== codeToQuote()) return;
      const sentence = response.discountProblem;
      const storedDiscount = readStoredDiscount();
      if (sentence === null || storedDiscount === null || storedDiscount.code === quotedCode) {
        return sentence === null ? applyQuote(response) : refuse(sentence, quotedCode);
      }
      // The share link's code is refused; the code that was applied before stays.
      discardSharedCode();
      setProblem(`${quotedCode}: ${sentence}`);
    },
    changeCode(text: string) {
      setCode(text);
      setProblem(null);
    },
    async apply() {
      const trimmedCode = code.trim();
      if (isBusy) return;
      if (trimmedCode === "") return setProblem("Enter your discount code.");
      setBusy(true);
      const response = await requestQuote(trimmedCode);
      await waitForPointerRelease();
      setBusy(false);
      if ("discountProblem" in response) return applyQuote(response);
      const isRateLimited = response.error === "rate_limited";
      setProblem(isRateLimited ? response.message : "The code could not be checked. Please try again.");
    },
    remove() {
      setProblem(null);
      setDiscount(null);
    },
  };
}

type DiscountEntry = ReturnType<typeof useDiscount>;
