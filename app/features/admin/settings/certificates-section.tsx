import Plus from "lucide-react/icons/plus";
import { badgeNames, missionFacts } from "../../../../domain/settings/badges.ts";
import { badgeKeys, type Certificate } from "../../../../domain/settings/settings.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { Switch } from "../kit/switch.tsx";
import { RowButtons } from "./row-buttons.tsx";
import { type SettingsField, SettingsSection } from "./settings-section.tsx";
import { useRows } from "./use-rows.ts";
import type { SettingsDraft } from "./use-settings-draft.ts";

const newCertificate: Certificate = { name: "", number: null, link: null };

/** The shop's own badges, and certificates from third parties. */
export function CertificatesSection({ draft }: { draft: SettingsDraft }) {
  const { badges, certificates } = draft.values;
  const shown = missionFacts({ ...draft.values, founderPicture: null });
  const set = (next: Certificate[]) => draft.set("certificates", next);
  const rows = useRows("certificates");
  return (
    <SettingsSection
      id="certificates"
      title="Badges and certificates"
      intro="“Fair Trade” and “Sustainable” are your own statements on the home page and in the story: say what you mean by them, or hide them. A certificate of the same name adds its number or link; others stand beside them."
      groups={["badges", "certificates"]}
      draft={draft}
      preview={() => (
        <ul className="grid gap-1">
          {shown.badges.map(({ name, means, certificate }) => (
            <li key={name}>
              {[name, certificate?.number].filter(Boolean).join(" ")}: {means}
              {certificate === null && " Our own statement, not a certificate."}
            </li>
          ))}
          {shown.certificates.map(({ name, number }) => (
            <li key={`${name}${number}`}>{[name, number].filter(Boolean).join(" ")}</li>
          ))}
          {shown.badges.length + shown.certificates.length === 0 && (
            <li>No badges. “Cold-pressed” and “One ingredient” stand in their place.</li>
          )}
        </ul>
      )}
    >
      {(field) => (
        <div className="grid gap-4">
          {badgeKeys.map((key) => (
            <div key={key} className="grid gap-2">
              <Switch {...field(`badges.${key}.isShown`)} label={`Show “${badgeNames[key]}”`} />
              {badges[key].isShown && (
                <Field
                  {...field(`badges.${key}.means`)}
                  label={`What you mean by “${badgeNames[key]}”`}
                  maxLength={200}
                />
              )}
            </div>
          ))}
          <ul className="grid gap-4 empty:hidden">
            {certificates.map((certificate, index) => (
              <CertificateFields
                // biome-ignore lint/suspicious/noArrayIndexKey: a certificate is what its place in the list says
                key={index}
                path={`certificates.${index}`}
                certificate={certificate}
                field={field}
                onRemove={() =>
                  rows.remove({ index, count: certificates.length, name: "The certificate" }, () =>
                    set(certificates.filter((one) => one !== certificate)),
                  )
                }
              />
            ))}
          </ul>
          <div>
            <Button
              id={rows.addId}
              variant="secondary"
              size="small"
              onClick={() =>
                rows.add(certificates.length, "name", () => set([...certificates, newCertificate]))
              }
            >
              <Icon glyph={Plus} size="small" /> Add a certificate
            </Button>
            <span role="status" className="sr-only">
              {rows.news}
            </span>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

function CertificateFields({
  path,
  certificate,
  field,
  onRemove,
}: {
  path: `certificates.${number}`;
  certificate: Certificate;
  field: SettingsField;
  onRemove: () => void;
}) {
  const what = certificate.name || "the new certificate";
  return (
    <li>
      <fieldset
        id={path}
        tabIndex={-1}
        className="grid items-start gap-3 rounded-sm border border-line p-[clamp(.875rem,3vw,1.25rem)] md:grid-cols-[1fr_1fr_1.4fr_auto]"
      >
        <legend className="sr-only">Certificate: {what}</legend>
        <Field {...field(`${path}.name`)} label="Name" maxLength={60} placeholder="Fair Trade" />
        <Field {...field(`${path}.number`, orNull)} label="Number" optional maxLength={80} />
        <Field
          {...field(`${path}.link`, orNull)}
          label="Where it can be checked"
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={300}
          placeholder="https://"
        />
        <span className="justify-self-end md:mt-6.5">
          <RowButtons what={what} onUp={null} onDown={null} onRemove={onRemove} />
        </span>
      </fieldset>
    </li>
  );
}
