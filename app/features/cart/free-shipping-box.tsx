import CircleCheck from "lucide-react/icons/circle-check";
import Truck from "lucide-react/icons/truck";
import { freeShippingProgress, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";

/** How far the cart is from free shipping, as the policy has it; nothing where the policy never ships free. */
export function FreeShippingBox({
  policy,
  subtotalCents,
}: {
  policy: ShippingPolicy;
  subtotalCents: number;
}) {
  const progress = freeShippingProgress(policy, subtotalCents);
  if (!progress) return null;
  const { reached, fromCents, text } = progress;
  const percent = fromCents === 0 ? 100 : Math.min(100, (subtotalCents / fromCents) * 100);
  return (
    <div className={`mb-6 rounded-sm px-4.5 py-4 ${reached ? "bg-success-bg text-success" : "bg-paper"}`}>
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
    </div>
  );
}
