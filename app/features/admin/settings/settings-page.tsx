import { Link } from "react-router";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { LeaveGuard } from "../kit/leave-guard.tsx";
import { CalendarSection } from "./calendar-section.tsx";
import { CertificatesSection } from "./certificates-section.tsx";
import { ContactSection, SellerSection, SocialSection } from "./contact-section.tsx";
import { NewsletterSection } from "./newsletter-section.tsx";
import { GivingSection, ReturnsSection, StockWarningSection } from "./number-sections.tsx";
import { ReviewRulesSection } from "./review-rules-section.tsx";
import { ShippingSection } from "./shipping/shipping-section.tsx";
import { ShopSection } from "./shop-section.tsx";
import { TaxSection } from "./tax-section.tsx";
import { useSettingsDraft } from "./use-settings-draft.ts";
import { WalletsSection } from "./wallets-section.tsx";

const sections = [
  ["shop", "Shop"],
  ["shipping", "Shipping"],
  ["calendar", "Working days"],
  ["tax", "Tax"],
  ["wallets", "Wallets"],
  ["returns", "Returns"],
  ["giving", "Giving"],
  ["certificates", "Certificates"],
  ["contact", "Contact details"],
  ["seller", "Seller"],
  ["social", "Social links"],
  ["newsletter", "Newsletter"],
  ["reviews", "Review rules"],
  ["stock", "Stock warning"],
] as const;

export type SettingsPageData = {
  settings: AdminSettings;
  /** All that can be chosen. */
  timeZones: string[];
  /** ISO 8601 */
  now: string;
  /** Price of the first product on show, for examples. Cents. */
  bottleCents: number;
  /** Discount codes, newest first. */
  codes: string[];
};

/** All that the owner decides about the shop, group by group, each with what comes of it. */
export function SettingsPage({ settings, timeZones, now, bottleCents, codes }: SettingsPageData) {
  const draft = useSettingsDraft(settings);
  return (
    <AdminPage title="Settings">
      <LeaveGuard isDirty={draft.isDirty()} />
      <nav
        aria-label="Settings on this page"
        className="mb-5 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        <ul className="flex gap-5">
          {sections.map(([id, name]) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                className="flex min-h-11 min-w-11 items-center justify-center text-ui font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid max-w-232 gap-5">
        <ShopSection draft={draft} timeZones={timeZones} now={now} exampleCents={bottleCents} />
        <ShippingSection draft={draft} bottleCents={bottleCents} />
        <CalendarSection draft={draft} now={now} />
        <TaxSection draft={draft} bottleCents={bottleCents} />
        <WalletsSection draft={draft} />
        <ReturnsSection draft={draft} />
        <GivingSection draft={draft} />
        <CertificatesSection draft={draft} />
        <ContactSection draft={draft} />
        <SellerSection draft={draft} />
        <SocialSection draft={draft} />
        <NewsletterSection draft={draft} codes={codes} />
        <ReviewRulesSection draft={draft} />
        <StockWarningSection draft={draft} />
      </div>
    </AdminPage>
  );
}
