import type { AdminSession } from "../../../../domain/admin/admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useRights } from "../rights.ts";

/** Open sessions of the panel; each but the current one can be ended. */
export function SessionTable({
  sessions,
  isOwn = false,
}: {
  sessions: AdminSession[];
  /** Whether all sessions are the viewer's own, so that rows show no name. */
  isOwn?: boolean;
}) {
  return (
    <DataTable
      caption="Sessions"
      columns={[
        ...columns.filter(({ key }) => !isOwn || key !== "person"),
        {
          key: "actions",
          header: <span className="sr-only">Actions</span>,
          align: "right",
          phone: "max-md:col-start-2 max-md:row-start-1 max-md:row-span-3 max-md:self-center",
          cell: (session) =>
            session.isCurrent ? null : (
              <ButtonWithConfirmation
                label={<span className="whitespace-nowrap">End session</span>}
                buttonLabel={`End session: ${nameOf(session)}`}
                title="End this session?"
                description={`${nameOf(session)} has to sign in again. Unsaved input there is lost.`}
                confirmLabel="End session"
                busyText="Ending..."
                call="DELETE /api/admin/sessions/:id"
                success={{ title: "Session ended" }}
                send={(run) => run({ params: { id: session.id } })}
              />
            ),
        },
      ]}
      rows={sessions}
      rowKey={({ id }) => id}
      empty={null}
    />
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
  return browser ?? "A browser without a name";
}

/** Ends all other sessions. */
export function EndOthers() {
  const { role } = useRights();
  const description =
    role === "owner"
      ? "Everybody else, and you in every other browser, has to sign in again. If somebody may know the access code, change it as well, under Keys and connections."
      : "You have to sign in again in every other browser.";
  return (
    <ButtonWithConfirmation
      label="End all other sessions"
      variant="secondary"
      call="DELETE /api/admin/sessions"
      title="End all other sessions?"
      description={description}
      confirmLabel="End all others"
      busyText="Ending..."
      success={{ title: "All other sessions ended" }}
      send={(run) => run()}
    />
  );
}
