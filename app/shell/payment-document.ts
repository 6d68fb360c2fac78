import { isPaymentPage } from "../../domain/payments/payment-pages.ts";

/**
 * A document's content security policy is fixed when it is loaded, and most pages do not allow the payment provider. From
 * those, payment pages are loaded as new documents. Only in shops with real payments.
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
