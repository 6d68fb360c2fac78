import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

const networks = [
  ["instagram", "Instagram", "https://www.instagram.com/yourshop"],
  ["facebook", "Facebook", "https://www.facebook.com/yourshop"],
  ["tiktok", "TikTok", "https://www.tiktok.com/@yourshop"],
  ["x", "X", "https://x.com/yourshop"],
] as const;

/** How shoppers reach the owner. What is left empty is shown nowhere. */
export function ContactSection({ draft }: { draft: SettingsDraft }) {
  const { contact } = draft.values;
  const change = (changes: Partial<typeof contact>) => draft.set("contact", { ...contact, ...changes });
  const shown = [contact.email, contact.phone, contact.location].filter((line) => line !== null);
  return (
    <SettingsSection
      id="contact"
      title="Contact details"
      intro="Public: on the contact page, in the footer, in the policies, and where answers to emails go. What is left empty is shown nowhere; the contact form is always there."
      groups={["contact"]}
      draft={draft}
      preview={() =>
        shown.length === 0 ? <p>The contact form alone.</p> : shown.map((line) => <p key={line}>{line}</p>)
      }
    >
      {(at) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <EmailField
            {...at("contact.email")}
            label="Email"
            optional
            value={contact.email ?? ""}
            onChange={(event) => change({ email: orNull(event.target.value) })}
          />
          <Field
            {...at("contact.phone")}
            label="Phone"
            optional
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={contact.phone ?? ""}
            onChange={(event) => change({ phone: orNull(event.target.value) })}
          />
          <Field
            {...at("contact.location")}
            label="Location"
            optional
            maxLength={200}
            autoComplete="off"
            value={contact.location ?? ""}
            hint="As shoppers should read it, like “Austin, Texas”."
            className="md:col-span-2"
            onChange={(event) => change({ location: orNull(event.target.value) })}
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** Who sells, as e-mails and receipts have to say it. */
export function SellerSection({ draft }: { draft: SettingsDraft }) {
  const { seller, invoices, brandName } = draft.values;
  const change = (changes: Partial<typeof seller>) => draft.set("seller", { ...seller, ...changes });
  return (
    <SettingsSection
      id="seller"
      title="Seller"
      intro="The business behind the shop, at the foot of every email to shoppers and on receipts. Many laws ask for both in advertising emails, so fill them in before you invite people to the newsletter."
      groups={["seller", "invoices"]}
      draft={draft}
      preview={() => (
        <p className="whitespace-pre-line">
          {[seller.legalName ?? brandName, seller.address].filter(Boolean).join("\n")}
        </p>
      )}
    >
      {(at) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Field
            {...at("seller.legalName")}
            label="Legal name"
            optional
            maxLength={120}
            autoComplete="organization"
            hint="Like “Palmira Oils LLC”. Empty: the brand name."
            value={seller.legalName ?? ""}
            onChange={(event) => change({ legalName: orNull(event.target.value) })}
          />
          <TextArea
            {...at("seller.address")}
            label="Postal address"
            optional
            maxLength={300}
            autoComplete="street-address"
            hint="Line by line, with the country."
            value={seller.address ?? ""}
            onChange={(event) => change({ address: orNull(event.target.value) })}
          />
          <Field
            {...at("seller.vatId")}
            label="VAT or tax ID"
            optional
            maxLength={40}
            hint="On invoices."
            value={seller.vatId ?? ""}
            onChange={(event) => change({ vatId: orNull(event.target.value) })}
          />
          <Field
            {...at("seller.registration")}
            label="Entry in a register"
            optional
            maxLength={120}
            hint="On invoices, like “HRB 12345, Berlin”."
            value={seller.registration ?? ""}
            onChange={(event) => change({ registration: orNull(event.target.value) })}
          />
          <Select
            {...at("invoices.issue")}
            label="Invoices are issued"
            value={invoices.issue}
            hint="Once legal name and postal address are here. Numbers have no gaps."
            onChange={(event) =>
              draft.set("invoices", {
                ...invoices,
                issue: event.target.value === "on_request" ? "on_request" : "at_payment",
              })
            }
          >
            <option value="at_payment">For every order, when it is paid</option>
            <option value="on_request">When the buyer or you ask for one</option>
          </Select>
          <TextArea
            {...at("invoices.note")}
            label="At the foot of invoices"
            optional
            maxLength={500}
            value={invoices.note ?? ""}
            onChange={(event) => draft.set("invoices", { ...invoices, note: orNull(event.target.value) })}
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** Where else the shop is found. */
export function SocialSection({ draft }: { draft: SettingsDraft }) {
  const { social } = draft.values;
  const shown = networks.filter(([network]) => social[network] !== null).map(([, name]) => name);
  return (
    <SettingsSection
      id="social"
      title="Social links"
      groups={["social"]}
      draft={draft}
      preview={() => (
        <p>
          {shown.length === 0
            ? "No links to other places are shown."
            : `Linked in the footer and on the contact page: ${shown.join(", ")}.`}
        </p>
      )}
    >
      {(at) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {networks.map(([network, name, example]) => (
            <Field
              key={network}
              {...at(`social.${network}`)}
              label={name}
              optional
              type="url"
              inputMode="url"
              autoComplete="off"
              maxLength={300}
              placeholder={example}
              value={social[network] ?? ""}
              onChange={(event) => draft.set("social", { ...social, [network]: orNull(event.target.value) })}
            />
          ))}
        </div>
      )}
    </SettingsSection>
  );
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}
