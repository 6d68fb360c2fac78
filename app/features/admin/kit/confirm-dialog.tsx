import type { ComponentProps, ReactNode } from "react";
import type { ApiBody, ApiKeys } from "../../../shop-context.ts";
import type { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import type { ApiProblem, ApiResult } from "../../api.ts";
import { DialogButton, PanelButton } from "./action-button.tsx";
import { type ActionTexts, type AdminAction, useAdminAction } from "./use-admin-action.ts";

/**
 * Asks for confirmation before an action. After a failure it stays open and shows the reason; while `busy` it
 * cannot be closed. `children`: further information or fields.
 */
export function ConfirmDialog({
  open = true,
  onClose,
  title,
  description,
  confirmLabel,
  keepLabel = "Cancel",
  busyText = "Saving...",
  form: { busy, problem },
  danger = true,
  disabled = false,
  send,
  children,
}: {
  open?: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** Names the action, such as "Delete review". */
  confirmLabel: ReactNode;
  /** Label of the cancel button. */
  keepLabel?: ReactNode;
  busyText?: ReactNode;
  /** The form or action to be confirmed; its `problem` is shown below the question. */
  form: { busy: boolean; problem: ApiProblem | null };
  danger?: boolean;
  disabled?: boolean;
  /** Called by the confirming button; the dialog closes if the response is `ok`. */
  send: () => Promise<{ ok: boolean } | undefined> | undefined;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open={open}
      onClose={() => busy || onClose()}
      title={title}
      description={description}
      actions={
        <>
          <PanelButton disabled={busy} onClick={onClose}>
            {keepLabel}
          </PanelButton>
          <PanelButton
            variant={danger ? "danger" : "primary"}
            busy={busy}
            busyText={busyText}
            disabled={disabled}
            onClick={async () => {
              if ((await send())?.ok) onClose();
            }}
          >
            {confirmLabel}
          </PanelButton>
        </>
      }
    >
      {children}
      {problem && (
        <Banner className="mt-4" title="That did not work.">
          {problem.message}
        </Banner>
      )}
    </Dialog>
  );
}

type ConfirmedCall<K extends ApiKeys> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  "title" | "description" | "confirmLabel" | "keepLabel" | "busyText" | "danger" | "children"
> & {
  call: K;
  success?: ActionTexts<ApiBody<K>>["success"];
  /** Makes the call with its parameters. */
  send: (run: AdminAction<K>["run"]) => Promise<ApiResult<ApiBody<K>>>;
  onDone?: (body: ApiBody<K>) => unknown;
};

/** A confirmation for a single call. Render it while it is open; it closes once the call has succeeded. */
export function ConfirmCall<K extends ApiKeys>({
  call,
  success,
  send,
  onDone,
  ...dialog
}: ConfirmedCall<K> & { onClose: () => void }) {
  const action = useAdminAction(call, { ...(success && { success }), failure: null });
  return (
    <ConfirmDialog
      {...dialog}
      form={action}
      send={async () => {
        const response = await send(action.run);
        if (response.ok) await onDone?.(response.body);
        return response;
      }}
    />
  );
}

/** A button that asks for confirmation before its call. */
export function ButtonWithConfirmation<K extends ApiKeys>({
  label,
  variant = "danger-quiet",
  size,
  disabled,
  className,
  buttonLabel,
  ...dialog
}: ConfirmedCall<K> &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "disabled" | "className"> & {
    label: ReactNode;
    /** The button's name for screen readers, if `label` alone is not clear. */
    buttonLabel?: string;
  }) {
  return (
    <DialogButton
      variant={variant}
      size={size}
      disabled={disabled}
      className={className}
      aria-label={buttonLabel}
      dialog={(onClose) => <ConfirmCall {...dialog} onClose={onClose} />}
    >
      {label}
    </DialogButton>
  );
}
