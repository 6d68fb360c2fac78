import ExternalLink from "lucide-react/icons/external-link";
import { Link } from "react-router";
import { disputeLabel, isDisputeOver } from "../../domain/disputes/dispute.ts";
import { type DisputeReason, disputeReason } from "../../domain/disputes/dispute-reasons.ts";
import {
  type DisputePage as DisputePageData,
  type Evidence,
  evidenceTextNames,
  evidenceTexts,
  timeLeft,
} from "../../domain/disputes/evidence.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { EvidenceFiles } from "../features/admin/disputes/evidence-files.tsx";
import { EvidenceForm } from "../features/admin/disputes/evidence-form.tsx";
import { ActionButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { May, useMayCall } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { Card } from "../ui/card.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-dispute";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Dispute: order #${args.loaderData.page.order.number}` : "Dispute");

export const loader = adminLoader(async ({ params: { id } }: Route.LoaderArgs, read) => {
  const { data: page } = await read("GET /api/admin/disputes/:id", { params: { id } });
  return { page };
});

export default function AdminDispute({ loaderData: { page } }: Route.ComponentProps) {
  return <DisputePage key={page.dispute.id} page={page} />;
}

export const ErrorBoundary = problemPage("Dispute", "The dispute could not be loaded");

/** A dispute: its order and reason, the deadline for an answer, and the evidence. */
function DisputePage({ page }: { page: DisputePageData }) {
  const { dispute, order, evidence, problem } = page;
  const reason = disputeReason(dispute.reason);
  const mayWrite = useMayCall("PUT /api/admin/disputes/:id/evidence");
  useRefreshWhile(evidence?.status === "sending", { everyMs: 5_000, maxTimes: 24 });
  const isAnswerable = problem === null && dispute.status === "needs_response";
  return (
    <AdminPage
      title={`${dispute.isInquiry ? "Bank’s question" : "Dispute"}: order #${order.number}`}
      back={{ to: `/admin/orders/${order.id}`, label: `Order #${order.number}` }}
    >
      <div className="stack items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="xl:order-last">
          <Facts page={page} reason={reason} />
        </div>
        <div className="stack min-w-0 gap-4">
          {!order.hasShipped && !isDisputeOver(dispute) && (
            <Banner tone="warning" title="Nothing has shipped.">
              Nothing can be proved, and banks then mostly decide for the customer.{" "}
              {dispute.isInquiry ? "A refund ends the bank’s inquiry." : "Do not ship it now."}
            </Banner>
          )}
          {problem && dispute.status === "needs_response" && (
            <Banner tone="warning" title="This dispute cannot be answered here.">
              {problem}
            </Banner>
          )}
          {evidence?.status === "sending" && (
            <Banner tone="info" title="On its way to the bank.">
              Stripe has not confirmed it yet. The shop retries until it does; you can leave this page.
            </Banner>
          )}
          {evidence === null && isAnswerable && <StartEvidence page={page} />}
          {evidence === null && !isAnswerable && dispute.status !== "needs_response" && (
            <p className="text-ui text-ink-muted">No answer was sent from this panel.</p>
          )}
          {evidence &&
            (evidence.status === "draft" && isAnswerable && mayWrite ? (
              <EvidenceForm key={dispute.id} page={page} evidence={evidence} reason={reason} />
            ) : (
              <ReadOnlyEvidence disputeId={dispute.id} evidence={evidence} reason={reason} />
            ))}
          {isAnswerable && (evidence === null || evidence.status === "draft") && (
            <AcceptSection page={page} />
          )}
        </div>
      </div>
    </AdminPage>
  );
}

function Facts({ page, reason }: { page: DisputePageData; reason: DisputeReason }) {
  const { dispute, evidence, customerName, now } = page;
  const { amount, held, chargedBack, fee, status, evidenceDueAt, createdAt, closedAt, url } = dispute;
  const remainingTime = evidenceDueAt === null ? null : timeLeft(evidenceDueAt, now);
  return (
    <Card className="stack gap-4 p-[min(1.25rem,5.2vw)] text-ui wrap-anywhere">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="type-display text-[1.75rem] leading-none lining-nums">{formatCents(amount)}</p>
        <DisputeBadge page={page} />
      </div>
      {status === "needs_response" && evidence?.status !== "sent" && evidenceDueAt && (
        <p className={remainingTime === null ? "text-danger" : ""}>
          <b className="font-semibold">{remainingTime ?? "The deadline has passed"}</b>
          <span className="block text-small text-ink-muted">
            Answer by <ShortDay iso={evidenceDueAt} withTime />
          </span>
        </p>
      )}
      {evidence?.sentAt && (
        <p>
          <b className="font-semibold">
            Sent on <ShortDay iso={evidence.sentAt} withTime />
          </b>
          {status === "under_review" && (
            <span className="block text-small text-ink-muted">
              The bank decides, often within two months.
            </span>
          )}
        </p>
      )}
      <div>
        <h2 className="font-sans text-ui font-semibold tracking-normal">{reason.title}</h2>
        <p>{reason.claim}</p>
      </div>
      {status === "needs_response" && (
        <div>
          <h2 className="font-sans text-ui font-semibold tracking-normal">What convinces the bank</h2>
          <ul className="grid list-disc gap-1 pl-5">
            {reason.evidenceRequests.map((request) => (
              <li key={request}>{request}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-small text-ink-muted">
        {customerName && `${customerName}. `}Opened on <ShortDay iso={createdAt} />.
        {closedAt && (
          <>
            {" "}
            Closed on <ShortDay iso={closedAt} />.
          </>
        )}
        {held > 0 && ` ${formatCents(held)} is withheld until it is decided.`}
        {chargedBack > 0 && ` ${formatCents(chargedBack)} was charged back.`}
        {fee > 0 && ` The fee is ${formatCents(fee)}, whoever wins.`}
        {dispute.isInquiry && status === "needs_response" && " No money has been taken yet."}
      </p>
      {url && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex min-h-11 items-center gap-1.5 justify-self-start text-small"
        >
          Open in the Stripe dashboard <Icon glyph={ExternalLink} size="small" />
        </a>
      )}
    </Card>
  );
}

function StartEvidence({ page: { dispute } }: { page: DisputePageData }) {
  return (
    <Card className="grid justify-items-start gap-3 p-5">
      <h2 className="card-title">Answer the bank</h2>
      <p className="text-ui">
        The shop writes a draft from the order: what was bought and where it went, the receipt, your messages
        and the returns policy. You read and correct it. Nothing is sent yet.
      </p>
      <May call="POST /api/admin/disputes/:id/evidence">
        <ActionButton
          variant="primary"
          className="max-sm:w-full"
          call="POST /api/admin/disputes/:id/evidence"
          failure="The evidence could not be drafted"
          busyText="Drafting..."
          send={(run) => run({ params: { id: dispute.id }, timeoutMs: 60_000 })}
        >
          Draft evidence
        </ActionButton>
      </May>
    </Card>
  );
}

function AcceptSection({ page }: { page: DisputePageData }) {
  const { dispute, order } = page;
  return (
    <May call="POST /api/admin/disputes/:id/accept">
      <section className="border-t border-line pt-4">
        <h2 className="mb-1 font-sans text-ui font-semibold tracking-normal">Not contesting it?</h2>
        {dispute.isInquiry ? (
          <p className="text-ui">
            So far the bank is only asking. If the customer is right,{" "}
            <Link className="link" to={`/admin/orders/${order.id}`}>
              refund the order
            </Link>{" "}
            ({formatCents(order.refundableCents)}): that ends the question without a fee.
          </p>
        ) : (
          <>
            <p className="mb-2 text-ui">
              If the customer is right, accept the dispute instead of answering it.
            </p>
            <AcceptDispute page={page} />
          </>
        )}
      </section>
    </May>
  );
}

/** Evidence that has been sent, or a draft shown to a role that may not edit it. */
function ReadOnlyEvidence({
  disputeId,
  evidence,
  reason,
}: {
  disputeId: string;
  evidence: Evidence;
  reason: DisputeReason;
}) {
  const orderedNames = new Set([...reason.texts, ...evidenceTextNames]);
  const filledNames = [...orderedNames].filter((name) => evidence.texts[name] !== "");
  return (
    <Card className="grid gap-5 p-5">
      <h2 className="card-title">
        {evidence.status === "draft" ? "Draft, not sent" : "Evidence sent to the bank"}
      </h2>
      <dl className="grid gap-3 text-ui">
        {filledNames.map((name) => (
          <div key={name}>
            <dt className="text-small font-medium text-ink-muted">{evidenceTexts[name].label}</dt>
            <dd className="wrap-anywhere whitespace-pre-line">{evidence.texts[name]}</dd>
          </div>
        ))}
      </dl>
      <EvidenceFiles disputeId={disputeId} evidence={evidence} reason={reason} isEditable={false} />
    </Card>
  );
}

/** Badge for a dispute's status and the state of the shop's evidence. */
function DisputeBadge({ page: { dispute, evidence, now } }: { page: DisputePageData }) {
  const { status, evidenceDueAt } = dispute;
  if (status === "needs_response") {
    if (evidence?.status === "sending") return <Badge tone="blue">Being sent</Badge>;
    if (evidence?.status === "sent") return <Badge tone="blue">Sent</Badge>;
    if (evidenceDueAt && evidenceDueAt <= now) return <Badge tone="red">Deadline passed</Badge>;
    if (evidence) return <Badge tone="yellow">Draft, not sent</Badge>;
  }
  const tones = {
    needs_response: "yellow",
    under_review: "blue",
    won: "green",
    lost: "red",
    closed: "cream",
  } as const;
  return <Badge tone={tones[status]}>{disputeLabel(dispute)}</Badge>;
}

function AcceptDispute({ page: { dispute, order, customerName } }: { page: DisputePageData }) {
  const sum = formatCents(dispute.amount);
  const customerLabel = customerName || "the customer";
  return (
    <ButtonWithConfirmation
      label="Accept the dispute"
      className="max-sm:w-full"
      title={`Give up ${sum}?`}
      description={`You lose the dispute of order #${order.number}: ${customerLabel} keeps ${sum}${dispute.fee > 0 ? `, and the fee of ${formatCents(dispute.fee)} stays with Stripe` : ""}. Nothing can be sent to the bank anymore. This cannot be undone.`}
      confirmLabel={`Give up ${sum}`}
      keepLabel="Keep it open"
      busyText="Accepting..."
      call="POST /api/admin/disputes/:id/accept"
      success={{ title: `Dispute of order #${order.number} accepted` }}
      send={(run) => run({ params: { id: dispute.id }, body: { amount: dispute.amount }, timeoutMs: 60_000 })}
    />
  );
}
