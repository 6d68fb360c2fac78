import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useMay } from "../rights.ts";

/** For whoever packs an order that cannot leave as it is: it is put on hold, and the owner is told why. */
export function PackingProblem({ order }: { order: { id: string; number: number } }) {
  const [isAsking, setAsking] = useState(false);
  if (!useMay("POST /api/admin/orders/:id/problem")) return null;
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
        <Icon glyph={TriangleAlert} size="small" /> Something is wrong
      </Button>
      {isAsking && <ProblemDialog order={order} onClose={() => setAsking(false)} />}
    </>
  );
}

function ProblemDialog({
  order: { id, number },
  onClose,
}: {
  order: { id: string; number: number };
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const action = useAdminAction("POST /api/admin/orders/:id/problem", {
    success: { title: `Order #${number} is on hold`, description: "The owner is told." },
    failure: null,
  });
  async function report() {
    if ((await action.run({ params: { id }, body: { reason } })).ok) onClose();
  }
  return (
    <FormDialog
      id="packing-problem"
      title={`What is wrong with order #${number}?`}
      description="It is put on hold, and the owner is told. The customer is not."
      action={action}
      submitLabel="Put on hold"
      busyText="Saving..."
      failure="The order was not put on hold."
      isReady={reason.trim() !== ""}
      onSubmit={() => void report()}
      onClose={onClose}
    >
      <Field
        label="What is wrong"
        name="problem-reason"
        hint="A bottle is missing or broken, the address looks wrong ..."
        maxLength={200}
        value={reason}
        error={action.fields.reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
