import { createContext, type ReactNode, useContext } from "react";
import type { PageFacts } from "../../../domain/content/page-facts.ts";

export const FactsContext = createContext<PageFacts | null>(null);

export function useFacts(): PageFacts {
  const facts = useContext(FactsContext);
  if (!facts) throw new Error("these words stand outside a page that knows the facts");
  return facts;
}

/** A fact among words: what the shop says of itself is written in one place (domain/settings/facts.ts). */
export function Fact({ name }: { name: string }): ReactNode {
  const { named } = useFacts();
  if (!Object.hasOwn(named, name)) throw new Error(`there is no fact called ${name}`);
  return named[name];
}

/** Words that hold only while something is given. */
export function Given({ children }: { children: ReactNode }): ReactNode {
  return useFacts().givingPercent > 0 && children;
}

/** Words that hold only where real cards are taken. */
export function StripeOnly({ children }: { children: ReactNode }): ReactNode {
  return useFacts().isStripe && children;
}
