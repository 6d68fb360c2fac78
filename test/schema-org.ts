import * as v from "valibot";

/**
 * Strict schemas of the structured data in pages, by schema.org and Google's requirements: unknown and missing properties fail.
 * Sources: schema.org; Google Search Central on merchant listings, product snippets, organizations, breadcrumbs and FAQ
 * pages.
 */
const url = v.pipe(v.string(), v.url(), v.regex(/^https:\/\//));
const text = v.pipe(v.string(), v.minLength(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.string(), v.regex(/^\d+\.\d{2}$/));
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/));
const countries = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))), v.minLength(1));
const term = <const T extends string>(...names: T[]) =>
  v.picklist(names.map((name) => `https://schema.org/${name}` as const));
const thing = <const T extends string, E extends v.ObjectEntries>(type: T, entries: E) =>
  v.strictObject({ "@type": v.literal(type), ...entries });

const days = v.pipe(
  thing("QuantitativeValue", { minValue: count, maxValue: count, unitCode: v.literal("DAY") }),
  v.check(({ minValue, maxValue }) => minValue <= maxValue),
);

const returnPolicy = v.pipe(
  thing("MerchantReturnPolicy", {
    applicableCountry: v.pipe(countries, v.maxLength(50)),
    merchantReturnLink: url,
    returnPolicyCategory: term("MerchantReturnFiniteReturnWindow", "MerchantReturnNotPermitted"),
    merchantReturnDays: v.optional(count),
    returnMethod: v.optional(term("ReturnByMail")),
    refundType: v.optional(term("FullRefund")),
    returnFees: v.optional(term("FreeReturn", "ReturnFeesCustomerResponsibility")),
  }),
  v.check(
    ({ returnPolicyCategory, merchantReturnDays }) =>
      returnPolicyCategory.endsWith("FiniteReturnWindow") === (merchantReturnDays !== undefined),
    "A finite window has its days",
  ),
);

const shippingDetails = thing("OfferShippingDetails", {
  shippingLabel: text,
  shippingRate: thing("MonetaryAmount", { value: amount, currency }),
  shippingDestination: thing("DefinedRegion", { addressCountry: countries }),
  deliveryTime: thing("ShippingDeliveryTime", {
    handlingTime: days,
    transitTime: days,
    businessDays: thing("OpeningHoursSpecification", {
      dayOfWeek: v.array(term("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    }),
  }),
});

const offer = thing("Offer", {
  url: url,
  price: amount,
  priceCurrency: currency,
  priceSpecification: v.optional(
    thing("UnitPriceSpecification", {
      priceType: v.literal("https://schema.org/StrikethroughPrice"),
      price: amount,
      priceCurrency: currency,
    }),
  ),
  availability: term("InStock", "OutOfStock"),
  itemCondition: term("NewCondition"),
  seller: thing("OnlineStore", { "@id": url, name: text }),
  shippingDetails: v.array(shippingDetails),
  hasMerchantReturnPolicy: returnPolicy,
});

const stars = { bestRating: v.literal(5), worstRating: v.literal(1) };
const review = thing("Review", {
  reviewRating: thing("Rating", { ratingValue: v.picklist([1, 2, 3, 4, 5]), ...stars }),
  author: thing("Person", { name: v.pipe(text, v.maxLength(100)) }),
  datePublished: v.pipe(v.string(), v.isoDate()),
  reviewBody: text,
});

const product = thing("Product", {
  "@id": url,
  name: text,
  description: text,
  url: url,
  sku: text,
  image: v.pipe(v.array(url), v.minLength(1)),
  brand: thing("Brand", { name: text }),
  size: text,
  isVariantOf: v.optional(
    thing("ProductGroup", {
      "@id": url,
      name: text,
      productGroupID: text,
      variesBy: v.tuple([v.literal("https://schema.org/size")]),
      hasVariant: v.pipe(v.array(v.strictObject({ url: url })), v.minLength(2)),
    }),
  ),
  gtin: v.optional(v.pipe(v.string(), v.regex(/^(\d{8}|\d{12,14})$/))),
  mpn: v.optional(text),
  offers: offer,
  aggregateRating: v.optional(
    thing("AggregateRating", {
      ratingValue: v.pipe(v.number(), v.minValue(1), v.maxValue(5)),
      reviewCount: v.pipe(count, v.minValue(1)),
      ...stars,
    }),
  ),
  review: v.optional(v.pipe(v.array(review), v.minLength(1))),
});

const store = thing("OnlineStore", {
  "@id": url,
  name: text,
  url: url,
  logo: thing("ImageObject", { url: url, width: v.literal(512), height: v.literal(512) }),
  sameAs: v.optional(v.pipe(v.array(url), v.minLength(1))),
  contactPoint: v.optional(
    thing("ContactPoint", {
      contactType: text,
      url: url,
      email: v.optional(v.pipe(v.string(), v.email())),
      telephone: v.optional(text),
      availableLanguage: v.literal("en"),
    }),
  ),
  hasMerchantReturnPolicy: returnPolicy,
});

const website = thing("WebSite", {
  "@id": url,
  name: text,
  url: url,
  inLanguage: v.literal("en"),
  publisher: v.strictObject({ "@id": url }),
});

const breadcrumbs = v.pipe(
  thing("BreadcrumbList", {
    itemListElement: v.pipe(
      v.array(thing("ListItem", { position: count, name: text, item: url })),
      v.minLength(2),
    ),
  }),
  v.check(({ itemListElement }) => itemListElement.every(({ position }, index) => position === index + 1)),
);

const questions = thing("FAQPage", {
  mainEntity: v.pipe(
    v.array(thing("Question", { name: text, acceptedAnswer: thing("Answer", { text }) })),
    v.minLength(1),
  ),
});

export const structuredData = v.pipe(
  v.array(v.union([product, store, website, breadcrumbs, questions])),
  v.minLength(1),
);
