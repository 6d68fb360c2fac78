import { type ReactNode, useEffect, useRef } from "react";
import type { ApiKeys } from "../../../shop-context.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { focusInvalid } from "./focus-invalid.ts";
import type { AdminAction } from "./use-admin-action.ts";

/** Some fields to fill in and save; it stays open, with all that was typed, until they are. `children` are the fields. */
export function FormDialog({
  id,
  title,
  description,
  action,
  submitLabel,
  busyText,
  failure,
  isReady,
  onSubmit,
  onClose,
  children,
}: {
  /** Of the form, for the button that stands outside it. */
  id: string;
  title: ReactNode;
  description: ReactNode;
  action: Pick<AdminAction<ApiKeys>, "busy" | "problem" | "fields">;
  submitLabel: ReactNode;
  busyText: ReactNode;
  /** What has not happened, before the server's sentence: "The batch was not added." */
  failure: string;
  /** Whether there is anything to save. */
  isReady: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, problem, fields } = action;
  const form = useRef<HTMLFormElement>(null);
  // The shop's answer blames a field: there is the place to go on.
  useEffect(() => {
    if (problem) focusInvalid(form.current);
  }, [problem]);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !busy && onClose()}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" size="small" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} size="small" busy={busy} busyText={busyText} disabled={!isReady}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !busy) onSubmit();
        }}
      >
        {children}
        {problem && Object.keys(fields).length === 0 && (
          <Banner title={failure}>{problem.message} What you typed is still here.</Banner>
        )}
      </form>
    </Dialog>
  );
}
