import { type FormEvent, useEffect, useRef, useState } from "react";
import { useBrowserState } from "../../../ui/browser/browser-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { hasUsedPasskey, PasskeyButton, signInWithPasskey } from "../people/passkey.tsx";
import { rememberUnlocked } from "../unlocked-flag.ts";

/**
 * Asks for the access code or a passkey; the passkey comes first in a browser that has used one. `onUnlocked` is called
 * after the sign-in.
 */
export function UnlockForm({ onUnlocked }: { onUnlocked: () => Promise<void> | void }) {
  const [accessCode, setAccessCode] = useState("");
  const [isVerifying, setIsVerifying] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isPasskeyFirst] = useBrowserState(false, hasUsedPasskey);
  // The pressed button has lost the focus, because it was disabled during the call.
  useEffect(() => {
    if (!error) return;
    field.current?.focus();
    field.current?.select();
  }, [error]);

  async function unlock(event: FormEvent) {
    event.preventDefault();
    if (accessCode === "" || isVerifying) return;
    setIsVerifying(true);
    setError(null);
    const response = await callApi("POST /api/admin/verify", { body: { accessCode } });
    setIsVerifying(false);
    if (response.ok) return welcome();
    const message =
      response.problem.status === 401 ? "Invalid access code. Please try again." : response.problem.message;
    setError(message);
    toast({ title: "Access Denied", description: message, tone: "danger" });
  }

  async function welcome() {
    rememberUnlocked(true);
    toast({ title: "Access Granted", description: "Welcome to the admin panel" });
    await onUnlocked();
  }

  const passkeyButton = (variant: "primary" | "secondary") => (
    <PasskeyButton
      label="Sign in with a passkey"
      variant={variant}
      authenticate={signInWithPasskey}
      onDone={welcome}
    />
  );
  return (
    <form className="mt-5 grid gap-4" onSubmit={unlock}>
      {isPasskeyFirst && passkeyButton("primary")}
      <Field
        ref={field}
        label="Access code"
        name="accessCode"
        type="password"
        autoComplete="current-password"
        value={accessCode}
        error={error}
        onChange={(event) => setAccessCode(event.target.value)}
      />
      <Button
        type="submit"
        block
        variant={isPasskeyFirst ? "secondary" : "primary"}
        busy={isVerifying}
        busyText="Unlocking..."
        disabled={accessCode === ""}
      >
        Unlock
      </Button>
      {!isPasskeyFirst && passkeyButton("secondary")}
    </form>
  );
}
