import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { PanelButton } from "./action-button.tsx";
import type { DialogForm } from "./use-admin-action.ts";

/** A dialog with fields to save; it stays open with the input until they are saved. `children`: the fields. */
export function FormDialog({
  title,
  description,
  form,
  submitLabel,
  busyText = "Saving...",
  failure,
  isReady = true,
  send,
  onClose,
  children,
}: {
  title: ReactNode;
  description: ReactNode;
  form: DialogForm;
  submitLabel: ReactNode;
  busyText?: ReactNode;
  /** Shown before the server's error message, such as "The batch was not added." */
  failure: string;
  /** Whether there is anything to save. */
  isReady?: boolean;
  /** Called by Save; the dialog closes if the response is `ok`. */
  send: () => Promise<{ ok: boolean } | undefined> | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, problem, generalProblem } = form;
  // Connects the submit button to the form, which does not contain it.
  const id = useId();
  const formElement = useRef<HTMLFormElement>(null);
  // Focuses the field that the server rejected, or scrolls to the error message, which is below a long form.
  useEffect(() => {
    if (problem) focusInvalid(formElement.current);
  }, [problem]);
  return (
    <Dialog
      onClose={() => busy || onClose()}
      title={title}
      description={description}
      actions={
        <>
          <PanelButton disabled={busy} onClick={onClose}>
            Cancel
          </PanelButton>
          <PanelButton
            variant="primary"
            type="submit"
            form={id}
            busy={busy}
            busyText={busyText}
            disabled={!isReady}
          >
            {submitLabel}
          </PanelButton>
        </>
      }
    >
      <form
        ref={formElement}
        id={id}
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!isReady || busy) return;
          if (!form.submit()) return focusInvalid(formElement.current);
          const response = await send();
          if (response?.ok) onClose();
        }}
      >
        <FormFields name="Fields" busy={busy}>
          {children}
        </FormFields>
        {generalProblem && (
          <Banner title={failure}>{generalProblem.message} What you typed is still here.</Banner>
        )}
      </form>
    </Dialog>
  );
}

/** A form's `onSubmit` that runs `submit` in place of the browser's own submission. */
export const handleSubmit = (submit: () => unknown) => (event: FormEvent) => {
  event.preventDefault();
  void submit();
};

/** The fields of a form, locked during the call, because text typed meanwhile would be lost. `name`: for screen readers. */
export function FormFields({
  name,
  busy,
  className = "contents",
  children,
}: {
  name: string;
  busy: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <fieldset disabled={busy} className={`min-w-0 ${className}`}>
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  );
}

/** Focuses the first invalid field, after its error has been rendered; without one, scrolls to the form's error. */
export function focusInvalid(within: Element | null): void {
  requestAnimationFrame(() => {
    const field = within?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else within?.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  });
}
