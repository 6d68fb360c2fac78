import { type FormEvent, useEffect, useRef, useState } from "react";
import { confirmationMinutes } from "../../../../domain/people/roles.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { confirmWithPasskey, PasskeyButton } from "../people/passkey.tsx";
import { useRights } from "../rights.ts";

/** Asks for a passkey or the access code; only for the code if the session was opened with it. */
export function ConfirmIdentityDialog({
  reason,
  onSettled,
}: {
  /** Reason for the confirmation: the dialog's first sentence. */
  reason: string;
  onSettled: (isConfirmed: boolean) => void;
}) {
  const { name } = useRights();
  const [usesCode, setUsesCode] = useState(name === null);
  return (
    <Dialog
      onClose={() => onSettled(false)}
      title="Is it still you?"
      description={`${reason} You are not asked again for ${confirmationMinutes} minutes.`}
    >
      <div className="mt-5">
        {usesCode ? (
          <CodeForm takesFocus={name !== null} onDone={() => onSettled(true)} />
        ) : (
          <div className="grid gap-2">
            <PasskeyButton
              variant="primary"
              label="Use your passkey"
              authenticate={confirmWithPasskey}
              onDone={() => onSettled(true)}
            />
            <Button variant="quiet" block onClick={() => setUsesCode(true)}>
              Use the access code
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** `takesFocus`: whether to focus the field, because the button that opened the form is gone. */
function CodeForm({ takesFocus, onDone }: { takesFocus: boolean; onDone: () => void }) {
  const [accessCode, setAccessCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector("input")?.focus();
  }, [takesFocus]);
  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (accessCode === "" || isBusy) return;
    setIsBusy(true);
    const result = await callApi("POST /api/admin/account/confirm", { body: { accessCode } });
    setIsBusy(false);
    if (result.ok) onDone();
    else setError(result.problem.message);
  }
  return (
    <form ref={form} className="grid gap-4" onSubmit={confirm}>
      <Field
        label="Access code"
        name="confirmAccessCode"
        type="password"
        autoComplete="current-password"
        value={accessCode}
        error={error}
        onChange={(event) => setAccessCode(event.target.value)}
      />
      <Button type="submit" block busy={isBusy} busyText="Checking..." disabled={accessCode === ""}>
        Confirm
      </Button>
    </form>
  );
}
