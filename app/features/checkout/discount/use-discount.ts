import { useState } from "react";
import type { AppliedDiscount } from "../../../../domain/discounts/discount.ts";
import { useBrowserState } from "../../../ui/browser-state.ts";
import { pressOver } from "../../../ui/press-over.ts";
import type { ApiProblem } from "../../api.ts";
import type { Quoted } from "../use-quote.ts";
import { readDiscount, saveDiscount } from "./saved-discount.ts";

/**
 * The shopper's discount code. `requestQuote` has the server price the cart with a code; `onChange` is called when the
 * applied discount may have changed.
 */
export function useDiscount(
  requestQuote: (code: string) => Promise<Quoted | ApiProblem>,
  onChange: () => void,
) {
  const [applied, setApplied] = useBrowserState<AppliedDiscount | null>(null, readDiscount);
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const setDiscount = (discount: AppliedDiscount | null) => {
    setApplied(discount);
    saveDiscount(discount);
    onChange();
  };

  /** Removes the discount; the code stays in its field, beside the reason. */
  const refuse = (sentence: string, refusedCode = applied?.code ?? code) => {
    setDiscount(null);
    setCode(refusedCode);
    setProblem(sentence);
  };

  const applyAnswer = (answer: Quoted) => {
    if (answer.discountProblem !== null) refuse(answer.discountProblem);
    else if (answer.discount) {
      setProblem(null);
      setCode("");
      setDiscount(answer.discount);
    }
  };

  return {
    applied,
    code,
    problem,
    isBusy,
    refuse,
    applyAnswer,
    type(text: string) {
      setCode(text);
      setProblem(null);
    },
    async apply() {
      const trimmedCode = code.trim();
      if (isBusy) return;
      if (trimmedCode === "") return setProblem("Enter your discount code.");
      setBusy(true);
      const answer = await requestQuote(trimmedCode);
      await pressOver();
      setBusy(false);
      if ("discountProblem" in answer) return applyAnswer(answer);
      const isTooMany = answer.error === "rate_limited";
      setProblem(isTooMany ? answer.message : "The code could not be checked. Please try again.");
    },
    remove() {
      setProblem(null);
      setDiscount(null);
    },
  };
}

export type DiscountEntry = ReturnType<typeof useDiscount>;
