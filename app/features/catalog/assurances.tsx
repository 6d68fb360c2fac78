import Lock from "lucide-react/icons/lock";
import Package from "lucide-react/icons/package";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Truck from "lucide-react/icons/truck";
import { Icon } from "../../ui/icon.tsx";

/** Notes below the buy buttons; what the shop's policies do not give is left out. */
export function Assurances({
  arrival = null,
  shippingNote,
  returnsNote,
}: {
  arrival?: string | null;
  shippingNote: string | null;
  returnsNote: string | null;
}) {
  return (
    <ul className="grid gap-1.5 text-small text-ink-muted">
      {[
        { glyph: Truck, text: arrival },
        { glyph: Package, text: shippingNote },
        { glyph: RotateCcw, text: returnsNote },
        { glyph: Lock, text: "Secure checkout" },
      ].map(
        ({ glyph, text }) =>
          text && (
            <li key={text} className="flex items-center gap-2.5">
              <Icon glyph={glyph} className="size-4.5 text-gold-600" /> {text}
            </li>
          ),
      )}
    </ul>
  );
}
