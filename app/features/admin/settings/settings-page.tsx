import { Fragment, type ReactNode } from "react";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { CalendarSection } from "./calendar-section.tsx";
import { CertificatesSection } from "./certificates-section.tsx";
import { ConfirmSection } from "./confirm-section.tsx";
import { ContactSection, SellerSection, SocialSection } from "./contact-section.tsx";
import { FounderSection } from "./founder-section.tsx";
import { NewsletterSection } from "./newsletter-section.tsx";
import {
  AddressQuestionsSection,
  GivingSection,
  ReturnsSection,
  StockWarningSection,
} from "./number-sections.tsx";
import { ReviewRulesSection } from "./review-rules-section.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsMenu } from "./settings-menu.tsx";
import type { SettingsPageInfo } from "./settings-pages.ts";
import { ShippingSection } from "./shipping/shipping-section.tsx";
import { ShopSection } from "./shop-section.tsx";
import { TaxSection } from "./tax-section.tsx";
import { useSettingsDraft } from "./use-settings-draft.ts";
import { WalletsSection } from "./wallets-section.tsx";

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

/** One page of the settings: sections that belong together, each with what comes of it. */
export function SettingsPage({ page, data }: { page: SettingsPageInfo; data: SettingsPageData }) {
  const { settings, timeZones, now, bottleCents, codes } = data;
  const draft = useSettingsDraft(settings);
  const sections: Record<string, ReactNode> = {
    shop: <ShopSection draft={draft} timeZones={timeZones} now={now} exampleCents={bottleCents} />,
    shipping: <ShippingSection draft={draft} bottleCents={bottleCents} />,
    calendar: <CalendarSection draft={draft} now={now} />,
    suggestions: <AddressQuestionsSection draft={draft} />,
    tax: <TaxSection draft={draft} bottleCents={bottleCents} />,
    wallets: <WalletsSection draft={draft} />,
    confirm: <ConfirmSection draft={draft} />,
    returns: <ReturnsSection draft={draft} />,
    giving: <GivingSection draft={draft} />,
    founder: <FounderSection draft={draft} picture={settings.founderPicture} />,
    certificates: <CertificatesSection draft={draft} />,
    contact: <ContactSection draft={draft} />,
    seller: <SellerSection draft={draft} />,
    social: <SocialSection draft={draft} />,
    newsletter: <NewsletterSection draft={draft} codes={codes} />,
    reviews: <ReviewRulesSection draft={draft} />,
    stock: <StockWarningSection draft={draft} />,
  };
  return (
    <AdminPage title={page.title} back={{ to: "/admin/settings", label: "Settings" }}>
      <div className="grid gap-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="min-w-0 max-w-232">
          <SettingsForm draft={draft}>
            {page.sections.map(({ id }) => (
              <Fragment key={id}>{sections[id]}</Fragment>
            ))}
          </SettingsForm>
        </div>
      </div>
    </AdminPage>
  );
}
