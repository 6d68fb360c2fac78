import Lock from "lucide-react/icons/lock";
import Package from "lucide-react/icons/package";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Truck from "lucide-react/icons/truck";
import type { ReactNode } from "react";
import type { CountryNote } from "../../../domain/shipping/served-countries.ts";
import { Icon } from "../../ui/icon.tsx";
import { hasShippingNote, ShippingNote } from "../shipping/shipping-note.tsx";

/** Notes below the buy buttons: arrival, shipping, returns and security. Notes that do not apply are omitted. */
export function Assurances({
  arrival = null,
  shippingNotes,
  returnsNote,
}: {
  arrival?: ReactNode;
  shippingNotes: readonly CountryNote[];
  returnsNote: string | null;
}) {
  return (
    <ul className="grid gap-1.5 text-small text-ink-muted">
      {[
        { glyph: Truck, text: arrival },
        { glyph: Package, text: hasShippingNote(shippingNotes) && <ShippingNote notes={shippingNotes} /> },
        { glyph: RotateCcw, text: returnsNote },
        { glyph: Lock, text: "Secure checkout" },
      ].map(
        ({ glyph, text }, line) =>
          text && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
            <li key={line} className="flex items-center gap-2.5">
              <Icon glyph={glyph} className="size-4.5 text-gold-600" />
              {text}
            </li>
          ),
      )}
    </ul>
  );
}
