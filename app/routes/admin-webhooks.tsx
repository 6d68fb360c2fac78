import Webhook from "lucide-react/icons/webhook";
import { useState } from "react";
import { Link } from "react-router";
import type { Webhook as WebhookRow } from "../../domain/webhooks/webhook.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DialogButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { type Column, DataTable, rowLink } from "../features/admin/kit/list/data-table.tsx";
import { ShownOnce } from "../features/admin/kit/shown-once.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { SettingsMenu } from "../features/admin/settings/settings-menu.tsx";
import { WebhookForm } from "../features/admin/webhooks/webhook-form.tsx";
import { eventsText, secretText, WebhookState } from "../features/admin/webhooks/webhook-state.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-webhooks";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Webhooks");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/webhooks")).data,
);

/** Webhooks, which notify other programs of events. */
export default function AdminWebhooks({ loaderData: webhooks }: Route.ComponentProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <AdminPage
      title="Webhooks"
      back={{ to: "/admin/settings", label: "Settings" }}
      actions={
        <DialogButton
          variant="primary"
          dialog={(onClose) => <CreateWebhookDialog onCreated={setSecret} onClose={onClose} />}
        >
          <Icon glyph={Webhook} size="small" /> Create webhook
        </DialogButton>
      }
    >
      <div className="grid gap-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="grid min-w-0 max-w-232 content-start gap-5" id="webhooks">
          <p className="max-w-text text-small text-ink-muted">
            A webhook tells another program the moment something happens here: a paid order, a parcel that
            left, a product that runs low. The receiver checks the signature with any{" "}
            <a className="link" href="https://www.standardwebhooks.com" rel="noreferrer">
              Standard Webhooks
            </a>{" "}
            library.
          </p>
          <DataTable
            caption="Webhooks"
            columns={columns}
            rows={webhooks}
            empty={
              <EmptyState glyph={Webhook} boxed title="No program is notified yet">
                Create a webhook with the address that your warehouse or automation gives you.
              </EmptyState>
            }
          />
          <p className="max-w-text text-small text-ink-muted">
            Failed deliveries are retried for three days, each order’s events in sequence. Then the webhook is
            switched off and you are notified. Only public https addresses are called.
          </p>
        </div>
      </div>
      {secret !== null && (
        <ShownOnce
          title="The webhook’s secret"
          description={secretText}
          label="Secret"
          value={secret}
          copyLabel="Copy the secret"
          onClose={() => setSecret(null)}
        />
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Webhooks", "Failed to load the webhooks");

function CreateWebhookDialog({
  onCreated,
  onClose,
}: {
  onCreated: (secret: string) => void;
  onClose: () => void;
}) {
  const form = useAdminForm("POST /api/admin/webhooks", { url: "", events: [] as WebhookRow["events"] });
  async function send() {
    const response = await form.run({ body: form.values });
    if (response.ok) onCreated(response.body.data.secret);
    return response;
  }
  return (
    <WebhookForm
      title="Create webhook"
      submitLabel="Create webhook"
      form={form}
      send={send}
      onClose={onClose}
    />
  );
}

const smallCellClass = "max-md:col-start-1 max-md:text-small max-md:text-ink-muted";

const columns: Column<WebhookRow>[] = [
  {
    header: "Address",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ id, url }) => (
      <Link {...rowLink} to={`/admin/settings/keys/webhooks/${id}`}>
        <span className="wrap-anywhere">{url}</span>
      </Link>
    ),
  },
  {
    header: "Events",
    phone: `${smallCellClass} max-md:row-start-2`,
    cell: ({ events }) => eventsText(events),
  },
  {
    header: "State",
    phone: `${smallCellClass} max-md:row-start-3`,
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
];
