import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import type { ApiProblem } from "../../api.ts";

/**
 * The question before something that cannot be undone. It stays open on failure and says why; while `busy` it does not
 * close. `children`: what else has to be known or filled in.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  confirmLabel,
  keepLabel = "Cancel",
  busyText,
  form: { busy, problem },
  danger = true,
  disabled = false,
  send,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** Names the result: "Delete review". */
  confirmLabel: ReactNode;
  /** Words of the control that changes nothing. */
  keepLabel?: ReactNode;
  busyText: ReactNode;
  /** The form or action that answers it; a `problem` is shown below the question. */
  form: { busy: boolean; problem: ApiProblem | null };
  danger?: boolean;
  disabled?: boolean;
  /** Called by the confirming button; the dialog closes if the answer is `ok`. */
  send: () => Promise<{ ok: boolean } | undefined> | undefined;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && !busy && onClose()}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" size="small" disabled={busy} onClick={onClose}>
            {keepLabel}
          </Button>
          <Button
            variant={danger ? "danger" : "primary"}
            size="small"
            busy={busy}
            busyText={busyText}
            disabled={disabled}
            onClick={async () => {
              if ((await send())?.ok) onClose();
            }}
          >
            {confirmLabel}
          </Button>
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
