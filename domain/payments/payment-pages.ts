/** Whether a page at this path may let the payment provider in: where there is something to pay with. */
export function isPaymentPage(path: string): boolean {
  return /^\/(product\/[^/]+|cart|checkout)\/?$/.test(path);
}
