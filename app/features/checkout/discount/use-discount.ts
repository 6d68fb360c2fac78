import { useState } from "react";
import type { AppliedDiscount } from "../../../../domain/discounts/discount.ts";
import { useBrowserState } from "../../../ui/browser-state.ts";
import { pressOver } from "../../../ui/press-over.ts";
import type { ApiProblem } from "../../api.ts";
import type { Quoted } from "../use-quote.ts";
import { readDiscount, saveDiscount } from "./saved-discount.ts";

/**
 * The shopper's discount code. `ask` has the server price the cart with a code; `onChange` is told whenever the price
 * is another.
 */
export function useDiscount(ask: (code: string) => Promise<Quoted | ApiProblem>, onChange: () => void) {
  const [applied, setApplied] = useBrowserState<AppliedDiscount | null>(null, readDiscount);
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const take = (discount: AppliedDiscount | null) => {
    setApplied(discount);
    saveDiscount(discount);
    onChange();
  };

  /** The code stays in its field, beside the reason. */
  const refuse = (sentence: string, refused = applied?.code ?? code) => {
    take(null);
    setCode(refused);
    setProblem(sentence);
  };

  /** Follows what the server said of a code. */
  const follow = (answer: Quoted) => {
    if (answer.discountProblem !== null) refuse(answer.discountProblem);
    else if (answer.discount) {
      setProblem(null);
      setCode("");
      take(answer.discount);
    }
  };

  return {
    applied,
    code,
    problem,
    isBusy,
    refuse,
    follow,
    type(text: string) {
      setCode(text);
      setProblem(null);
    },
    async apply() {
      const asked = code.trim();
      if (isBusy) return;
      if (asked === "") return setProblem("Enter your discount code.");
      setBusy(true);
      const answer = await ask(asked);
      await pressOver();
      setBusy(false);
      if ("discountProblem" in answer) return follow(answer);
      const isTooMany = answer.error === "rate_limited";
      setProblem(isTooMany ? answer.message : "The code could not be checked. Please try again.");
    },
    remove() {
      setProblem(null);
      take(null);
    },
  };
}

export type DiscountEntry = ReturnType<typeof useDiscount>;
