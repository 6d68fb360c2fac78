import { type FormEvent, useState } from "react";
import { confirmedMinutes } from "../../../../domain/people/roles.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { confirmWithPasskey } from "../people/passkey.ts";
import { PasskeyButton } from "../people/passkey-button.tsx";
import { useRights } from "../rights.ts";

/** Asks for the passkey, or for the access code where that began the session. */
export function ConfirmIdentityDialog({
  why,
  onSettled,
}: {
  /** A sentence. */
  why: string;
  onSettled: (isConfirmed: boolean) => void;
}) {
  const { name } = useRights();
  return (
    <Dialog
      open
      onOpenChange={() => onSettled(false)}
      title="Is it still you?"
      description={`${why} You are not asked again for ${confirmedMinutes} minutes.`}
    >
      <div className="mt-5">
        {name === null ? (
          <CodeForm onDone={() => onSettled(true)} />
        ) : (
          <PasskeyButton
            variant="primary"
            label="Use your passkey"
            ask={confirmWithPasskey}
            onDone={() => onSettled(true)}
          />
        )}
      </div>
    </Dialog>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const [accessCode, setAccessCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
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
    <form className="grid gap-4" onSubmit={confirm}>
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
