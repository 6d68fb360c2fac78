import { useEffect, useState } from "react";
import { addressLines } from "../../../../domain/address/address-format.ts";
import type { LabelAddress } from "../../../../domain/labels/labels.ts";
import type { ShippingAddress } from "../../../../domain/orders/order.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { callApi } from "../../api.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useRights } from "../rights.ts";

/** The buyer's address beside the carriers' version of it; renders nothing if both are the same. */
export function AddressCheck({ orderId, onCorrected }: { orderId: string; onCorrected: () => void }) {
  const [checked, setChecked] = useState<LabelAddress | null>(null);
  const isPacker = useRights().role === "packer";
  const correct = useAdminAction("PATCH /api/admin/orders/:id/contact", {
    success: { title: "Address corrected", description: "The buyer is told." },
    failure: null,
  });
  useEffect(() => {
    void callApi("POST /api/admin/orders/:id/label-address", {
      params: { id: orderId },
      timeoutMs: 30_000,
    }).then((answer) => answer.ok && setChecked(answer.body.data));
  }, [orderId]);

  async function adoptAddress(shipping: ShippingAddress) {
    const answer = await callApi("GET /api/admin/orders/:id", { params: { id: orderId } });
    if (!answer.ok) return;
    const { contactVersion: version, customerName, email, phone } = answer.body.data;
    const contact = { version, customerName, email, phone: phone ?? "", shipping };
    const changed = await correct.run({ params: { id: orderId }, body: contact });
    if (!changed.ok) return;
    setChecked(null);
    onCorrected();
  }

  if (!checked?.entered) return null;
  const { problem, correction, entered } = checked;
  if (problem !== null) {
    return (
      <Banner tone="warning" title="The carriers do not know this address.">
        {problem} Ask the buyer before you buy its label.
      </Banner>
    );
  }
  if (!correction) return null;
  return (
    <section aria-label="Address" className="grid gap-3 rounded-sm border border-line-strong p-3.5">
      <div className="grid gap-3 sm:grid-cols-2">
        <Address title="The buyer wrote" address={entered} />
        <Address title="Carriers write" address={correction} />
      </div>
      {correct.problem && <Banner title="The address was not changed.">{correct.problem.message}</Banner>}
      {isPacker ? (
        <p className="text-small text-ink-muted">If the difference matters, ask before you buy the label.</p>
      ) : (
        <Button
          variant="secondary"
          size="small"
          className="justify-self-start max-sm:justify-self-stretch"
          busy={correct.busy}
          busyText="Correcting..."
          onClick={() => void adoptAddress(correction)}
        >
          Use the carriers’ address
        </Button>
      )}
    </section>
  );
}

function Address({ title, address }: { title: string; address: ShippingAddress }) {
  const lines = addressLines({ customerName: "", shipping: address, shippingAddress: "" }).filter(Boolean);
  return (
    <div className="text-ui wrap-anywhere">
      <h3 className="font-sans text-small font-semibold text-ink-muted">{title}</h3>
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </div>
  );
}
