import type { BadgeKey, Certificate, FounderPicture, ShopSettings } from "./settings.ts";

/** What the badges are called on pages. */
export const badgeNames: Record<BadgeKey, string> = { fairTrade: "Fair Trade", sustainable: "Sustainable" };

/** A badge as shoppers see it. `means`: in the owner's words; `certificate`: who else vouches for it, null: nobody. */
export type ShownBadge = { name: string; means: string; certificate: Certificate | null };

/** The badges that are not hidden, each with the certificate of the same name. */
export function shownBadges(
  badges: ShopSettings["badges"],
  certificates: readonly Certificate[],
): ShownBadge[] {
  return (Object.keys(badgeNames) as BadgeKey[])
    .filter((key) => badges[key].isShown)
    .map((key) => ({
      name: badgeNames[key],
      means: badges[key].means,
      certificate: certificates.find((one) => isOf(one, badgeNames[key])) ?? null,
    }));
}

/** What mission section and story show: badges, the certificates of no badge, and the founder. */
export type MissionFacts = {
  badges: ShownBadge[];
  certificates: Certificate[];
  founder: ShopSettings["founder"] & { picture: FounderPicture | null };
};

export function missionFacts({
  badges,
  certificates,
  founder,
  founderPicture,
}: Pick<ShopSettings, "badges" | "certificates" | "founder" | "founderPicture">): MissionFacts {
  const shown = shownBadges(badges, certificates);
  return {
    badges: shown,
    certificates: certificates.filter((one) => !shown.some(({ name }) => isOf(one, name))),
    founder: { ...founder, picture: founderPicture },
  };
}

function isOf(certificate: Certificate, name: string): boolean {
  return certificate.name.trim().toLowerCase() === name.toLowerCase();
}
