import type { ShopSettings } from "../../domain/settings/settings.ts";

const networks = [
  { key: "instagram", label: "Instagram" },
  { key: "facebook", label: "Facebook" },
  { key: "tiktok", label: "TikTok" },
  { key: "x", label: "X" },
] as const;

/** Ways to reach the owner: only those that are set, and nothing at all when none is. */
export function FooterContact({ contact, social }: Pick<ShopSettings, "contact" | "social">) {
  const links = [
    ...(contact.email ? [{ href: `mailto:${contact.email}`, label: contact.email }] : []),
    ...(contact.phone
      ? [{ href: `tel:${contact.phone.replaceAll(/[^+\d]/g, "")}`, label: contact.phone }]
      : []),
    ...networks.flatMap(({ key, label }) => {
      const href = social[key];
      return href ? [{ href, label }] : [];
    }),
  ];
  if (links.length === 0) return null;
  return (
    <ul className="mt-5 flex flex-wrap gap-x-6">
      {links.map(({ href, label }) => (
        <li key={href}>
          <a
            href={href}
            rel="noopener"
            className="inline-flex min-h-11 min-w-11 items-center break-all no-underline underline-offset-[.25em] hover:underline"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
