import { useState } from "react";
import { compactTracking, trackingWarning } from "../../../../domain/orders/tracking.ts";
import { callApi } from "../../api.ts";
import { withUnlock } from "../shell/unlock-again.tsx";
import { type ParcelDraft, parcelBody } from "./parcel.ts";

type Parcel = { key: string; draft: ParcelDraft };

/**
 * Warnings about tracking numbers by parcel key: wrong format for the carrier, entered twice, or used for an earlier
 * parcel. `check` returns true without warnings, or when the same numbers were checked before.
 */
export function useTrackingCheck() {
  const [warnings, setWarnings] = useState<Record<string, string>>({});
  const [seen, setSeen] = useState("");
  const [isChecking, setChecking] = useState(false);

  async function check(parcels: readonly Parcel[]): Promise<boolean> {
    const bodies = parcels.map(({ key, draft }) => ({ key, ...parcelBody(draft) }));
    const wish = JSON.stringify(bodies);
    if (wish === seen) return true;
    const numbers = bodies.flatMap(({ trackingNumber }) => trackingNumber ?? []);
    setChecking(true);
    const answer =
      numbers.length === 0
        ? null
        : await withUnlock(() => callApi("POST /api/admin/tracking/check", { body: { numbers } }));
    setChecking(false);
    // If the check fails, earlier parcels are unknown; that does not prevent shipping.
    const used = answer?.ok ? answer.body.data : [];
    const found: Record<string, string> = {};
    const before: string[] = [];
    for (const { key, carrier, trackingNumber } of bodies) {
      if (trackingNumber === null) continue;
      const compact = compactTracking(trackingNumber);
      const earlier = used.find((each) => each.trackingNumber === trackingNumber);
      if (before.includes(compact)) found[key] = "The same number stands above.";
      else if (earlier) found[key] = `Order #${earlier.number} was sent with this number.`;
      else {
        const warning = trackingWarning(carrier, trackingNumber);
        if (warning) found[key] = warning;
      }
      before.push(compact);
    }
    setWarnings(found);
    setSeen(wish);
    return Object.keys(found).length === 0;
  }

  return { warnings, isChecking, check };
}
