import { toProductImage, uploadedHash } from "../../../../domain/catalog/product-image.ts";
import { badgeNames, missionFacts } from "../../../../domain/settings/badges.ts";
import { badgeKeys, type Certificate, type FounderPicture } from "../../../../domain/settings/settings.ts";
import { Field } from "../../../ui/field.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { shopPicture } from "../../content/shop-picture.ts";
import { ActionButton } from "../kit/action-button.tsx";
import { Switch } from "../kit/switch.tsx";
import { ChooseFounderPicture } from "./founder-picture.tsx";
import { AddRow, RowButtons, type RowFields, useRows } from "./rows.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

const workshop = shopPicture(
  "founder-workshop.jpg",
  "Basket, mortar and oil: the picture that the shop comes with",
);

/** The founder's name and caption, with the photograph, which is saved immediately. */
export function FounderSection({ picture }: { picture: FounderPicture | null }) {
  const { founder } = useSettings().values;
  const uploadedPicture =
    picture && toProductImage({ ...picture, hash: uploadedHash(picture.file) ?? "" }, "Your photograph");

  return (
    <SettingsSection
      id="founder"
      intro="The photograph of the home page’s mission section and of your story. Until you add one, they show the place where the oil is made."
      groups={["founder"]}
      preview={() =>
        founder.name || founder.caption
          ? [founder.name, founder.caption].filter(Boolean).join(": ")
          : "The picture is shown without a name."
      }
    >
      {(field) => (
        <div className="stack items-start gap-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <div className="aspect-4/5 w-40 max-w-full overflow-hidden rounded-sm bg-cream">
            <Picture image={uploadedPicture ?? workshop} sizes="10rem" className="size-full object-cover" />
          </div>
          <div className="grid min-w-0 gap-4">
            <div className="grid justify-items-start gap-2">
              <ChooseFounderPicture label={picture ? "Choose another photograph" : "Choose a photograph"} />
              {picture && (
                <ActionButton
                  call="DELETE /api/admin/founder-picture"
                  success={{ title: "The workshop is shown again" }}
                  failure="The photograph was not removed"
                  variant="quiet"
                  className="-ml-3"
                  busyText="Removing..."
                  send={(run) => run()}
                >
                  Show the workshop again
                </ActionButton>
              )}
            </div>
            <Field {...field("founder.name", orNull)} label="Name" maxLength={80} autoComplete="off" />
            <Field
              {...field("founder.caption", orNull)}
              label="Caption"
              maxLength={200}
              hint="A sentence below the name, such as where the picture was taken."
            />
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

const newCertificate: Certificate = { name: "", number: null, link: null };

/** The shop's own badges, and certificates from third parties. */
export function CertificatesSection() {
  const { values, set } = useSettings();
  const { badges, certificates } = values;
  const facts = missionFacts({ ...values, founderPicture: null });
  const rows = useRows("certificates", certificates, (next) => set("certificates", next));
  return (
    <SettingsSection
      id="certificates"
      intro="“Fair Trade” and “Sustainable” are claims that the shop makes itself, on the home page and in the story: say what you mean by them, or hide them. A certificate of the same name adds its number or link as proof; other certificates are shown beside them."
      groups={["badges", "certificates"]}
      preview={() => (
        <ul className="grid gap-1">
          {facts.badges.map(({ name, means, certificate }) => (
            <li key={name}>
              {[name, certificate?.number].filter(Boolean).join(" ")}: {means}
              {certificate === null && " Our own statement, not a certificate."}
            </li>
          ))}
          {facts.certificates.map(({ name, number }) => (
            <li key={`${name}${number}`}>{[name, number].filter(Boolean).join(" ")}</li>
          ))}
          {facts.badges.length + facts.certificates.length === 0 && (
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
                // biome-ignore lint/suspicious/noArrayIndexKey: a certificate has no identity besides its place
                key={index}
                path={`certificates.${index}`}
                certificate={certificate}
                field={field}
                actions={rows.actions(index, "The certificate")}
              />
            ))}
          </ul>
          <AddRow rows={rows} label="Add a certificate" onAdd={() => rows.add(newCertificate, "name")} />
        </div>
      )}
    </SettingsSection>
  );
}

function CertificateFields({
  path,
  certificate,
  field,
  actions,
}: RowFields<`certificates.${number}`> & { certificate: Certificate }) {
  const name = certificate.name || "the new certificate";
  return (
    <li>
      <fieldset
        id={path}
        tabIndex={-1}
        className="grid items-start gap-3 rounded-sm border border-line p-[clamp(.875rem,3vw,1.25rem)] md:grid-cols-[1fr_1fr_1.4fr_auto]"
      >
        <legend className="sr-only">Certificate: {name}</legend>
        <Field {...field(`${path}.name`)} label="Name" maxLength={60} placeholder="Fair Trade" />
        <Field {...field(`${path}.number`, orNull)} label="Number" maxLength={80} />
        <Field
          {...field(`${path}.link`, orNull)}
          label="Where it can be checked"
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={300}
          placeholder="https://"
        />
        <span className="justify-self-end md:mt-6.5">
          <RowButtons name={name} {...actions} />
        </span>
      </fieldset>
    </li>
  );
}
