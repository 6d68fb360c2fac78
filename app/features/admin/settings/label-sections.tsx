import { Link } from "react-router";
import { addressLines } from "../../../../domain/address/address-format.ts";
import { isSampleSender, type LabelParcel } from "../../../../domain/labels/label-settings.ts";
import { countries } from "../../../../domain/shared/country.ts";
import { centimetersText, ouncesText } from "../../../../domain/shared/measures.ts";
import { Field, Options, Select, TextArea } from "../../../ui/field.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { Fold } from "../kit/fold.tsx";
import { NumberField } from "./number-field.tsx";
import { AddRow, RowButtons, type RowFields, useRows } from "./rows.tsx";
import { useSettings } from "./settings-form.tsx";
import { type SettingsField, SettingsSection } from "./settings-section.tsx";

const shippedWhenLabels = {
  bought: "when its label is bought",
  printed: "when its label is printed",
  scanned: "when the carrier has scanned it",
};
const paperLabels = {
  "4x6": "Label printer, 4 x 6 in",
  letter: "Letter, two on a sheet",
  a4: "A4, two on a sheet",
};

/** Class of a field that fills a row on phones, where only state and postal code are side by side. */
const wideClass = "max-md:col-span-2";

/** The sender of parcels, how labels are printed, and when an order with a label counts as shipped. */
export function LabelsSection() {
  const { values } = useSettings();
  const { sender, shippedWhen } = values.labels;
  return (
    <SettingsSection
      id="labels"
      groups={["labels"]}
      audience="owner"
      intro={
        <>
          Labels of the sandbox carrier say TEST and are for test orders. They show how buying, printing and
          voiding work before you connect a carrier: enter a key of EasyPost or Shippo under{" "}
          <Link className="link" to="/admin/settings/keys#easypost">
            Keys and connections
          </Link>
          .
        </>
      }
      preview={() => [
        `Sender: ${addressLines({ customerName: sender.name, shipping: sender, shippingAddress: "" }).join(", ")}${isSampleSender(sender) ? " (sample: enter your own before you buy real labels)" : ""}`,
        `An order counts as shipped ${shippedWhenLabels[shippedWhen]}; then its buyer gets the tracking link.`,
      ]}
    >
      {(field) => (
        <div className="grid gap-6">
          <fieldset className="grid grid-cols-2 items-start gap-4">
            <legend className="mb-2 font-semibold">Sender</legend>
            <Field
              {...field("labels.sender.name")}
              label="Name"
              className={wideClass}
              maxLength={60}
              autoComplete="organization"
            />
            <Field
              {...field("labels.sender.phone", orNull)}
              label="Phone"
              className={wideClass}
              type="tel"
              maxLength={40}
            />
            <Field {...field("labels.sender.line1")} label="Street" className={wideClass} maxLength={100} />
            <Field
              {...field("labels.sender.line2", orNull)}
              label="Suite, floor"
              className={wideClass}
              maxLength={100}
            />
            <Field {...field("labels.sender.city")} label="City" className={wideClass} maxLength={60} />
            <Field {...field("labels.sender.state")} label="State" optional maxLength={40} />
            <Field {...field("labels.sender.postalCode")} label="Postal code" maxLength={20} />
            <Select {...field("labels.sender.country")} label="Country" className={wideClass}>
              <Options of={countries} />
            </Select>
          </fieldset>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <Select {...field("labels.paper")} label="Print labels on">
              <Options of={Object.entries(paperLabels)} />
            </Select>
            <Select {...field("labels.shippedWhen")} label="An order counts as shipped">
              <Options of={Object.entries(shippedWhenLabels)} />
            </Select>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

const maxParcels = 10;

/** Sizes of the parcels, weights, and the services that may be proposed. */
export function ParcelsSection() {
  const { values, set } = useSettings();
  const { labels } = values;
  const setParcels = (parcels: LabelParcel[]) => set("labels", { ...labels, parcels });
  const rows = useRows("labels.parcels", labels.parcels, setParcels);
  const [firstParcel] = labels.parcels;
  return (
    <SettingsSection
      id="parcels"
      groups={["labels"]}
      audience="owner"
      intro="The first parcel is preselected. Its weight and the weight of its products determine the label’s price."
      preview={() =>
        firstParcel &&
        `Two units of a product without a weight, in “${firstParcel.name}”, weigh ${weightText(firstParcel.weightGrams + 2 * labels.unitGrams)}.`
      }
    >
      {(field) => (
        <div className="grid gap-5">
          {labels.parcels.map((parcel, index) => (
            <ParcelFieldsRow
              key={parcel.id}
              field={field}
              path={`labels.parcels.${index}`}
              parcel={parcel}
              actions={rows.actions(index, parcel.name, { movableCount: labels.parcels.length, minCount: 1 })}
            />
          ))}
          <AddRow
            rows={rows}
            label="Add a parcel"
            disabled={labels.parcels.length >= maxParcels}
            onAdd={() => rows.add(newParcel(labels.parcels), "name")}
          />
          <NumberField
            {...field("labels.unitGrams")}
            label="Weight if none is set"
            unit={Number.isNaN(labels.unitGrams) ? "g" : `g (${ouncesText(labels.unitGrams)})`}
            hint="Enter the weight of each product under Manage Products."
          />
          <Services field={field} />
        </div>
      )}
    </SettingsSection>
  );
}

function ParcelFieldsRow({
  field,
  path,
  parcel,
  actions,
}: RowFields<`labels.parcels.${number}`> & { parcel: LabelParcel }) {
  return (
    <fieldset id={path} tabIndex={-1} className="grid gap-3 border-b border-line pb-4">
      <legend className="sr-only">{parcel.name || "New parcel"}</legend>
      <div className="flex items-end gap-2">
        <Field {...field(`${path}.name`)} label="Parcel" maxLength={40} className="grow" />
        <RowButtons name={parcel.name || "this parcel"} {...actions} />
      </div>
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-4">
        {(["length", "width", "height"] as const).map((side) => (
          <NumberField
            key={side}
            {...field(`${path}.${side}`)}
            label={sideLabels[side]}
            unit="in"
            decimals={1}
            hint={centimetersText(parcel[side]) ?? undefined}
          />
        ))}
        <NumberField
          {...field(`${path}.weightGrams`)}
          label="Empty weight"
          unit="g"
          hint={ouncesText(parcel.weightGrams) ?? undefined}
        />
      </div>
    </fieldset>
  );
}

const sideLabels = { length: "Length", width: "Width", height: "Height" };

/** Such as "360 g (12.7 oz)". */
function weightText(grams: number): string {
  return `${grams} g (${ouncesText(grams)})`;
}

const speedLabels = { standard: "Services for standard orders", expedited: "Services for expedited orders" };
const speeds = ["standard", "expedited"] as const;

/** Collapsed, because most shops use the carrier's defaults. */
function Services({ field }: { field: SettingsField }) {
  const fields = speeds.map((speed) => field(`labels.services.${speed}`));
  const isLimited = fields.some(({ value }) => value.length > 0);
  return (
    <div className="rounded-sm border border-line">
      <Fold
        level="h3"
        title="Services"
        state={isLimited ? "Limited" : "All services"}
        hasError={fields.some(({ error }) => error)}
      >
        <div className="grid items-start gap-4 md:grid-cols-2">
          {speeds.map((speed) => (
            <ServicesField key={speed} speed={speed} field={field} />
          ))}
        </div>
      </Fold>
    </div>
  );
}

/** Services that may be proposed, one per line; an empty field allows all services of the carrier. */
function ServicesField({ speed, field }: { speed: keyof typeof speedLabels; field: SettingsField }) {
  const { name, value, error, onChange } = field(`labels.services.${speed}`);
  return (
    <TextArea
      name={name}
      error={error}
      label={speedLabels[speed]}
      optional
      rows={3}
      hint="One per line, such as Ground. If empty, any that the carrier offers."
      value={value.join("\n")}
      onChange={({ target }) => onChange(target.value === "" ? [] : target.value.split("\n"))}
    />
  );
}

function newParcel(parcels: readonly LabelParcel[]): LabelParcel {
  const usedIds = parcels.map(({ id }) => id);
  const freeIndex =
    [...Array(maxParcels).keys()].find((index) => !usedIds.includes(`parcel-${index + 1}`)) ?? 0;
  return { id: `parcel-${freeIndex + 1}`, name: "", length: 8, width: 6, height: 4, weightGrams: 80 };
}
