import Send from "lucide-react/icons/send";
import { useState } from "react";
import { isRouteErrorResponse, useNavigate } from "react-router";
import { type Delivery, testEvent, type Webhook, webhookEvents } from "../../domain/webhooks/webhook.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ActionButton, PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { Fact } from "../features/admin/kit/rows/sum-row.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { ShownOnce } from "../features/admin/kit/shown-once.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { WebhookForm } from "../features/admin/webhooks/webhook-form.tsx";
import { eventsText, secretText, WebhookState } from "../features/admin/webhooks/webhook-state.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-webhook";

const listPage = { to: "/admin/settings/keys/webhooks", label: "Webhooks" };

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Webhook");

export const loader = adminLoader(async ({ params: { id }, request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [{ data: webhooks }, deliveries] = await Promise.all([
    read("GET /api/admin/webhooks"),
    read("GET /api/admin/webhooks/:id/deliveries", { params: { id }, query: { cursor, limit: 20 } }),
  ]);
  const webhook = webhooks.find((candidate) => candidate.id === id);
  if (!webhook) throw new Error("the webhook was removed in the meantime");
  return { webhook, deliveries: deliveries.data, nextCursor: deliveries.nextCursor };
});

export default function AdminWebhook({ loaderData }: Route.ComponentProps) {
  const { webhook, deliveries, nextCursor } = loaderData;
  const [isEditing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  // The first attempt is made within seconds.
  useRefreshWhile(
    webhook.active &&
      deliveries.some(({ status, attempts }) => status === "waiting" && attempts.length === 0),
  );
  return (
    <AdminPage
      title={new URL(webhook.url).host}
      back={listPage}
      actions={
        webhook.active && (
          <ActionButton
            call="POST /api/admin/webhooks/:id/test"
            success={{ title: "Test on its way" }}
            failure="No test was sent"
            busyText="Sending..."
            send={(run) => run({ params: { id: webhook.id } })}
          >
            Send a test
          </ActionButton>
        )
      }
    >
      <div className="grid gap-6">
        <Facts webhook={webhook} onEdit={() => setEditing(true)} onSecret={setSecret} />
        <section aria-labelledby="deliveries">
          <h2 id="deliveries" className="mb-3 text-h3">
            Deliveries
          </h2>
          {deliveries.length === 0 ? (
            <EmptyState glyph={Send} boxed title="Nothing was delivered yet">
              Deliveries from now on are listed here for 30 days, with the receiver’s answers.
            </EmptyState>
          ) : (
            <ol className="rounded-md border border-line bg-surface">
              {deliveries.map((delivery, index) => (
                <li key={delivery.id} className="border-t border-line px-4 py-3 first:border-t-0">
                  <DeliveryEntry
                    delivery={delivery}
                    webhook={webhook}
                    errorAbove={index === 0 ? webhook.lastError : latestError(deliveries[index - 1])}
                  />
                </li>
              ))}
            </ol>
          )}
          <Pager nextCursor={nextCursor} />
        </section>
      </div>
      {isEditing && <EditWebhook webhook={webhook} onClose={() => setEditing(false)} />}
      {secret !== null && (
        <ShownOnce
          title="The new secret"
          description={`${secretText} The old one stays valid for another 24 hours.`}
          label="Secret"
          value={secret}
          copyLabel="Copy the secret"
          onClose={() => setSecret(null)}
        />
      )}
    </AdminPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <AdminPage title="Webhook not found" back={listPage}>
        <p className="text-ink-muted">It was removed.</p>
      </AdminPage>
    );
  }
  return <AdminProblem page="Webhook" title="Failed to load the webhook" />;
}

function Facts({
  webhook,
  onEdit,
  onSecret,
}: {
  webhook: Webhook;
  onEdit: () => void;
  onSecret: (secret: string) => void;
}) {
  const { id, url, events, active, lastError, switchedOffAt, oldSecretUntil } = webhook;
  const navigate = useNavigate();
  const params = { id };
  return (
    <section aria-label="Webhook" className="grid gap-4 rounded-md border border-line bg-surface p-5 sm:p-6">
      {switchedOffAt !== null && (
        <Banner title="The shop switched this webhook off.">
          It had failed for three days. No deliveries were stored since; those it missed before can be
          replayed below once it is on.
        </Banner>
      )}
      <dl className="grid gap-x-6 gap-y-2 text-ui sm:grid-cols-[max-content_minmax(0,1fr)]">
        <Fact label="State">
          <WebhookState webhook={webhook} />
          {active && lastError && <span className="mt-1 block text-small">{lastError}</span>}
        </Fact>
        <Fact label="Address">{url}</Fact>
        <Fact label="Events">{eventsText(events)}</Fact>
        {oldSecretUntil && (
          <Fact label="Former secret">
            valid until <ShortDay iso={oldSecretUntil} withTime />
          </Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        <PanelButton onClick={onEdit}>Change</PanelButton>
        <ActionButton
          call="PATCH /api/admin/webhooks/:id"
          success={{ title: active ? "Webhook switched off" : "Webhook switched on" }}
          send={(run) => run({ params, body: { active: !active } })}
        >
          {active ? "Switch off" : "Switch on"}
        </ActionButton>
        <ButtonWithConfirmation
          label="Replace secret"
          variant="secondary"
          danger={false}
          title="Replace the secret?"
          description="Deliveries are also signed with the old secret for 24 hours: give the receiver the new one within that time."
          confirmLabel="Replace secret"
          call="PATCH /api/admin/webhooks/:id"
          send={(run) => run({ params, body: { rotateSecret: true } })}
          onDone={({ data }) => data.secret !== undefined && onSecret(data.secret)}
        />
        <ButtonWithConfirmation
          label="Remove"
          title="Remove this webhook?"
          description="Its receiver gets no more deliveries, and the list of deliveries is deleted."
          confirmLabel="Remove webhook"
          call="DELETE /api/admin/webhooks/:id"
          success={{ title: "Webhook removed" }}
          send={(run) => run({ params, reloads: false })}
          onDone={() => navigate(listPage.to)}
        />
      </div>
    </section>
  );
}

function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, url, events } = webhook;
  const form = useAdminForm("PATCH /api/admin/webhooks/:id", { url, events });
  return (
    <WebhookForm
      title="Change the webhook"
      submitLabel="Save"
      form={form}
      send={() => form.run({ params: { id }, body: form.values, success: { title: "Webhook saved" } })}
      onClose={onClose}
    />
  );
}

const states = {
  waiting: { tone: "yellow", label: "Waiting" },
  delivered: { tone: "green", label: "Delivered" },
  failed: { tone: "red", label: "Failed" },
} as const;

const eventLabels: Record<string, string> = { ...webhookEvents, [testEvent]: "Test" };

function latestError(delivery: Delivery | undefined): string | null {
  return delivery?.attempts.at(-1)?.error ?? null;
}

/** `errorAbove` is the error shown above this entry; the same error is not repeated. */
function DeliveryEntry({
  delivery,
  webhook,
  errorAbove,
}: {
  delivery: Delivery;
  webhook: Webhook;
  errorAbove: string | null;
}) {
  const { id, type, status, attempts, createdAt, nextTryAt, body } = delivery;
  const { tone, label } = states[status];
  const error = latestError(delivery);
  return (
    <div className="relative grid items-start gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-ui">
          <span className="font-medium">{eventLabels[type] ?? type}</span> <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-small text-ink-muted">
          <ShortDay iso={createdAt} withTime />
          {status === "waiting" && attempts.length > 0 && nextTryAt && (
            <>
              {". Next try "}
              <ShortDay iso={nextTryAt} withTime />
            </>
          )}
        </p>
        {error !== null && error !== errorAbove && <p className="text-small">{error}</p>}
        <details className="mt-1">
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-small underline decoration-line-strong underline-offset-4 md:min-h-6">
            Payload and responses<span className="sr-only"> of {type}</span>
          </summary>
          <pre className="rounded-sm bg-cream-soft p-3 text-small whitespace-pre-wrap wrap-anywhere">
            {body}
          </pre>
          <ul className="mt-2 grid gap-1.5 text-small">
            {attempts.map(({ at, status: httpStatus, error, answer }) => (
              <li key={at} className="wrap-anywhere">
                <ShortDay iso={at} withTime />: {error ?? `It answered ${httpStatus}`}
                {answer && <span className="block text-ink-muted">{answer}</span>}
              </li>
            ))}
          </ul>
        </details>
      </div>
      {webhook.active && (
        <ActionButton
          className="max-sm:absolute max-sm:right-0 max-sm:bottom-0"
          call="POST /api/admin/webhooks/:id/deliveries/:deliveryId/replay"
          aria-label={`Replay ${type}`}
          success={{ title: "On its way again" }}
          failure="It was not sent"
          busyText="Sending..."
          send={(run) => run({ params: { id: webhook.id, deliveryId: id } })}
        >
          Replay
        </ActionButton>
      )}
    </div>
  );
}
