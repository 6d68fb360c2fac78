import type { ShopSettings } from "../../domain/settings/settings.ts";

const dayMs = 86_400_000;
const validDays = 180;

/** Excludes only API calls. Private pages are crawled, because their `noindex` has to be read. */
export function robotsTxt(publicUrl: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Allow: /api/docs",
    "",
    `Sitemap: ${publicUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

/** RFC 9116. `Expires` moves with the current day. */
export function securityTxt(publicUrl: string, contact: ShopSettings["contact"], now: Date): string {
  const expiresAt = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs);
  return [
    `Contact: ${contact.email === null ? `${publicUrl}/contact` : `mailto:${contact.email}`}`,
    `Expires: ${expiresAt.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}

const icon = (file: string, size: number, purpose: string) => ({
  src: `/${file}`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

const looks = {
  lang: "en",
  background_color: "#FBF7EF",
  theme_color: "#FBF7EF",
  icons: [
    { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
    icon("icon-192.png", 192, "any"),
    icon("icon-512.png", 512, "any"),
    icon("icon-maskable-512.png", 512, "maskable"),
  ],
};

export function webManifest(brandName: string): unknown {
  return {
    id: "/",
    name: brandName,
    short_name: brandName,
    start_url: "/",
    scope: "/",
    display: "browser",
    ...looks,
  };
}

/** Manifest of the panel as an installable app: iPhones deliver notifications only to those. */
export function panelManifest(brandName: string): unknown {
  return {
    id: "/admin",
    name: `${brandName} Admin`,
    short_name: brandName,
    start_url: "/admin",
    scope: "/admin",
    display: "standalone",
    ...looks,
  };
}
