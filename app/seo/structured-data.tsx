import { createContext, useContext, useState } from "react";
import { useLocation } from "react-router";

const isServer = typeof document === "undefined";

/**
 * The page's structured data (schema.org) as JSON; null for none. The server makes it, and the browser reads it from
 * the page.
 */
export const StructuredDataContext = createContext(
  isServer ? null : (document.querySelector('script[type="application/ld+json"]')?.textContent ?? null),
);

/** For search engines, which fetch each page separately: the element is removed when the router opens another page. */
export function StructuredData() {
  const json = useContext(StructuredDataContext);
  const { key } = useLocation();
  const [firstKey] = useState(key);
  if (json === null || key !== firstKey) return null;
  return (
    <script
      type="application/ld+json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot close the element
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
