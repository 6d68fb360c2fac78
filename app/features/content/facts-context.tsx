import { createContext, useContext } from "react";
import type { ShownFacts } from "../../../domain/content/page-facts.ts";

export const FactsContext = createContext<ShownFacts | null>(null);

export function useFacts(): ShownFacts {
  const facts = useContext(FactsContext);
  if (!facts) throw new Error("FactsContext is missing");
  return facts;
}
