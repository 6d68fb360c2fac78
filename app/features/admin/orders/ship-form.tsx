import { useRef, useState } from "react";
import type { AdminOrder } from "../../../../domain/admin-order.ts";
import { Panel } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { focusInvalid } from "./focus-invalid.ts";
import { emptyParcel, parcelBody, parcelProblems } from "./parcel.ts";
import { ParcelFields } from "./parcel-fields.tsx";

export const shipFormId = "ship-order";

/** Carrier and tracking number; the drawer's footer sends it. */
export function ShipForm({ order, onBusy }: { order: AdminOrder; onBusy: (isBusy: boolean) => void }) {
  const [draft, setDraft] = useState(emptyParcel());
  const [isChecked, setChecked] = useState(false);
  const { busy, fields, problem, run } = useAdminAction({ failure: null });
  const form = useRef<HTMLFormElement>(null);

  async function ship() {
    if (busy) return;
    setChecked(true);
    if (Object.keys(parcelProblems(draft)).length > 0) return focusInvalid(form.current);
    onBusy(true);
    await run("POST", `/api/admin/orders/${order.id}/ship`, {
      body: parcelBody(draft),
      success: { title: `Order #${order.number} is shipped`, description: "The customer gets an email." },
    });
    onBusy(false);
  }

  return (
    <Panel className="p-5!">
      <h3 className="font-sans text-ui font-semibold tracking-normal">Ship this order</h3>
      <form
        ref={form}
        id={shipFormId}
        noValidate
        className="mt-3.5 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ship();
        }}
      >
        <ParcelFields
          prefix="ship"
          draft={draft}
          disabled={busy}
          errors={isChecked ? { ...fields, ...parcelProblems(draft) } : {}}
          onChange={setDraft}
        />
        <p className="text-small text-ink-muted">
          The customer gets an email that it has shipped, with the tracking link.
        </p>
        {problem && Object.keys(fields).length === 0 && (
          <Banner title="The order could not be marked as shipped.">{problem.message}</Banner>
        )}
      </form>
    </Panel>
  );
}
