import { formatCents } from "../../../../domain/shared/money.ts";
import { deliverySentences, leftOutCountriesSentence } from "../../../../domain/shipping/delivery-facts.ts";
import {
  freeShippingNote,
  freeShippingProgress,
  homeCountry,
  type ShippingPolicy,
  shippingOptionsFor,
} from "../../../../domain/shipping/shipping-policy.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { AddRow, useRows } from "./rows.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { newZone, ZoneFields, zoneTitle } from "./zone-fields.tsx";

/** Where the shop ships to, how, for how much. `bottleCents`: an example's price. */
export function ShippingSection({ bottleCents }: { bottleCents: number }) {
  const { values, set } = useSettings();
  const { zones } = values.shipping;
  const setZones = (next: ShippingPolicy["zones"]) => set("shipping", { zones: next });
  const rows = useRows("shipping.zones", zones, setZones);
  const rest = zones.findIndex(({ countries }) => countries === "*");
  const namedCount = rest === -1 ? zones.length : rest;
  return (
    <SettingsSection
      id="shipping"
      intro="Each zone has its own options, with days counted in business days. A country is in one zone only; where there is none, nobody can order. The cheapest option is chosen until the shopper takes another."
      groups={["shipping"]}
      preview={() => <Preview policy={values.shipping} bottleCents={bottleCents} />}
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
              canBeRest={index === zones.length - 1}
              onChange={(next) => setZones(zones.with(index, next))}
              actions={rows.actions(index, zoneTitle(zone.countries), { movable: namedCount, atLeast: 1 })}
            />
          ))}
          <AddRow rows={rows} label="Add a zone" onAdd={() => rows.add(newZone(), "countries", namedCount)} />
        </div>
      )}
    </SettingsSection>
  );
}

function Preview({ policy, bottleCents }: { policy: ShippingPolicy; bottleCents: number }) {
  const progress = freeShippingProgress(policy, bottleCents);
  const leftOut = leftOutCountriesSentence(policy);
  return (
    <div className="grid gap-1">
      {deliverySentences(policy).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {leftOut !== null && <p>{leftOut} To ship there, name the country in a zone of its own.</p>}
      <p>{freeShippingNote(policy) ?? "Nothing is said of free shipping."}</p>
      {progress && (
        <p className="text-ink-muted">
          In a cart of {formatCents(bottleCents)}: “{progress.text}”
        </p>
      )}
      {shippingOptionsFor(policy, homeCountry).length === 0 && (
        <Banner tone="warning" className="mt-2" title="Nobody in the United States can order.">
          Before an address is known, prices are shown as for there.
        </Banner>
      )}
    </div>
  );
}
