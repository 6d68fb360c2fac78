/** The text beside the form, stored as proof of consent. */
export function consentText(brandName: string): string {
  return `News and offers from ${brandName} by email. Unsubscribe any time.`;
}

/** The welcome offer beside the form: "Your welcome once you confirm: 10% off any order." */
export function welcomeText(offer: string): string {
  return `Your welcome once you confirm: ${offer}`;
}
