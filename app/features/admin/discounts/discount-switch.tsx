import { useState } from "react";
import type { AdminDiscount } from "../../../../domain/discounts/discount-form.ts";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Whether orders can be placed with a code. Shows what was chosen at once, and takes it back if the shop refuses. */
export function DiscountSwitch({ discount: { id, code, active } }: { discount: AdminDiscount }) {
  const action = useAdminAction("PATCH /api/admin/discounts/:id", {
    failure: `${code} could not be switched`,
  });
  const [wanted, setWanted] = useState(active);
  return (
    <Switch
      name={`active-${id}`}
      label={<span className="sr-only">{code} can be used</span>}
      checked={action.busy ? wanted : active}
      disabled={action.busy}
      onChange={(next) => {
        setWanted(next);
        void action.run({
          params: { id },
          body: { active: next },
          success: { title: next ? `${code} is on` : `${code} is off` },
        });
      }}
    />
  );
}
