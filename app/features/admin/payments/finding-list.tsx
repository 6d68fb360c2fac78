import ExternalLink from "lucide-react/icons/external-link";
import {
  findingText,
  type MoneyCheckDetail,
  type MoneyFinding,
  mendLabels,
} from "../../../../domain/payments/money-check.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PageLink } from "../../../ui/page-link.tsx";
import { toast } from "../../../ui/toast.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** What does not agree, each with what can be done about it; apart from it what is settled by now. */
export function FindingList({ check }: { check: MoneyCheckDetail }) {
  const open = check.items.filter(({ mendedAt }) => mendedAt === null);
  const settled = check.items.filter(({ mendedAt }) => mendedAt !== null);
  return (
    <section className="mt-3" aria-labelledby="differences">
      <h3 id="differences" className="mb-3 text-[1.25rem]">
        Differences
      </h3>
      {open.length > 0 && <Findings check={check} findings={open} />}
      {settled.length > 0 && (
        <Disclosure title={`Settled since then (${settled.length})`}>
          <Findings check={check} findings={settled} />
        </Disclosure>
      )}
    </section>
  );
}

function Findings({ check, findings }: { check: MoneyCheckDetail; findings: MoneyFinding[] }) {
  return (
    <ul className="grid gap-3">
      {findings.map((finding) => (
        <li key={finding.id}>
          <Finding check={check} finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Finding({ check, finding }: { check: MoneyCheckDetail; finding: MoneyFinding }) {
  const { order, intentId, mendedAt, byItself, outcome, dashboardUrl } = finding;
  return (
    <Card className="grid gap-x-6 gap-y-3 p-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <p>{findingText(finding, check.providerName)}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 text-small text-ink-muted">
          {order && (
            <PageLink className="link inline-flex min-h-11 items-center" to={`/admin/orders/${order.id}`}>
              Order #{order.number}
            </PageLink>
          )}
          {!intentId.startsWith("#") && <span className="wrap-anywhere">{intentId}</span>}
          {dashboardUrl && (
            <a
              className="link inline-flex min-h-11 items-center gap-1.5"
              href={dashboardUrl}
              target="_blank"
              rel="noreferrer"
            >
              Look at it there <Icon glyph={ExternalLink} size="small" />
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          )}
        </p>
        {outcome && mendedAt === null && <p className="mt-1 text-small font-medium text-danger">{outcome}</p>}
      </div>
      {mendedAt === null ? (
        <Mend checkId={check.id} finding={finding} />
      ) : (
        <p className="text-small text-ink-muted">
          <Badge tone="green">{byItself ? "Gone by itself" : "Mended"}</Badge>{" "}
          <ShortDay iso={mendedAt} withTime />
        </p>
      )}
    </Card>
  );
}

function Mend({ checkId, finding }: { checkId: number; finding: MoneyFinding }) {
  const { run, busy } = useAdminAction<{ data: { mended: boolean; outcome: string | null } }>({
    failure: "The difference is as it was",
  });
  async function mend() {
    const answer = await run("POST", `/api/admin/money-checks/${checkId}/findings/${finding.id}/mend`, {
      // The provider is asked, and may take its time.
      timeoutMs: 30_000,
    });
    if (!answer.ok) return;
    const { mended, outcome } = answer.body.data;
    if (mended) toast({ title: "Mended", description: "Both sides agree about this payment now." });
    else toast({ title: "It still differs", ...(outcome ? { description: outcome } : {}), tone: "danger" });
  }
  return (
    <Button
      variant="secondary"
      size="small"
      className="max-md:w-full"
      busy={busy}
      busyText="Asking..."
      onClick={() => void mend()}
    >
      {mendLabels[finding.kind]}
      <span className="sr-only">
        {" "}
        {finding.order ? `of order #${finding.order.number}` : finding.intentId}
      </span>
    </Button>
  );
}
