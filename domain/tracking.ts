const trackingPages = new Map([
  ["usps", "https://tools.usps.com/go/TrackConfirmAction?tLabels="],
  ["ups", "https://www.ups.com/track?tracknum="],
  ["fedex", "https://www.fedex.com/fedextrack/?trknbr="],
  ["dhl", "https://www.dhl.com/en/express/tracking.html?AWB="],
  ["royal mail", "https://www.royalmail.com/track-your-item#/tracking-results/"],
  ["canada post", "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor="],
]);

/** Where a parcel can be followed, or null for a carrier whose page is not known. */
export function trackingUrl(carrier: string, trackingNumber: string): string | null {
  const page = trackingPages.get(carrier.trim().toLowerCase());
  const number = trackingNumber.replaceAll(" ", "");
  return page && number ? page + encodeURIComponent(number) : null;
}
