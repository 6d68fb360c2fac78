import CircleAlert from "lucide-react/icons/circle-alert";
import FileDown from "lucide-react/icons/file-down";
import Link2Off from "lucide-react/icons/link-2-off";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { data } from "react-router";
import type { KeptOrder } from "../../domain/privacy/erasure.ts";
import { erasureFacts } from "../../domain/privacy/erasure-facts.ts";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/account-data";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Your data");

export const headers = tokenPageHeaders;

/** Opening the page does not use up the link, because mail scanners open links too; pressing the button does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token") ?? "";
  return { token, link: await context.get(shopContext).dataLink(token), isBusy: searchParams.has("busy") };
}

/** Handles the button that deletes the data. The copy is downloaded from another URL (account-file.ts). */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const response = await context.get(apiContext).call("POST /api/account/deletion/use", {
    body: { token: entry("token"), confirm: entry("confirm") === "yes" },
  });
  if (response.ok) return data({ keptOrders: response.body.data.kept, problem: null, failure: null });
  const { status, fields, message } = response.problem;
  const problem = fields.confirm ?? null;
  return data({ keptOrders: null, problem, failure: problem === null ? message : null }, { status });
}

export default function DataPage({ loaderData: { token, link, isBusy }, actionData }: Route.ComponentProps) {
  if (actionData?.keptOrders) return <DeletionStarted keptOrders={actionData.keptOrders} />;
  if (link?.purpose === "export") return <DownloadData token={token} email={link.email} isBusy={isBusy} />;
  if (link?.purpose === "deletion") {
    return <ConfirmDeletion token={token} email={link.email} outcome={actionData} />;
  }
  return (
    <EmptyState
      glyph={Link2Off}
      title="This link no longer works"
      action={<ButtonLink to="/account#your-data">Ask for a new link</ButtonLink>}
    >
      Links work once, for one hour.
    </EmptyState>
  );
}

type DeletionOutcome = { problem: string | null; failure: string | null };

const confirmationProblem = "Please confirm that you want your data deleted";

/** Lists what is deleted and what stays; deletes once the box is checked and the button pressed. */
function ConfirmDeletion({
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
          Everything we store about <span className="wrap-anywhere text-ink">{email}</span>. This can’t be
          undone.
        </p>
      </div>
      <div className="grid gap-8 pb-(--section-y)">
        <FactList title="What is deleted" facts={erasureFacts.deleted} />
        <FactList title="What stays, and why" facts={erasureFacts.kept} />
        <p>{erasureFacts.postponed}</p>
        <form method="post" noValidate className="grid gap-5" onSubmit={check}>
          {outcome?.failure && <Banner>{outcome.failure}</Banner>}
          <input type="hidden" name="token" value={token} />
          <div className="grid gap-1.5">
            <label className="grid min-h-11 grid-cols-[auto_1fr] gap-3 py-2.5 leading-normal">
              <input
                ref={box}
                type="checkbox"
                name="confirm"
                value="yes"
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? "confirm-note" : undefined}
                className="mt-0.5 size-5 accent-forest-800"
              />
              Delete my data. I understand that this can’t be undone.
            </label>
            {problem && (
              <p id="confirm-note" role="alert" className="flex gap-1.5 text-caption font-medium text-danger">
                <Icon glyph={CircleAlert} size="small" className="mt-px" />
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

/** Result of a confirmed deletion, with the orders whose data cannot be deleted yet. */
function DeletionStarted({ keptOrders }: { keptOrders: KeptOrder[] }) {
  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Your data is being deleted</h1>
      </div>
      <div className="grid gap-8 pb-(--section-y)">
        <Banner tone="success" title="Confirmed.">
          This takes a moment. We’ll email you when it’s done.
        </Banner>
        {keptOrders.length > 0 && (
          <>
            <FactList
              title="What has to wait"
              facts={keptOrders.map(({ number, because }) => `Order #${number}, because ${because}.`)}
            />
            <p>Once that’s done, we delete the rest automatically.</p>
          </>
        )}
        <FactList title="What stays, and why" facts={erasureFacts.kept} />
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

/** Downloads the copy, which uses up the link. A plain form, because it also works without JavaScript. */
function DownloadData({ token, email, isBusy }: { token: string; email: string; isBusy: boolean }) {
  const [isDownloaded, setDownloaded] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  // The pressed button is gone, so the notice gets the focus.
  useEffect(() => {
    if (isDownloaded) notice.current?.focus();
  }, [isDownloaded]);
  return (
    <EmptyState
      glyph={FileDown}
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
        Everything we store about <span className="wrap-anywhere text-ink">{email}</span>, as a file (JSON).
        The link works once.
      </p>
      {isBusy && (
        <Banner className="mt-4 text-left">
          Too many attempts in a short time. Please wait a minute. Your link still works.
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
