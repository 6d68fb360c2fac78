import type { BadgeKey, Certificate, FounderPicture, ShopSettings } from "./settings.ts";

export const badgeNames: Record<BadgeKey, string> = { fairTrade: "Fair Trade", sustainable: "Sustainable" };

/** A badge on pages. `means`: the owner's explanation; `certificate`: null without one. */
type ShownBadge = { name: string; means: string; certificate: Certificate | null };

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
      certificate: certificates.find((certificate) => provesBadge(certificate, badgeNames[key])) ?? null,
    }));
}

/** Data of mission section and story: badges, other certificates, and the founder. */
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
  const visibleBadges = shownBadges(badges, certificates);
  return {
    badges: visibleBadges,
    certificates: certificates.filter(
      (certificate) => !visibleBadges.some(({ name }) => provesBadge(certificate, name)),
    ),
    founder: { ...founder, picture: founderPicture },
  };
}

function provesBadge(certificate: Certificate, name: string): boolean {
  return certificate.name.trim().toLowerCase() === name.toLowerCase();
}
