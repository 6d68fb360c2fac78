import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { Link } from "react-router";
import { formatDay } from "../../domain/orders/order-text.ts";
import { type ApiKey, apiKeyCallsPerMinute } from "../../domain/people/api-key.ts";
import { nonOwnerRoles, roleNames } from "../../domain/people/roles.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DialogButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { FormDialog } from "../features/admin/kit/form-dialog.tsx";
import { actionsColumn, type Column, DataTable } from "../features/admin/kit/list/data-table.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { ShownOnce } from "../features/admin/kit/shown-once.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { RoleField } from "../features/admin/people/person-dialogs.tsx";
import { SettingsMenu } from "../features/admin/settings/settings-menu.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-api-keys";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "API keys");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/api-keys")).data,
);

type NewKey = { name: string; key: string };

/** Keys with which other programs call the API. */
export default function AdminApiKeys({ loaderData: keys }: Route.ComponentProps) {
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  return (
    <AdminPage
      title="API keys"
      back={{ to: "/admin/settings", label: "Settings" }}
      actions={
        <DialogButton
          variant="primary"
          dialog={(onClose) => <CreateKeyDialog onCreated={setNewKey} onClose={onClose} />}
        >
          <Icon glyph={KeyRound} size="small" /> Create key
        </DialogButton>
      }
    >
      <div className="grid gap-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="grid min-w-0 max-w-232 content-start gap-5" id="api-keys">
          <p className="max-w-text text-small text-ink-muted">
            A key gives another program the rights of one role: packer for a warehouse, accountant for
            bookkeeping. Its actions are listed in the{" "}
            <Link className="link" to="/admin/activity">
              activity log
            </Link>{" "}
            under its name.{" "}
            <a className="link" href="/api/docs">
              How to call the API
            </a>
          </p>
          <KeyTable keys={keys} />
          <p className="max-w-text text-small text-ink-muted">
            A key cannot create keys, change people or connections, or do anything that needs your passkey or
            code. It can refund only up to the limit set in{" "}
            <Link className="link" to="/admin/settings/payments#confirm">
              Payments
            </Link>
            , per day. With no limit set, it can’t refund. It may make {apiKeyCallsPerMinute} calls a minute.
          </p>
        </div>
      </div>
      {newKey && (
        <ShownOnce
          title={`The key “${newKey.name}”`}
          description="It is shown only now. Anyone who has it can do what its role may, so give it only to that program."
          label="API key"
          value={newKey.key}
          copyLabel="Copy the key"
          onClose={() => setNewKey(null)}
        />
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("API keys", "Failed to load the API keys");

function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (newKey: NewKey) => void;
  onClose: () => void;
}) {
  const initial = { name: "", role: "packer" as ApiKey["role"], expiresOn: "" };
  const form = useAdminForm("POST /api/admin/api-keys", initial);
  const { name, role, expiresOn } = form.values;
  async function send() {
    const response = await form.run({ body: { name, role, expiresOn: expiresOn || null } });
    if (response.ok) onCreated({ name: response.body.data.name, key: response.body.data.key });
    return response;
  }
  return (
    <FormDialog
      title="Create API key"
      description="Name it after the program that gets it, and choose the smallest role that is enough."
      form={form}
      submitLabel="Create key"
      busyText="Creating..."
      failure="No key was created."
      isReady={name.trim() !== ""}
      send={send}
      onClose={onClose}
    >
      <Field {...form.field("name")} label="Name" required autoComplete="off" />
      <RoleField {...form.field("role")} roles={nonOwnerRoles} />
      <Field
        {...form.field("expiresOn")}
        label="Last day"
        optional
        type="date"
        hint="Without one it works until you revoke it."
      />
    </FormDialog>
  );
}

function KeyTable({ keys }: { keys: ApiKey[] }) {
  return (
    <DataTable
      caption="API keys"
      columns={columns}
      rows={keys}
      empty={
        <EmptyState glyph={KeyRound} boxed title="No program has a key yet">
          Create one for your warehouse, your accountant’s software or an automation.
        </EmptyState>
      }
    />
  );
}

const smallCellClass = "max-md:col-start-1 max-md:text-small max-md:text-ink-muted";

const columns: Column<ApiKey>[] = [
  {
    header: "Name",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ name, isExpired }) => (
      <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
        {name} {isExpired && <Badge tone="red">Expired</Badge>}
      </span>
    ),
  },
  {
    header: "Role",
    phone: `${smallCellClass} max-md:row-start-2`,
    cell: ({ role }) => roleNames[role],
  },
  {
    header: "Last used",
    nowrap: true,
    phone: `${smallCellClass} max-md:row-start-3`,
    cell: ({ lastUsedAt, lastAddress }) =>
      lastUsedAt === null ? (
        "Not used yet"
      ) : (
        <span>
          <span className="md:hidden">Last used </span>
          <ShortDay iso={lastUsedAt} withTime />
          {lastAddress && <span className="block text-small text-ink-muted">from {lastAddress}</span>}
        </span>
      ),
  },
  {
    header: "Last day",
    nowrap: true,
    phone: `${smallCellClass} max-md:row-start-4`,
    cell: ({ expiresOn }) =>
      expiresOn === null ? (
        <span className="max-md:sr-only">No end</span>
      ) : (
        <span>
          <span className="md:hidden">Until </span>
          {formatDay(expiresOn, "UTC")}
        </span>
      ),
  },
  {
    ...actionsColumn,
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:row-span-4 max-md:self-center",
    cell: ({ id, name }) => (
      <ButtonWithConfirmation
        label="Revoke"
        buttonLabel={`Revoke ${name}`}
        title={`Revoke “${name}”?`}
        description="The program loses access at once, and the key cannot be restored. Its entries in the activity log stay."
        confirmLabel="Revoke the key"
        busyText="Revoking..."
        call="DELETE /api/admin/api-keys/:id"
        success={{ title: "Key revoked" }}
        send={(run) => run({ params: { id } })}
      />
    ),
  },
];
