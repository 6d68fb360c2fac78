import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type ApiProblem, callApi } from "../../api.ts";
import { readStored, store } from "../../browser-storage.ts";

/** A button that runs `authenticate` with a passkey and shows errors below it. */
export function PasskeyButton({
  label,
  variant = "secondary",
  authenticate,
  onDone,
}: {
  label: string;
  variant?: "primary" | "secondary";
  authenticate: () => Promise<PasskeyResult<null>>;
  onDone: () => Promise<void> | void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function run() {
    setIsBusy(true);
    setProblem(null);
    const result = await authenticate();
    if (result.ok) await onDone();
    else setProblem(result.message ?? "No passkey was used.");
    setIsBusy(false);
  }
  return (
    <div className="grid gap-2">
      <Button
        variant={variant}
        block
        busy={isBusy}
        busyText="Waiting for your device..."
        onClick={() => void run()}
      >
        <Icon glyph={KeyRound} size="small" /> {label}
      </Button>
      <p role="status" className="text-center text-small text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}

type PasskeyResult<T> = { ok: true; value: T } | { ok: false; message: string | null };

/** Loaded when a passkey is first needed. */
const webAuthn = () => import("@simplewebauthn/browser");

/** Storage key set after a sign-in with a passkey: the next sign-in offers the passkey before the access code. */
const passkeyKey = "admin-passkey";

export function hasUsedPasskey(): boolean {
  return typeof readStored("local", passkeyKey) === "string";
}

/** Signs in with any passkey that this device has for the shop. A null `message` means that the user cancelled. */
export async function signInWithPasskey(): Promise<PasskeyResult<null>> {
  const options = await callApi("POST /api/admin/passkey/question");
  if (!options.ok) return failureResult(options.problem);
  const passkey = await signChallenge(options.body.data);
  if (!passkey.ok) return passkey;
  const response = await callApi("POST /api/admin/passkey", { body: { passkey: passkey.value } });
  if (response.ok) store("local", passkeyKey, "used");
  return response.ok ? { ok: true, value: null } : failureResult(response.problem);
}

/** Confirms the signed-in user's identity once more. */
export async function confirmWithPasskey(): Promise<PasskeyResult<null>> {
  const options = await callApi("POST /api/admin/account/confirm/question");
  if (!options.ok) return failureResult(options.problem);
  const passkey = await signChallenge(options.body.data);
  if (!passkey.ok) return passkey;
  const response = await callApi("POST /api/admin/account/confirm", { body: { passkey: passkey.value } });
  return response.ok ? { ok: true, value: null } : failureResult(response.problem);
}

type RequestOptions = Parameters<
  typeof import("@simplewebauthn/browser").startAuthentication
>[0]["optionsJSON"];
type CreationOptions = Parameters<
  typeof import("@simplewebauthn/browser").startRegistration
>[0]["optionsJSON"];

async function signChallenge(optionsJSON: RequestOptions) {
  return attempt(async () => {
    const { id, rawId, response } = await (await webAuthn()).startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature } = response;
    return {
      id,
      rawId,
      type: "public-key" as const,
      response: { clientDataJSON, authenticatorData, signature },
    };
  });
}

/** Lets the device create a passkey. */
export async function createPasskey(optionsJSON: CreationOptions) {
  return attempt(async () => {
    const { id, rawId, response } = await (await webAuthn()).startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return {
      id,
      rawId,
      type: "public-key" as const,
      response: { clientDataJSON, attestationObject, transports },
    };
  });
}

async function attempt<T>(operation: () => Promise<T>): Promise<PasskeyResult<T>> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    if (!(error instanceof Error)) return { ok: false, message: failureMessage };
    // Browsers report the same error for a timeout or a missing passkey.
    if (error.name === "NotAllowedError" || error.name === "AbortError") return { ok: false, message: null };
    if (error.name === "InvalidStateError") {
      return { ok: false, message: "This device has a passkey for you already." };
    }
    return { ok: false, message: failureMessage };
  }
}

const failureMessage = "This browser could not use a passkey here. Try another browser or device.";

function failureResult({ message }: ApiProblem): { ok: false; message: string } {
  return { ok: false, message };
}

/** Suggested name of a new passkey, such as "iPhone" or "Windows computer". */
export function deviceName(): string {
  const { userAgent } = navigator;
  const devices: [RegExp, string][] = [
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android phone"],
    [/Windows/, "Windows computer"],
    [/Mac OS X|Macintosh/, "Mac"],
    [/CrOS/, "Chromebook"],
    [/Linux/, "Linux computer"],
  ];
  return devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "This device";
}
