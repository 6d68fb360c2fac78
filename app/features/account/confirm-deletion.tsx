import { type FormEvent, useRef, useState } from "react";
import { erasureFacts } from "../../../domain/privacy/erasure-facts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { FactList } from "./fact-list.tsx";

export type DeletionOutcome = { problem: string | null; failure: string | null };

const unconfirmed = "Please confirm that you want your data deleted";

/** What goes, what stays and why; a ticked box and a button carry the deletion out. */
export function ConfirmDeletion({
  token,
  email,
  outcome,
}: {
  token: string;
  email: string;
  outcome: DeletionOutcome | undefined;
}) {
  const [problem, setProblem] = useState(outcome?.problem ?? null);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLInputElement>(null);

  const check = (event: FormEvent<HTMLFormElement>) => {
    if (isBusy || !box.current?.checked) event.preventDefault();
    if (box.current?.checked) return setTimeout(() => setBusy(true));
    setProblem(unconfirmed);
    box.current?.focus();
  };

  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Delete my data</h1>
        <p className="mt-3 text-ink-muted">
          Everything the shop stores about <span className="wrap-anywhere text-ink">{email}</span>. This can’t
          be undone.
        </p>
      </div>
      <div className="grid gap-8 pb-(--section-y)">
        <FactList title="What is deleted" facts={erasureFacts.goes} />
        <FactList title="What stays, and why" facts={erasureFacts.stays} />
        <p>{erasureFacts.waits}</p>
        <form method="post" noValidate className="grid gap-5" onSubmit={check}>
          {outcome?.failure && <Banner>{outcome.failure}</Banner>}
          <input type="hidden" name="token" value={token} />
          <div className="grid gap-1.5">
            <label className="grid min-h-11 grid-cols-[auto_1fr] items-center gap-3">
              <input
                ref={box}
                type="checkbox"
                name="confirm"
                value="yes"
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? "confirm-note" : undefined}
                className="size-5 accent-forest-800"
              />
              Delete my data. I understand that this can’t be undone.
            </label>
            {problem && (
              <p id="confirm-note" role="alert" className="text-caption font-medium text-danger">
                {problem}
              </p>
            )}
          </div>
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              variant="danger"
              busy={isBusy}
              busyText="Deleting..."
              className="max-sm:w-full"
            >
              Delete my data
            </Button>
            <ButtonLink to="/account" variant="secondary" className="max-sm:w-full">
              Keep my data
            </ButtonLink>
          </div>
        </form>
      </div>
    </div>
  );
}
