import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/** The page in schema.org's words, as JSON. Only the server knows any: browsers load nothing to make them. */
export const PageFactsContext = createContext("{}");

/**
 * What search engines read. After a step to another page the first page's facts are gone: whoever looks for facts
 * fetches each page by itself.
 */
export function PageFacts() {
  const facts = useContext(PageFactsContext);
  return (
    <script
      key={useLocation().pathname}
      type="application/ld+json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which nothing can end the element
      dangerouslySetInnerHTML={{ __html: facts }}
    />
  );
}
