import { type FormEvent, useState } from "react";
import { Link, useRevalidator } from "react-router";
import logo from "../../../assets/brand/logo-stacked-light.svg?url";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import { callApi } from "../api.ts";

/** The panel's front door. It gives no hints; the server decides. */
export function LockedPanel() {
  const [accessCode, setAccessCode] = useState("");
  const [isVerifying, setIsVerifying] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();

  async function unlock(event: FormEvent) {
    event.preventDefault();
    if (accessCode === "" || isVerifying) return;
    setIsVerifying(true);
    setError(null);
    const answer = await callApi("POST", "/api/admin/verify", { body: { accessCode } });
    setIsVerifying(false);
    if (answer.ok) {
      toast({ title: "Access Granted", description: "Welcome to the admin panel" });
      await revalidate();
      return;
    }
    const message =
      answer.problem.status === 401 ? "Invalid access code. Please try again." : answer.problem.message;
    setError(message);
    toast({ title: "Access Denied", description: message, tone: "danger" });
  }

  return (
    <div className="on-dark grid min-h-[calc(100svh-var(--test-mode-h))] place-items-center bg-forest-800 px-5 py-8 text-ink-on-dark">
      <main id="main" className="w-full max-w-100">
        <img src={logo} width="170" height="100" alt="Palmira" className="mx-auto mb-10 h-25 w-auto" />
        <div className="on-paper rounded-lg bg-paper p-8 text-ink">
          <h1 className="font-display text-[1.75rem]">Admin</h1>
          <p className="mt-1.5 text-small text-ink-muted">Enter the access code to continue.</p>
          <form className="mt-5 grid gap-4" onSubmit={unlock}>
            <Field
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
              busy={isVerifying}
              busyText="Unlocking..."
              disabled={accessCode === ""}
            >
              Unlock
            </Button>
          </form>
        </div>
        <p className="mt-6 text-center">
          <Link
            className="inline-flex min-h-11 items-center text-small text-ink-on-dark-muted underline underline-offset-[.25em]"
            to="/"
          >
            Back to the shop
          </Link>
        </p>
      </main>
    </div>
  );
}
