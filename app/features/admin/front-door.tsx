import type { ReactNode } from "react";
import { Link, useRevalidator } from "react-router";
import logo from "../../../assets/brand/logo-stacked-light.svg?url";
import { UnlockForm } from "./shell/unlock-form.tsx";
import "../../panel.css";

/** Page frame in front of the panel, for the lock screen and for accepting an invitation. */
export function FrontDoor({
  title,
  intro,
  children,
}: {
  title: string;
  intro: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="on-dark grid min-h-[calc(100svh-var(--test-mode-h))] place-items-center bg-forest-800 px-5 py-8 text-ink-on-dark">
      <main id="main" className="w-full max-w-100">
        <img src={logo} width="170" height="100" alt="Palmira" className="mx-auto mb-10 h-25 w-auto" />
        <div className="on-paper rounded-lg bg-paper p-8 text-ink">
          <h1 className="font-display text-[1.75rem] wrap-anywhere">{title}</h1>
          <p className="mt-1.5 text-small text-ink-muted">{intro}</p>
          <noscript>
            <p className="mt-4 text-small">
              The panel needs JavaScript. Please switch it on and load this page again.
            </p>
          </noscript>
          {children}
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

/** The lock screen, shown at every URL of the panel; the requested page appears after unlocking. */
export function LockedPanel() {
  const { revalidate } = useRevalidator();
  return (
    <FrontDoor title="Admin" intro="Enter the access code to continue, or use your passkey.">
      <UnlockForm onUnlocked={revalidate} />
      <p className="mt-5 text-small text-ink-muted">
        Forgot the access code? A passkey that you added still works. Without one, run{" "}
        <code>npm run admin:code</code> in the shop’s folder on its server (<code>palmira code</code> if it
        was installed as a service): it sets a new code.
      </p>
    </FrontDoor>
  );
}
