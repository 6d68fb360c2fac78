import { createContext, useContext, useState } from "react";
import { useLocation } from "react-router";

const isServer = typeof document === "undefined";

/**
 * The page in schema.org's words, as JSON; null: there is nothing to tell. Only the server makes it; a browser finds it
 * in the page.
 */
export const PageFactsContext = createContext(
  isServer ? null : (document.querySelector('script[type="application/ld+json"]')?.textContent ?? null),
);

/**
 * What search engines read. After a step to another page the first page's facts are gone: whoever looks for facts
 * fetches each page by itself.
 */
export function PageFacts() {
  const facts = useContext(PageFactsContext);
  const { key } = useLocation();
  const [firstKey] = useState(key);
  if (facts === null || key !== firstKey) return null;
  return (
    <script
      type="application/ld+json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which nothing can end the element
      dangerouslySetInnerHTML={{ __html: facts }}
    />
  );
}
