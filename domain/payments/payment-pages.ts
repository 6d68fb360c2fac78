/** Whether the page at this path may load the payment provider's scripts. */
export function isPaymentPage(path: string): boolean {
  return /^\/(product\/[^/]+|cart|checkout)\/?$/.test(path);
}
