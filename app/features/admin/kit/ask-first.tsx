import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { ToastMessage } from "../../../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useAdminAction } from "./use-admin-action.ts";

/** A button that deletes by a call without input, after asking. `onDone`: what to do once it is gone. */
export function AskFirst({
  label,
  variant,
  call,
  success,
  onDone,
  ...question
}: Pick<ComponentProps<typeof ConfirmDialog>, "title" | "description" | "confirmLabel" | "busyText"> & {
  label: ReactNode;
  variant: "secondary" | "danger-quiet";
  call: "DELETE /api/admin/sessions" | "DELETE /api/notifications/sms-settings";
  success: ToastMessage;
  onDone?: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const action = useAdminAction(call, { success, failure: null });
  return (
    <>
      <Button variant={variant} size="small" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        {...question}
        open={isAsking}
        onClose={() => {
          action.forget();
          setAsking(false);
        }}
        form={action}
        send={async () => {
          if (!(await action.run()).ok) return undefined;
          setAsking(false);
          onDone?.();
        }}
      />
    </>
  );
}
