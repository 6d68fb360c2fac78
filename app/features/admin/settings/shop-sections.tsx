import { formatTotal } from "../../../../domain/checkout/total-text.ts";
import { EmailField, Field, Options, Select, TextArea } from "../../../ui/field.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { Switch } from "../kit/switch.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** The shop's name, the format of amounts, and the time zone. `now`: ISO 8601. */
export function ShopSection({
  timeZones,
  now,
  exampleCents,
}: {
  timeZones: readonly string[];
  now: string;
  exampleCents: number;
}) {
  const { values, set } = useSettings();
  const { brandName, currencyDisplay, timeZone } = values;
  return (
    <SettingsSection
      id="shop"
      groups={["brandName", "currencyDisplay", "timeZone"]}
      preview={() => [
        `Page titles: “Your Cart · ${brandName.trim()}”. Emails are signed “${brandName.trim()}”.`,
        `Total ${formatTotal(exampleCents, currencyDisplay)}`,
        <p key="now" className="text-ink-muted">
          The time there now: {timeAt(now, timeZone)}.
        </p>,
      ]}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Field
            {...field("brandName")}
            label="Brand name"
            maxLength={60}
            autoComplete="organization"
            hint="On pages, in emails and for search engines. The logo is a picture and does not change."
            className="md:col-span-2"
          />
          <Select
            {...field("currencyDisplay")}
            label="Totals"
            hint="The code helps shoppers in other countries that use dollars."
          >
            <option value="symbol">{formatTotal(exampleCents, "symbol")}</option>
            <option value="symbol_and_code">{formatTotal(exampleCents, "symbol_and_code")}</option>
          </Select>
          <div className="grid justify-items-start gap-2">
            <Select
              {...field("timeZone")}
              label="Time zone"
              hint="Defines when a day begins and ends in the overview and in exports."
              className="w-full"
            >
              <Options of={timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]} />
            </Select>
            <TextButton
              className="-mt-2"
              onClick={() => set("timeZone", Intl.DateTimeFormat().resolvedOptions().timeZone)}
            >
              Use this device’s time zone
            </TextButton>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

/** Such as "Fri, Nov 20, 3:04 PM". */
function timeAt(now: string, timeZone: string): string {
  return new Date(now).toLocaleString("en-US", {
    timeZone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}

/** Whether new orders are accepted, and the notice shown while they are not. */
export function PauseSection() {
  const { values, set } = useSettings();
  const { pausedText } = values;
  return (
    <SettingsSection
      id="pause"
      intro="While you are away or out of oil. Payments that have begun still complete, and so do payment links that you sent."
      groups={["pausedText"]}
      preview={() => [
        pausedText === null
          ? "New orders are taken."
          : `On every page, and instead of the payment: ${pausedText}`,
      ]}
    >
      {(field) => (
        <div className="grid gap-4">
          <Switch
            name="paused"
            label="Pause new orders"
            checked={pausedText !== null}
            onChange={(isPaused) => set("pausedText", isPaused ? "We take no new orders right now." : null)}
          />
          {pausedText !== null && (
            <Field
              {...field("pausedText", String)}
              label="Text in the shop"
              maxLength={200}
              hint="Say when you are back: “We’re away, and take orders again from June 1.”"
            />
          )}
        </div>
      )}
    </SettingsSection>
  );
}

const networks = [
  ["instagram", "Instagram", "https://www.instagram.com/yourshop"],
  ["facebook", "Facebook", "https://www.facebook.com/yourshop"],
  ["tiktok", "TikTok", "https://www.tiktok.com/@yourshop"],
  ["x", "X", "https://x.com/yourshop"],
] as const;

/** The shop's public contact details. Empty ones are not shown. */
export function ContactSection() {
  const { contact } = useSettings().values;
  const lines = [contact.email, contact.phone, contact.location].filter((line) => line !== null);
  return (
    <SettingsSection
      id="contact"
      intro="Public: on the contact page, in the footer, in the policies, and where answers to emails go. Empty fields aren’t shown; the contact form always is."
      groups={["contact"]}
      preview={() => (lines.length === 0 ? "Only the contact form." : lines)}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <EmailField {...field("contact.email", orNull)} label="Email" />
          <Field
            {...field("contact.phone", orNull)}
            label="Phone"
            type="tel"
            autoComplete="tel"
            maxLength={40}
          />
          <Field
            {...field("contact.location", orNull)}
            label="Location"
            maxLength={200}
            autoComplete="off"
            hint="As shoppers should read it, like “Austin, Texas”."
            className="md:col-span-2"
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** The seller's legal details, required in e-mails and on receipts. */
export function SellerSection() {
  const { seller, brandName } = useSettings().values;
  return (
    <SettingsSection
      id="seller"
      intro="The business behind the shop, shown at the end of every email to shoppers and on receipts. Many laws require both in advertising emails, so fill them in before you invite people to the newsletter."
      groups={["seller", "invoices"]}
      preview={() => (
        <p className="whitespace-pre-line">
          {[seller.legalName ?? brandName, seller.address].filter(Boolean).join("\n")}
        </p>
      )}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Field
            {...field("seller.legalName", orNull)}
            label="Legal name"
            maxLength={120}
            autoComplete="organization"
            hint="Like “Palmira Oils LLC”. Empty: the brand name."
          />
          <Field
            {...field("seller.registration", orNull)}
            label="Company register entry"
            maxLength={120}
            hint="On invoices, like “HRB 12345, Berlin”."
          />
          <TextArea
            {...field("seller.address", orNull)}
            label="Postal address"
            maxLength={300}
            autoComplete="street-address"
            hint="With the country."
            className="md:col-span-2"
          />
          <Field
            {...field("seller.vatId", orNull)}
            label="VAT or tax ID"
            maxLength={40}
            hint="On invoices."
          />
          <Select
            {...field("invoices.issue")}
            label="Invoices are issued"
            hint="Requires the legal name and postal address above. Numbers have no gaps."
          >
            <option value="at_payment">For every order, when it is paid</option>
            <option value="on_request">When the buyer or you ask for one</option>
          </Select>
          <TextArea
            {...field("invoices.note", orNull)}
            label="Invoice footer"
            maxLength={500}
            className="md:col-span-2"
          />
        </div>
      )}
    </SettingsSection>
  );
}

export function SocialSection() {
  const { social } = useSettings().values;
  const linkedNetworks = networks.filter(([network]) => social[network] !== null).map(([, name]) => name);
  return (
    <SettingsSection
      id="social"
      groups={["social"]}
      preview={() =>
        linkedNetworks.length === 0
          ? "No social links are shown."
          : `Linked in the footer and on the contact page: ${linkedNetworks.join(", ")}.`
      }
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {networks.map(([network, name, example]) => (
            <Field
              key={network}
              {...field(`social.${network}`, orNull)}
              label={name}
              type="url"
              inputMode="url"
              autoComplete="off"
              maxLength={300}
              placeholder={example}
            />
          ))}
        </div>
      )}
    </SettingsSection>
  );
}
