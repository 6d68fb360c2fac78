import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import type { SentForm } from "./use-admin-action.ts";

/** Some fields to fill in and save; it stays open, with all that was typed, until they are. `children` are the fields. */
export function FormDialog({
  title,
  description,
  form,
  submitLabel,
  busyText = "Saving...",
  failure,
  isReady,
  send,
  onClose,
  children,
}: {
  title: ReactNode;
  description: ReactNode;
  form: SentForm;
  submitLabel: ReactNode;
  busyText?: ReactNode;
  /** Failure message shown before the server's sentence: "The batch was not added." */
  failure: string;
  /** Whether there is anything to save. */
  isReady: boolean;
  /** Called by Save; the dialog closes if the answer is `ok`. */
  send: () => Promise<{ ok: boolean } | undefined> | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, problem, generalProblem } = form;
  // The submit button is outside of the form.
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  // The shop's answer blames a field: there is the place to go on.
  useEffect(() => {
    if (problem) focusInvalid(element.current);
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
        ref={element}
        id={id}
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!isReady || busy) return;
          if (!form.submit()) return focusInvalid(element.current);
          const answer = await send();
          if (answer?.ok) onClose();
        }}
      >
        {children}
        {generalProblem && (
          <Banner title={failure}>{generalProblem.message} What you typed is still here.</Banner>
        )}
      </form>
    </Dialog>
  );
}

/** Moves the focus to the first field that is wrong, once what is wrong with it stands below it. */
export function focusInvalid(within: Element | null): void {
  requestAnimationFrame(() => within?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
