import { useState } from "react";
import { formatCents } from "../../../../domain/shared/money.ts";
import { datesIn } from "../../../../domain/shared/zoned-days.ts";
import { arrivalText, estimateArrival, orderDay } from "../../../../domain/shipping/arrival.ts";
import { deliverySentences, leftOutCountriesSentence } from "../../../../domain/shipping/delivery-facts.ts";
import {
  freeShippingNote,
  freeShippingProgress,
  homeCountry,
  type ShippingPolicy,
  shippingOptionsFor,
} from "../../../../domain/shipping/shipping-policy.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import { AddRow, useRows } from "./rows.tsx";
import { useSettings } from "./settings-form.tsx";
import { type SettingsField, SettingsSection } from "./settings-section.tsx";
import { newZone, ZoneFields, zoneTitle } from "./zone-fields.tsx";

/** Countries, shipping options and their prices. `exampleCents`: product price for examples. */
export function ShippingSection({ exampleCents }: { exampleCents: number }) {
  const { values, set } = useSettings();
  const { zones } = values.shipping;
  const setZones = (next: ShippingPolicy["zones"]) => set("shipping", { zones: next });
  const rows = useRows("shipping.zones", zones, setZones);
  const otherCountriesIndex = zones.findIndex(({ countries }) => countries === "*");
  const namedZoneCount = otherCountriesIndex === -1 ? zones.length : otherCountriesIndex;
  return (
    <SettingsSection
      id="shipping"
      intro="Shoppers in a country without a zone can’t order. To ship to a country we leave out, give it its own zone. Days are business days, and the cheapest option is preselected."
      groups={["shipping"]}
      preview={() => <Preview policy={values.shipping} exampleCents={exampleCents} />}
    >
      {(field) => (
        <div className="grid gap-4">
          {zones.map((zone, index) => (
            <ZoneFields
              key={zone.id}
              path={`shipping.zones.${index}`}
              zone={zone}
              zones={zones}
              field={field}
              mayCoverAllOthers={index === zones.length - 1}
              onChange={(next) => setZones(zones.with(index, next))}
              actions={rows.actions(index, zoneTitle(zone.countries), {
                movableCount: namedZoneCount,
                minCount: 1,
              })}
            />
          ))}
          <AddRow
            rows={rows}
            label="Add a zone"
            onAdd={() => rows.add(newZone(), "countries", namedZoneCount)}
          />
        </div>
      )}
    </SettingsSection>
  );
}

function Preview({ policy, exampleCents }: { policy: ShippingPolicy; exampleCents: number }) {
  const progress = freeShippingProgress(policy, exampleCents);
  const leftOutSentence = leftOutCountriesSentence(policy);
  return (
    <>
      {deliverySentences(policy).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {leftOutSentence !== null && <p>{leftOutSentence}</p>}
      <p>{freeShippingNote(policy) ?? "Free shipping is not mentioned."}</p>
      {progress && (
        <p className="text-ink-muted">
          In a cart of {formatCents(exampleCents)}: “{progress.text}”
        </p>
      )}
      {shippingOptionsFor(policy, homeCountry).length === 0 && (
        <Banner tone="warning" className="mt-2" title="Nobody in the United States can order.">
          Until an address is known, prices are shown as for that country.
        </Banner>
      )}
    </>
  );
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The shop's working days, from which delivery dates are computed. `now`: ISO 8601. */
export function CalendarSection({ now }: { now: string }) {
  const { values, set } = useSettings();
  const { calendar, shipping, timeZone } = values;
  return (
    <SettingsSection
      id="calendar"
      intro="Product pages and checkout show when a parcel arrives. Delivery days count from the day you pack, without weekends and your holidays."
      groups={["calendar"]}
      preview={() => {
        const day = orderDay(calendar, timeZone, new Date(now));
        return shipping.zones.flatMap(({ options }) =>
          options.map((option) => (
            <p key={option.id}>
              Ordered now, {option.name}:{" "}
              <span className="whitespace-nowrap">{arrivalText(estimateArrival(option, calendar, day))}</span>
            </p>
          )),
        );
      }}
    >
      {(field) => (
        <div className="stack items-start gap-4 md:grid-cols-2">
          <fieldset className="min-w-0 md:col-span-2">
            <legend className="mb-1.5 text-small font-medium">Days you pack</legend>
            <div className="flex flex-wrap gap-x-5">
              {weekdays.map((name, index) => (
                <label key={name} className="flex min-h-11 items-center gap-2.5 text-ui min-w-28 md:min-w-0">
                  <input
                    type="checkbox"
                    name={`calendar.workingDays.${index}`}
                    className="size-5 accent-forest-800"
                    checked={calendar.workingDays.includes(index + 1)}
                    onChange={({ target }) =>
                      set("calendar", {
                        ...calendar,
                        workingDays: target.checked
                          ? [...calendar.workingDays, index + 1].toSorted()
                          : calendar.workingDays.filter((day) => day !== index + 1),
                      })
                    }
                  />
                  {name}
                </label>
              ))}
            </div>
            {field("calendar.workingDays").error && (
              <p className="mt-1.5 text-caption font-medium text-danger">
                {field("calendar.workingDays").error}
              </p>
            )}
          </fieldset>
          <Field
            {...field("calendar.cutOff")}
            label="Orders until"
            type="time"
            hint={`Orders placed by then count for that working day. Time zone: ${timeZone}.`}
          />
          <Holidays field={field} />
        </div>
      )}
    </SettingsSection>
  );
}

/** One date or range per line; the typed text is kept while it parses to the same dates. */
function Holidays({ field }: { field: SettingsField }) {
  const { value: dates, onChange, ...props } = field("calendar.holidays");
  const [typedText, setTypedText] = useState("");
  const text = datesIn(typedText).join() === dates.join() ? typedText : dates.join("\n");
  return (
    <TextArea
      {...props}
      label="Holidays"
      optional
      rows={4}
      value={text}
      placeholder="2026-12-25"
      hint={
        <>
          Days when you don’t pack, one per line, like <span className="whitespace-nowrap">2026-12-25</span>,
          or <span className="whitespace-nowrap">2026-12-24</span> to{" "}
          <span className="whitespace-nowrap">2027-01-04</span>.
        </>
      }
      onChange={({ target }) => {
        setTypedText(target.value);
        onChange(datesIn(target.value));
      }}
    />
  );
}
