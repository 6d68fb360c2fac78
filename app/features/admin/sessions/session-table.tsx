import { useState } from "react";
import type { AdminSession } from "../../../../domain/admin/admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Where the panel is unlocked, and the way to end each session but this one. */
export function SessionTable({
  sessions,
  isOnesOwn = false,
}: {
  sessions: AdminSession[];
  /** All are of one person, who is known: not named in each row. */
  isOnesOwn?: boolean;
}) {
  const [ending, setEnding] = useState<AdminSession | null>(null);
  const end = useAdminAction("DELETE /api/admin/sessions/:id", {
    success: { title: "Session ended" },
    failure: null,
  });
  return (
    <>
      <DataTable
        caption="Sessions"
        columns={[
          ...columns.filter(({ key }) => !isOnesOwn || key !== "person"),
          {
            key: "actions",
            header: <span className="sr-only">Actions</span>,
            align: "right",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:row-span-3 max-md:self-center",
            cell: (session) =>
              session.isCurrent ? null : (
                <Button
                  variant="danger-quiet"
                  size="small"
                  className="whitespace-nowrap"
                  aria-label={`End session: ${nameOf(session)}`}
                  onClick={() => setEnding(session)}
                >
                  End session
                </Button>
              ),
          },
        ]}
        rows={sessions}
        rowKey={({ id }) => id}
        empty={null}
      />
      <ConfirmDialog
        open={ending !== null}
        onClose={() => {
          end.forget();
          setEnding(null);
        }}
        title="End this session?"
        description={`${ending ? nameOf(ending) : ""} has to sign in again. What is being typed there and not saved is lost.`}
        confirmLabel="End session"
        busyText="Ending..."
        form={end}
        send={async () => (ending ? end.run({ params: { id: ending.id } }) : undefined)}
      />
    </>
  );
}

const small = "max-md:col-start-1 max-md:text-small max-md:text-ink-muted";

const columns: Column<AdminSession>[] = [
  {
    key: "person",
    header: "Who",
    phone: `${small} max-md:row-start-2`,
    cell: ({ person }) => <span className="wrap-anywhere">{person?.name ?? "Access code"}</span>,
  },
  {
    key: "browser",
    header: "Browser",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: (session) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-medium">
        {nameOf(session)} {session.isCurrent && <Badge tone="green">This one</Badge>}
      </span>
    ),
  },
  {
    key: "seen",
    header: "Last used",
    nowrap: true,
    phone: `${small} max-md:row-start-3`,
    cell: ({ lastSeenAt, address }) => (
      <span>
        <span className="md:hidden">Last used </span>
        <ShortDay iso={lastSeenAt} withTime />
        {address && <span className="block text-small text-ink-muted">from {address}</span>}
      </span>
    ),
  },
  {
    key: "started",
    header: "Unlocked",
    nowrap: true,
    phone: "max-md:hidden",
    cell: ({ startedAt }) => <ShortDay iso={startedAt} withTime />,
  },
  {
    key: "expires",
    header: "Ends",
    nowrap: true,
    phone: `${small} max-md:row-start-4`,
    cell: ({ expiresAt }) => (
      <>
        <span className="md:hidden">Ends </span>
        <ShortDay iso={expiresAt} withTime />
      </>
    ),
  },
];

function nameOf({ browser }: AdminSession): string {
  return browser ?? "A browser that did not say its name";
}
