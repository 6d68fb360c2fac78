import FileDown from "lucide-react/icons/file-down";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { KeptOrder } from "../../../domain/privacy/erasure.ts";
import { erasureFacts } from "../../../domain/privacy/erasure-facts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Banner } from "../../ui/error-banner.tsx";

type DeletionOutcome = { problem: string | null; failure: string | null };

const confirmationProblem = "Please confirm that you want your data deleted";

/** Lists what is deleted and what stays, and deletes once the box is ticked and the button pressed. */
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
    setProblem(confirmationProblem);
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

/** Shown after a deletion was confirmed, with the orders (`kept`) whose data cannot be deleted yet. */
export function DeletionStarted({ kept }: { kept: KeptOrder[] }) {
  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Your data is being deleted</h1>
      </div>
      <div className="grid gap-8 pb-(--section-y)">
        <Banner tone="success" title="Confirmed.">
          This takes a moment. We’ll email you when it’s done.
        </Banner>
        {kept.length > 0 && (
          <>
            <FactList
              title="What has to wait"
              facts={kept.map(({ number, because }) => `Order #${number}, because ${because}.`)}
            />
            <p>Once that’s done, we delete the rest automatically.</p>
          </>
        )}
        <FactList title="What stays, and why" facts={erasureFacts.stays} />
        <div>
          <ButtonLink to="/">Continue Shopping</ButtonLink>
        </div>
      </div>
    </div>
  );
}

function FactList({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <section>
      <h2 className="mb-3 text-h3">{title}</h2>
      <ul className="grid list-disc gap-2 pl-5">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  );
}

/** Downloads the copy; the link then no longer works. A plain form works without JavaScript, too. */
export function DownloadData({ token, email, isBusy }: { token: string; email: string; isBusy: boolean }) {
  const [isDownloaded, setDownloaded] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  // The focused button has been removed.
  useEffect(() => {
    if (isDownloaded) notice.current?.focus();
  }, [isDownloaded]);
  return (
    <EmptyState
      glyph={FileDown}
      heading="h1"
      title="Your data"
      action={
        isDownloaded ? (
          <ButtonLink to="/account" variant="secondary">
            Go to Account
          </ButtonLink>
        ) : (
          <form
            method="post"
            action="/account/data/file"
            onSubmit={() => setTimeout(() => setDownloaded(true))}
          >
            <input type="hidden" name="token" value={token} />
            <Button type="submit">Download my data</Button>
          </form>
        )
      }
    >
      <p>
        Everything the shop stores about <span className="wrap-anywhere text-ink">{email}</span>, as a file
        (JSON). The link works once.
      </p>
      {isBusy && (
        <Banner className="mt-4 text-left">
          Too many tries in a short time. Please wait a minute. Your link still works.
        </Banner>
      )}
      <div ref={notice} role="status" tabIndex={-1} className="outline-none">
        {isDownloaded && (
          <Banner tone="success" className="mt-4 text-left" title="Your download has started.">
            The link has now been used. If nothing was saved, ask for a new one on your account page.
          </Banner>
        )}
      </div>
    </EmptyState>
  );
}
