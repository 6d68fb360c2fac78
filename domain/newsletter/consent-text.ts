/** The words beside the form, which are kept as what was agreed to. */
export function consentText(brandName: string): string {
  return `News and offers from ${brandName} by email. Unsubscribe any time.`;
}
