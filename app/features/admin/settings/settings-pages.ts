/** The pages of the settings, in the order of their menu. */
export const settingsPages = [
  {
    page: "shop",
    title: "Shop",
    hint: "Name, currency, time zone, a pause, and who sells",
    sections: [
      { id: "shop", label: "Shop", words: "brand name currency totals time zone" },
      {
        id: "pause",
        label: "Pause new orders",
        words: "holiday vacation closed close away stop selling out of oil sold out",
      },
      { id: "seller", label: "Seller", words: "legal name company address vat tax number imprint" },
    ],
  },
  {
    page: "contact",
    title: "Contact",
    hint: "How shoppers reach you, and your profiles",
    sections: [
      { id: "contact", label: "Contact details", words: "email phone hours address answer" },
      { id: "social", label: "Social links", words: "instagram facebook tiktok youtube profiles" },
    ],
  },
  {
    page: "shipping",
    title: "Shipping",
    hint: "Zones, prices, and the days you pack",
    sections: [
      {
        id: "shipping",
        label: "Shipping",
        words: "zones countries rates prices free delivery days live carriers",
      },
      {
        id: "calendar",
        label: "Working days",
        words: "holidays vacation closed close shop cut-off handling weekend calendar",
      },
      {
        id: "suggestions",
        label: "Suggested addresses",
        words: "google places loqate autocomplete limit cost",
      },
    ],
  },
  {
    page: "labels",
    title: "Labels",
    hint: "Sender, parcels, printing, and services",
    sections: [
      { id: "labels", label: "Labels", words: "sender postage print paper carrier sandbox shipped test" },
      {
        id: "parcels",
        label: "Parcels",
        words: "box size weight grams ounces inches centimeters services ground express",
      },
    ],
  },
  {
    page: "tax",
    title: "Tax",
    hint: "Where you charge tax, and how much",
    sections: [{ id: "tax", label: "Tax", words: "sales tax vat gst rates states countries prices include" }],
  },
  {
    page: "payments",
    title: "Payments",
    hint: "Wallets at checkout, and large refunds",
    sections: [
      { id: "wallets", label: "Wallets", words: "apple pay google pay link paypal express" },
      { id: "confirm", label: "Large refunds", words: "confirm again passkey second factor limit security" },
    ],
  },
  {
    page: "returns",
    title: "Returns",
    hint: "How long a bottle can be returned",
    sections: [{ id: "returns", label: "Returns", words: "window days guarantee postage refund" }],
  },
  {
    page: "giving",
    title: "Giving and story",
    hint: "Your donations, badges, and founder",
    sections: [
      { id: "giving", label: "Giving", words: "donation percent share charity" },
      {
        id: "certificates",
        label: "Badges and certificates",
        words: "organic fair trade sustainable vegan seal proof",
      },
      { id: "founder", label: "Founder", words: "photograph picture portrait story mission name" },
    ],
  },
  {
    page: "marketing",
    title: "Newsletter and reviews",
    hint: "Emails to shoppers, and review approval",
    sections: [
      { id: "newsletter", label: "Newsletter and refills", words: "subscribers welcome code reminder email" },
      { id: "reviews", label: "Review rules", words: "moderation publish hold words photos invite" },
    ],
  },
  {
    page: "stock",
    title: "Stock",
    hint: "When you are warned",
    sections: [{ id: "stock", label: "Stock warning", words: "low stock inventory units alert" }],
  },
  {
    page: "keys",
    title: "Keys and connections",
    hint: "Stripe, your mail server, Twilio, carriers and the access code",
    sections: [
      { id: "stripe", label: "Stripe", words: "keys api secret publishable webhook payments test live mode" },
      { id: "mail", label: "Mail server", words: "keys smtp email sender password host owner address" },
      { id: "twilio", label: "Twilio", words: "keys sms texts account sid token number" },
      { id: "easypost", label: "EasyPost", words: "keys labels carrier postage usps ups fedex dhl tracking" },
      {
        id: "shippo",
        label: "Shippo",
        words: "keys labels carrier postage usps ups fedex dhl tracking token",
      },
      { id: "access-code", label: "Access code", words: "password forgot security sign in sessions" },
    ],
  },
  {
    page: "keys/api",
    title: "API keys",
    hint: "Access for a warehouse, an accountant or an automation",
    sections: [
      { id: "api-keys", label: "API keys", words: "token bearer program integration warehouse automation" },
    ],
  },
  {
    page: "keys/webhooks",
    title: "Webhooks",
    hint: "Notify another program of orders, stock and more",
    sections: [
      { id: "webhooks", label: "Webhooks", words: "events callback http integration notify secret" },
    ],
  },
] as const satisfies {
  /** Last segment of the page's path. */
  page: string;
  title: string;
  hint: string;
  /** `id`: the section's anchor in the page; `words`: further search terms. */
  sections: { id: string; label: string; words: string }[];
}[];

export type SettingsPageInfo = (typeof settingsPages)[number];
export type SectionId = SettingsPageInfo["sections"][number]["id"];

const allSections = settingsPages.flatMap<SettingsPageInfo["sections"][number]>(({ sections }) => sections);

export function sectionTitle(id: SectionId): string {
  return allSections.find((section) => section.id === id)?.label ?? id;
}

/** Whether a section has the title of its page, so that it need not be repeated. */
export function isPageTitle(title: string): boolean {
  return settingsPages.some((page) => page.title === title);
}

/** The path of a section, such as "/admin/settings/returns#returns". */
export function sectionPath(id: string): string | null {
  const page = settingsPages.find(({ sections }) => sections.some((section) => section.id === id));
  return page ? `/admin/settings/${page.page}#${id}` : null;
}

/** Sections and pages that contain every word of the query in their names, hints or search terms. */
export function findSettings(query: string): { to: string; label: string; page: string }[] {
  const searchWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (searchWords.length === 0) return [];
  return settingsPages.flatMap(({ page, title, hint, sections }) =>
    sections
      .filter(({ label, words }) => {
        const text = `${title} ${hint} ${label} ${words}`.toLowerCase();
        return searchWords.every((word) => text.includes(word));
      })
      .map(({ id, label }) => ({ to: `/admin/settings/${page}#${id}`, label, page: title })),
  );
}
