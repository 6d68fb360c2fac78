import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { returnPolicy } from "./delivery-and-returns.ts";

/** A thing in schema.org's vocabulary. */
export type Thing = { "@type": string; [property: string]: unknown };

export const storeId = (publicUrl: string) => `${publicUrl}/#organization`;

/** The seller, with contact details and profiles if the owner has set them. */
export function store(publicUrl: string, settings: ShopSettings): Thing {
  const { brandName, contact, social } = settings;
  const profiles = Object.values(social).filter((profile) => profile !== null);
  return {
    "@type": "OnlineStore",
    "@id": storeId(publicUrl),
    name: brandName,
    url: `${publicUrl}/`,
    logo: {
      "@type": "ImageObject",
      url: `${publicUrl}/icon-512.png`,
      width: 512,
      height: 512,
    },
    ...(profiles.length > 0 && { sameAs: profiles }),
    ...((contact.email !== null || contact.phone !== null) && {
      contactPoint: {
        "@type": "ContactPoint",
        contactType: "customer service",
        url: `${publicUrl}/contact`,
        ...(contact.email !== null && { email: contact.email }),
        ...(contact.phone !== null && { telephone: contact.phone }),
        availableLanguage: "en",
      },
    }),
    hasMerchantReturnPolicy: returnPolicy(publicUrl, settings),
  };
}

export function website(publicUrl: string, { brandName }: ShopSettings): Thing {
  return {
    "@type": "WebSite",
    "@id": `${publicUrl}/#website`,
    name: brandName,
    url: `${publicUrl}/`,
    inLanguage: "en",
    publisher: { "@id": storeId(publicUrl) },
  };
}
