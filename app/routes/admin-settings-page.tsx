import { Fragment, type ReactNode } from "react";
import { data } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { LabelsSection, ParcelsSection } from "../features/admin/settings/label-sections.tsx";
import { NewsletterSection, ReviewRulesSection } from "../features/admin/settings/marketing-sections.tsx";
import {
  AddressSuggestionsSection,
  ConfirmSection,
  GivingSection,
  ReturnsSection,
  StockWarningSection,
  WalletsSection,
} from "../features/admin/settings/number-sections.tsx";
import { SettingsForm } from "../features/admin/settings/settings-form.tsx";
import { SettingsMenu } from "../features/admin/settings/settings-menu.tsx";
import type { SectionId, SettingsPageInfo } from "../features/admin/settings/settings-pages.ts";
import { settingsPages } from "../features/admin/settings/settings-pages.ts";
import { CalendarSection, ShippingSection } from "../features/admin/settings/shipping-sections.tsx";
import {
  ContactSection,
  PauseSection,
  SellerSection,
  ShopSection,
  SocialSection,
} from "../features/admin/settings/shop-sections.tsx";
import { CertificatesSection, FounderSection } from "../features/admin/settings/story-sections.tsx";
import { TaxSection } from "../features/admin/settings/tax-section.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-settings-page";

/** The price (cents) that examples use while the shop has no product. */
const exampleCents = 2995;

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, findPage(args.params)?.title ?? "Settings");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const [settings, products, discounts] = await Promise.all([
    read("GET /api/admin/settings"),
    read("GET /api/products"),
    read("GET /api/admin/discounts", { query: { limit: 100 } }),
  ]);
  if (!findPage(params)) throw data({ message: "No settings have this name." }, { status: 404 });
  return {
    settings: settings.data,
    /** All time zones that can be chosen. */
    timeZones: ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")],
    /** ISO 8601 */
    now: new Date().toISOString(),
    /** Discount codes, newest first. */
    codes: discounts.data.filter(({ automatic }) => !automatic).map(({ code }) => code),
    /** Price (cents) of the first published product, for examples. */
    exampleCents: products.data[0]?.price ?? exampleCents,
  };
});

export default function SettingsGroup({ loaderData, params }: Route.ComponentProps) {
  const page = findPage(params);
  return page && <SettingsPage key={page.page} page={page} data={loaderData} />;
}

export const ErrorBoundary = problemPage("Settings", "Failed to load the settings");

function findPage({ page }: { page: string }) {
  return settingsPages.find((candidate) => candidate.page === page);
}

/** One page of the settings: related sections, each with a preview of its effect. */
function SettingsPage({ page, data }: { page: SettingsPageInfo; data: Route.ComponentProps["loaderData"] }) {
  const { settings, timeZones, now, exampleCents, codes } = data;
  const sections: Partial<Record<SectionId, ReactNode>> = {
    shop: <ShopSection timeZones={timeZones} now={now} exampleCents={exampleCents} />,
    pause: <PauseSection />,
    shipping: <ShippingSection exampleCents={exampleCents} />,
    calendar: <CalendarSection now={now} />,
    suggestions: <AddressSuggestionsSection />,
    labels: <LabelsSection />,
    parcels: <ParcelsSection />,
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
