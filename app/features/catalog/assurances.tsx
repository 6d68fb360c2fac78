import Lock from "lucide-react/icons/lock";
import Truck from "lucide-react/icons/truck";
import { Icon } from "../../ui/icon.tsx";

/** Notes below the buy buttons; the shipping one is a sentence of the shipping policy, or absent. */
export function Assurances({ shippingNote }: { shippingNote: string | null }) {
  const notes = [
    ...(shippingNote ? [{ glyph: Truck, text: shippingNote }] : []),
    { glyph: Lock, text: "Secure checkout" },
  ];
  return (
    <ul className="grid gap-1.5 text-small text-ink-muted">
      {notes.map(({ glyph, text }) => (
        <li key={text} className="flex items-center gap-2.5">
          <Icon glyph={glyph} className="size-4.5 text-gold-600" /> {text}
        </li>
      ))}
    </ul>
  );
}
