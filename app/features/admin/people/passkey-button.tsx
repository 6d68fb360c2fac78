import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { PasskeyResult } from "./passkey.ts";

/** Asks for a passkey by `ask`, and says below what went wrong. */
export function PasskeyButton({
  label,
  variant = "secondary",
  ask,
  onDone,
}: {
  label: string;
  variant?: "primary" | "secondary";
  ask: () => Promise<PasskeyResult<null>>;
  onDone: () => Promise<void> | void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function run() {
    setIsBusy(true);
    setProblem(null);
    const result = await ask();
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
