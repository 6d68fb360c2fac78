import FlaskConical from "lucide-react/icons/flask-conical";
import { Icon } from "../ui/icon.tsx";

/** On every page of a shop without a real payment provider, printed receipts included; not on packing slips. */
export function TestModeBanner() {
  return (
    <aside
      data-test-mode
      aria-label="Test mode"
      className="flex items-center justify-center gap-2 bg-info-bg px-(--gutter) py-2 text-center print:[body:has([data-slips])_&]:hidden text-caption font-medium text-info"
    >
      <Icon glyph={FlaskConical} size="small" className="max-sm:hidden" />
      <p className="text-balance">Test mode: payments are simulated, no card is charged</p>
    </aside>
  );
}
