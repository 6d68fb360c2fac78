import { isPaymentPage } from "../../domain/payments/payment-pages.ts";

/**
 * What a document may load is settled when it is opened, and most let no payment provider in. From such a document, pages to
 * pay on are loaded whole. Only where payments are real.
 */
export function loadPaymentPagesWhole(): void {
  if (!("hasProvider" in document.documentElement.dataset) || isPaymentPage(location.pathname)) return;
  const fetchAsIs = fetch;
  window.fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const path = address.pathname.replace(/\.data$/, "");
    if (path === address.pathname || path === location.pathname || !isPaymentPage(path)) {
      return fetchAsIs(input, init);
    }
    location.assign(path + address.search.replace(/[?&]_routes=[^&]*/, ""));
    return new Promise(() => {});
  };
}
