import CircleCheck from "lucide-react/icons/circle-check";
import Truck from "lucide-react/icons/truck";
import { freeShippingProgress, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { lineMax } from "./cart-line.tsx";
import { useCart } from "./cart-store.ts";

/** The amount missing for free shipping, and a button to add one more unit; nothing if shipping is never free. */
export function FreeShippingBox({
  policy,
  country,
  subtotalCents,
  onPaper = false,
}: {
  policy: ShippingPolicy;
  country: string;
  subtotalCents: number;
  /** Whether the surrounding box has the paper color, which this one has otherwise. */
  onPaper?: boolean;
}) {
  const progress = freeShippingProgress(policy, subtotalCents, country);
  if (!progress) return null;
  const { reached, fromCents, text } = progress;
  const percent = fromCents === 0 ? 100 : Math.min(100, (subtotalCents / fromCents) * 100);
  return (
    <div
      className={`rounded-sm px-4.5 py-4 ${onPaper ? "" : "mb-6"} ${reached ? "bg-success-bg text-success" : onPaper ? "bg-cream-soft" : "bg-paper"}`}
    >
      <p role="status" className="flex items-center gap-2.5 text-ui font-medium">
        <Icon glyph={reached ? CircleCheck : Truck} /> {text}
      </p>
      <div
        aria-hidden="true"
        className={`mt-3 h-1.5 overflow-hidden rounded-full ${reached ? "bg-success-line" : "bg-sand"}`}
      >
        <div
          className={`h-full rounded-full transition-[width] duration-(--dur-4) ease-out ${reached ? "bg-success" : "bg-copper-600"}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      {!reached && <AddOneMore />}
    </div>
  );
}

/** Adds one unit of the first line. */
function AddOneMore() {
  const { items, setQuantity } = useCart();
  const [first] = items;
  if (!first || first.quantity === lineMax(first)) return null;
  const { product, quantity } = first;
  return (
    <TextButton className="mt-1.5 -mb-2" onClick={() => setQuantity(product.id, quantity + 1)}>
      {items.length === 1 ? "Add one more bottle" : `Add one more ${product.name}`}
    </TextButton>
  );
}
