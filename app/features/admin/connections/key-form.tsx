import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";

/** The dialog of one service's keys; a service that could not be reached may be kept untested. */
export function KeyForm({
  onKeep,
  children,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, "submitLabel" | "busyText" | "failure" | "send" | "children"> & {
  onKeep: (untested: boolean) => Promise<{ ok: boolean }>;
  children: ReactNode;
}) {
  const { form, onClose } = dialog;
  const isAway = form.problem?.error === "provider_unavailable";
  const untested = useRef<HTMLDivElement>(null);
  // On a phone it is below the fields, out of sight.
  useEffect(() => {
    if (isAway) untested.current?.focus();
  }, [isAway]);
  return (
    <FormDialog
      {...dialog}
      submitLabel="Try and keep"
      busyText="Trying..."
      failure="Nothing was kept."
      send={() => onKeep(false)}
    >
      {children}
      {form.fields.form && <Banner title="Nothing was kept.">{form.fields.form}.</Banner>}
      {isAway && (
        <Banner ref={untested} tabIndex={-1} tone="warning" title="Keep them untested?">
          <span className="mb-3 block">
            They may be wrong. The card then says that they were not tried, and “Try now” tries them later.
          </span>
          <Button
            variant="secondary"
            size="small"
            busy={form.busy}
            onClick={async () => {
              if ((await onKeep(true)).ok) onClose();
            }}
          >
            Keep untested
          </Button>
        </Banner>
      )}
    </FormDialog>
  );
}

/** A secret to type or paste: hidden, and no login that a password manager should fill in. */
export function SecretField({ kept, ...field }: ComponentProps<typeof Field> & { kept: boolean }) {
  return (
    <Field
      type="password"
      {...field}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
      data-1p-ignore
      required={!kept}
      {...(kept ? { placeholder: "Kept. Leave empty to leave it so" } : {})}
    />
  );
}
