import MapPin from "lucide-react/icons/map-pin";
import type { Account } from "../../../domain/orders/account.ts";
import { Icon } from "../../ui/icon.tsx";

/** Where the visitor's orders went. */
export function Addresses({ addresses }: { addresses: Account["addresses"] }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className="mb-4 text-h3">
        Addresses used
      </h2>
      <ul className="grid gap-3">
        {addresses.map(({ name, address }) => (
          <li
            key={`${name} ${address}`}
            className="grid grid-cols-[auto_1fr] gap-3 rounded-md border border-line bg-surface p-5 text-ui"
          >
            <Icon glyph={MapPin} className="mt-0.5 text-copper-700" />
            <span className="min-w-0 wrap-break-word">
              {name}
              <span className="block text-small text-ink-muted">{address}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
