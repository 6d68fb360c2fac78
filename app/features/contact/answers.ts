import {
  dispatchSentence,
  guaranteeSentence,
  leftOutSentence,
  returnsSentence,
} from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { deliverySentences, leftOutCountriesSentence } from "../../../domain/shipping/delivery-facts.ts";

export type Answer = { question: string; answer: string };

/** The questions that most buyers have, answered from what the shop really does. */
export function commonAnswers({ shipping, returns }: Pick<ShopSettings, "shipping" | "returns">): Answer[] {
  const guarantee = guaranteeSentence(returns);
  return [
    {
      question: "What makes the oil different?",
      answer: `It is one ingredient: traditional palm-fruit (batana) oil from Honduras, cold-pressed. ${leftOutSentence}`,
    },
    {
      question: "How long does shipping take?",
      answer: [...deliverySentences(shipping), leftOutCountriesSentence(shipping), dispatchSentence]
        .filter((sentence) => sentence !== null)
        .join(" "),
    },
    { question: "Are your products cruelty-free?", answer: "Yes. Our products are cruelty-free." },
    guarantee === null
      ? { question: "Can I return it?", answer: returnsSentence(returns) }
      : { question: "What is the satisfaction guarantee?", answer: guarantee },
  ];
}
