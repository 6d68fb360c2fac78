import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { useMay } from "../rights.ts";

/** Lets a packer report an order that cannot ship: it is put on hold, and the owner receives the reason. */
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
  const form = useAdminForm(
    "POST /api/admin/orders/:id/problem",
    { reason: "" },
    { success: { title: `Order #${number} is on hold`, description: "The owner is told." } },
  );
  const { reason } = form.values;
  return (
    <FormDialog
      title={`What is wrong with order #${number}?`}
      description="It is put on hold, and the owner is told. The customer is not."
      form={form}
      submitLabel="Put on hold"
      failure="The order was not put on hold."
      isReady={reason.trim() !== ""}
      send={() => form.run({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      <Field
        {...form.field("reason")}
        label="What is wrong"
        name="problem-reason"
        hint="A bottle is missing or broken, the address looks wrong ..."
        maxLength={200}
      />
    </FormDialog>
  );
}
