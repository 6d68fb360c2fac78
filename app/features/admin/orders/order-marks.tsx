import Globe from "lucide-react/icons/globe";
import Link2 from "lucide-react/icons/link-2";
import Zap from "lucide-react/icons/zap";
import type { ReactNode } from "react";
import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import { countryName } from "../../../../domain/shared/country.ts";
import { homeCountry } from "../../../../domain/shipping/served-countries.ts";
import { Icon } from "../../../ui/icon.tsx";

const list = new Intl.ListFormat("en-US");

const tagClass =
  "inline-flex items-center gap-1.5 rounded-sm px-2 py-0.5 text-caption leading-normal font-semibold whitespace-nowrap";

/** Tag of a faster shipping option; such orders are packed first. */
export function ExpeditedTag({ children }: { children: ReactNode }) {
  return (
    <span className={`${tagClass} bg-copper-700 text-white`}>
      <Icon glyph={Zap} size="small" className="size-3.5" /> {children}
    </span>
  );
}

/** A country's name, tinted unless it is the home country. */
export function CountryTag({ code }: { code: string }) {
  const name = countryName(code) ?? code;
  if (code === homeCountry) return <span className="text-ink-muted">{name}</span>;
  return (
    <span className={`${tagClass} bg-info-bg text-info`}>
      <Icon glyph={Globe} size="small" className="size-3.5" /> {name}
    </span>
  );
}

/** "Same address as #1038 and #1040": they could ship in one parcel. */
export function SameAddressNote({ orders }: { orders: AdminOrderRow["sameAddress"] }) {
  if (orders.length === 0) return null;
  return (
    <span className="inline-flex items-center gap-1 text-caption font-medium text-copper-700">
      <Icon glyph={Link2} size="small" className="size-3.5" /> Same address as{" "}
      {list.format(orders.map(({ number }) => `#${number}`))}
    </span>
  );
}

export function PhoneDoubt() {
  return (
    <span className="block text-small text-ink-muted">
      This may not be a complete phone number. Ask the buyer before the parcel ships.
    </span>
  );
}
