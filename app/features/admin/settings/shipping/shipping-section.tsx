import Plus from "lucide-react/icons/plus";
import { formatCents } from "../../../../../domain/shared/money.ts";
import {
  deliverySentences,
  leftOutCountriesSentence,
} from "../../../../../domain/shipping/delivery-facts.ts";
import {
  freeShippingNote,
  freeShippingProgress,
  homeCountry,
  type ShippingPolicy,
  shippingOptionsFor,
} from "../../../../../domain/shipping/shipping-policy.ts";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { swapped } from "../row-buttons.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useRows } from "../use-rows.ts";
import type { SettingsDraft } from "../use-settings-draft.ts";
import { newZone } from "./shipping-drafts.ts";
import { ZoneFields, zoneTitle } from "./zone-fields.tsx";

/** Where the shop ships to, how, for how much. `bottleCents`: an example's price. */
export function ShippingSection({ draft, bottleCents }: { draft: SettingsDraft; bottleCents: number }) {
  const { zones } = draft.values.shipping;
  const rows = useRows("shipping.zones");
  const set = (next: ShippingPolicy["zones"]) => draft.set("shipping", { zones: next });
  const rest = zones.findIndex(({ countries }) => countries === "*");
  const named = rest === -1 ? zones.length : rest;
  return (
    <SettingsSection
      id="shipping"
      title="Shipping"
      intro="Each zone has its own options, with days counted in business days. A country is in one zone only; where there is none, nobody can order. The cheapest option is chosen until the shopper takes another."
      groups={["shipping"]}
      draft={draft}
      preview={() => <Preview policy={draft.values.shipping} bottleCents={bottleCents} />}
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
              onChange={(next) => set(zones.with(index, next))}
              onUp={index > 0 && index < named ? () => set(swapped(zones, index, index - 1)) : null}
              onDown={index < named - 1 ? () => set(swapped(zones, index, index + 1)) : null}
              onRemove={
                zones.length > 1
                  ? () =>
                      rows.remove({ index, count: zones.length, name: zoneTitle(zone.countries) }, () =>
                        set(zones.filter((one) => one !== zone)),
                      )
                  : null
              }
            />
          ))}
          <div>
            <Button
              id={rows.addId}
              variant="secondary"
              size="small"
              onClick={() =>
                rows.add(named, "countries", () =>
                  set([...zones.slice(0, named), newZone(), ...zones.slice(named)]),
                )
              }
            >
              <Icon glyph={Plus} size="small" /> Add a zone
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
