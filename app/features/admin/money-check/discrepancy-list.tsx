import ExternalLink from "lucide-react/icons/external-link";
import {
  type Discrepancy,
  discrepancyText,
  type MoneyCheckDetail,
  repairLabels,
} from "../../../../domain/money-check/money-check.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PageLink } from "../../../ui/page-link.tsx";
import { toast } from "../../../ui/toast.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";

/** Open discrepancies with their possible actions, then the settled ones. */
export function DiscrepancyList({ check }: { check: MoneyCheckDetail }) {
  const openItems = check.items.filter(({ mendedAt }) => mendedAt === null);
  const settledItems = check.items.filter(({ mendedAt }) => mendedAt !== null);
  return (
    <section className="mt-3" aria-labelledby="differences">
      <h3 id="differences" className="mb-3 text-[1.25rem]">
        Differences
      </h3>
      {openItems.length > 0 && <Discrepancies check={check} discrepancies={openItems} />}
      {settledItems.length > 0 && (
        <Disclosure title={`Settled since then (${settledItems.length})`}>
          <Discrepancies check={check} discrepancies={settledItems} />
        </Disclosure>
      )}
    </section>
  );
}

function Discrepancies({ check, discrepancies }: { check: MoneyCheckDetail; discrepancies: Discrepancy[] }) {
  return (
    <ul className="grid gap-3">
      {discrepancies.map((discrepancy) => (
        <li key={discrepancy.id}>
          <DiscrepancyCard check={check} discrepancy={discrepancy} />
        </li>
      ))}
    </ul>
  );
}

function DiscrepancyCard({ check, discrepancy }: { check: MoneyCheckDetail; discrepancy: Discrepancy }) {
  const { order, intentId, mendedAt, byItself, outcome, dashboardUrl } = discrepancy;
  return (
    <Card className="grid gap-x-6 gap-y-3 p-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <p>{discrepancyText(discrepancy, check.providerName)}</p>
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
              Open in the provider’s dashboard <Icon glyph={ExternalLink} size="small" />
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          )}
        </p>
        {outcome && mendedAt === null && <p className="mt-1 text-small font-medium text-danger">{outcome}</p>}
      </div>
      {mendedAt === null ? (
        <May call="POST /api/admin/money-checks/:id/findings/:findingId/mend">
          <Repair checkId={check.id} discrepancy={discrepancy} />
        </May>
      ) : (
        <p className="text-small text-ink-muted">
          <Badge tone="green">{byItself ? "Resolved automatically" : "Repaired"}</Badge>{" "}
          <ShortDay iso={mendedAt} withTime />
        </p>
      )}
    </Card>
  );
}

function Repair({ checkId, discrepancy }: { checkId: number; discrepancy: Discrepancy }) {
  const { run, busy } = useAdminAction("POST /api/admin/money-checks/:id/findings/:findingId/mend", {
    failure: "The difference was not resolved",
  });
  async function repair() {
    const response = await run({
      params: { id: checkId, findingId: discrepancy.id },
      // The server calls the payment provider, which may be slow.
      timeoutMs: 30_000,
    });
    if (!response.ok) return;
    const { mended, outcome } = response.body.data;
    if (mended) toast({ title: "Repaired", description: "Both sides agree about this payment now." });
    else toast({ title: "It still differs", ...(outcome ? { description: outcome } : {}), tone: "danger" });
  }
  return (
    <PanelButton className="max-md:w-full" busy={busy} busyText="Asking..." onClick={() => void repair()}>
      {repairLabels[discrepancy.kind]}
      <span className="sr-only">
        {" "}
        {discrepancy.order ? `of order #${discrepancy.order.number}` : discrepancy.intentId}
      </span>
    </PanelButton>
  );
}
