/** The words beside the form, which are kept as what was agreed to. */
export function consentText(brandName: string): string {
  return `News and offers from ${brandName} by email. Unsubscribe any time.`;
}

/** What signing up brings, beside the form: "Your welcome once you confirm: 10% off any order." */
export function welcomeText(offer: string): string {
  return `Your welcome once you confirm: ${offer}`;
}
