import { Fragment, type ReactNode } from "react";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { NewsletterSection, ReviewRulesSection } from "./marketing-sections.tsx";
import {
  AddressQuestionsSection,
  GivingSection,
  ReturnsSection,
  StockWarningSection,
} from "./number-sections.tsx";
import { ConfirmSection, WalletsSection } from "./payment-sections.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsMenu } from "./settings-menu.tsx";
import type { SectionId, SettingsPageInfo } from "./settings-pages.ts";
import { CalendarSection, ShippingSection } from "./shipping-sections.tsx";
import { ContactSection, SellerSection, ShopSection, SocialSection } from "./shop-sections.tsx";
import { CertificatesSection, FounderSection } from "./story-sections.tsx";
import { TaxSection } from "./tax-section.tsx";

export type SettingsPageData = {
  settings: AdminSettings;
  /** All time zones that can be chosen. */
  timeZones: string[];
  /** ISO 8601 */
  now: string;
  /** Price of the first published product, for examples. Cents. */
  exampleCents: number;
  /** Discount codes, newest first. */
  codes: string[];
};

/** One page of the settings: related sections, each with a preview of its effect. */
export function SettingsPage({ page, data }: { page: SettingsPageInfo; data: SettingsPageData }) {
  const { settings, timeZones, now, exampleCents, codes } = data;
  const sections: Partial<Record<SectionId, ReactNode>> = {
    shop: <ShopSection timeZones={timeZones} now={now} exampleCents={exampleCents} />,
    shipping: <ShippingSection exampleCents={exampleCents} />,
    calendar: <CalendarSection now={now} />,
    suggestions: <AddressQuestionsSection />,
    tax: <TaxSection exampleCents={exampleCents} />,
    wallets: <WalletsSection />,
    confirm: <ConfirmSection />,
    returns: <ReturnsSection />,
    giving: <GivingSection />,
    founder: <FounderSection picture={settings.founderPicture} />,
    certificates: <CertificatesSection />,
    contact: <ContactSection />,
    seller: <SellerSection />,
    social: <SocialSection />,
    newsletter: <NewsletterSection codes={codes} />,
    reviews: <ReviewRulesSection />,
    stock: <StockWarningSection />,
  };
  return (
    <AdminPage title={page.title} back={{ to: "/admin/settings", label: "Settings" }}>
      <div className="grid gap-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="min-w-0 max-w-232">
          <SettingsForm settings={settings}>
            {page.sections.map(({ id }) => (
              <Fragment key={id}>{sections[id]}</Fragment>
            ))}
          </SettingsForm>
        </div>
      </div>
    </AdminPage>
  );
}
