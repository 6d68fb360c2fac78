import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { parcelBody, parcelDraft, parcelProblems } from "../parcel.ts";
import { ParcelFields } from "../parcel-fields.tsx";
import { DrawerSection } from "./drawer-section.tsx";

/** Where the parcel is, and the way to correct how it can be followed. */
export function ParcelFacts({ order: { fulfilment, may, ...order } }: { order: AdminOrder }) {
  const [isCorrecting, setCorrecting] = useState(false);
  if (!fulfilment) return null;
  const { carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt } = fulfilment;
  return (
    <DrawerSection title="Parcel">
      <p className="text-ui wrap-anywhere">
        {carrier}{" "}
        {trackingUrl ? (
          <a className="link" href={trackingUrl} target="_blank" rel="noreferrer">
            {trackingNumber}
          </a>
        ) : (
          trackingNumber
        )}
        <span className="block text-small text-ink-muted">
          Shipped <ShortDay iso={shippedAt} withTime />
          {deliveredAt && (
            <>
              , delivered <ShortDay iso={deliveredAt} withTime />
            </>
          )}
        </span>
      </p>
      {may.correctParcel &&
        (isCorrecting ? (
          <Correct orderId={order.id} fulfilment={fulfilment} onDone={() => setCorrecting(false)} />
        ) : (
          <Button variant="secondary" size="small" className="mt-3" onClick={() => setCorrecting(true)}>
            Correct the tracking
          </Button>
        ))}
    </DrawerSection>
  );
}

function Correct({
  orderId,
  fulfilment,
  onDone,
}: {
  orderId: string;
  fulfilment: NonNullable<AdminOrder["fulfilment"]>;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState(() => parcelDraft(fulfilment));
  const { busy, fields, problem, run } = useAdminAction("PATCH /api/admin/orders/:id/fulfilment", {
    success: { title: "Tracking corrected", description: "The customer gets the right link by email." },
    failure: null,
  });
  const problems = parcelProblems(draft);

  async function save() {
    if (busy || Object.keys(problems).length > 0) return;
    const answer = await run({ params: { id: orderId }, body: parcelBody(draft) });
    if (answer.ok) onDone();
  }

  return (
    <form
      noValidate
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <ParcelFields
        prefix="correct"
        draft={draft}
        disabled={busy}
        errors={{ ...fields, ...problems }}
        onChange={setDraft}
      />
      {problem && Object.keys(fields).length === 0 && (
        <Banner title="The tracking could not be corrected.">{problem.message}</Banner>
      )}
      <span className="flex gap-2">
        <Button type="submit" size="small" busy={busy} busyText="Saving...">
          Save
        </Button>
        <Button variant="quiet" size="small" disabled={busy} onClick={onDone}>
          Cancel
        </Button>
      </span>
    </form>
  );
}
