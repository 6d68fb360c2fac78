import UserPlus from "lucide-react/icons/user-plus";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { Link } from "react-router";
import type { Person } from "../../domain/people/person.ts";
import { roleNames } from "../../domain/people/roles.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DialogButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { actionsColumn, type Column, DataTable } from "../features/admin/kit/list/data-table.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import {
  EditPerson,
  type Invitation,
  InvitationLink,
  InvitePerson,
} from "../features/admin/people/person-dialogs.tsx";
import { useRights } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import { Badge } from "../ui/badge.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-people";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "People");

export const loader = adminLoader(async ({ context }: Route.LoaderArgs, read) => ({
  ...(await read("GET /api/admin/people")).data,
  ownId: context.get(viewerContext).admin?.person?.id ?? null,
}));

/** The panel's users and their roles. */
export default function AdminPeople({ loaderData }: Route.ComponentProps) {
  const { people, sendsEmail, ownId } = loaderData;
  const { name } = useRights();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <AdminPage
      title="People"
      actions={
        <DialogButton
          variant="primary"
          dialog={(onClose) => (
            <InvitePerson sendsEmail={sendsEmail} onLink={setInvitation} onClose={onClose} />
          )}
        >
          <Icon glyph={UserPlus} size="small" /> Invite someone
        </DialogButton>
      }
    >
      {name === null && (
        <Banner tone="info" className="mb-5" title="You signed in with the access code.">
          <Link className="link" to="/admin/account">
            Make an account of your own
          </Link>
          . The activity log then has your name, and the code is only needed in an emergency.
        </Banner>
      )}
      <DataTable
        caption="People"
        columns={[
          ...columns,
          {
            ...actionsColumn,
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:row-span-2 max-md:self-center",
            cell: (person) => (
              <DialogButton
                aria-label={`Change ${person.name}`}
                dialog={(onClose) => (
                  <EditPerson
                    person={person}
                    isSelf={person.id === ownId}
                    onLink={setInvitation}
                    onClose={onClose}
                  />
                )}
              >
                Change
              </DialogButton>
            ),
          },
        ]}
        rows={people}
        empty={
          <EmptyState glyph={Users} boxed title="Nobody has an account yet">
            Invite the people who work with you. Each signs in with a passkey of their own, and the activity
            log says who did what.
          </EmptyState>
        }
      />
      <p className="mt-4 max-w-text text-small text-ink-muted">
        Anyone with the access code is an owner, too. When somebody who knew it leaves, change it under{" "}
        <Link className="link" to="/admin/settings/keys#access-code">
          Keys and connections
        </Link>
        .
      </p>
      {invitation && <InvitationLink {...invitation} onClose={() => setInvitation(null)} />}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("People", "Failed to load the people");

const columns: Column<Person>[] = [
  {
    header: "Name",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ name, email }) => (
      <>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="block text-small wrap-anywhere text-ink-muted">{email}</span>
      </>
    ),
  },
  {
    header: "Role",
    phone: "max-md:col-start-1 max-md:row-start-2",
    cell: (person) => (
      <span className="flex flex-wrap items-center gap-2">
        {roleNames[person.role]} <State person={person} />
      </span>
    ),
  },
  {
    header: "Passkeys",
    hidesOnTablets: true,
    phone: "max-md:hidden",
    cell: ({ passkeys }) => passkeys,
  },
  {
    header: "Last used",
    nowrap: true,
    phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-small max-md:text-ink-muted",
    cell: ({ lastSeenAt }) => (lastSeenAt ? <ShortDay iso={lastSeenAt} withTime /> : "Not signed in yet"),
  },
];

function State({ person: { state, linkExpiresAt, passkeys } }: { person: Person }) {
  if (state === "deactivated") return <Badge tone="red">Deactivated</Badge>;
  if (state === "invited") {
    return linkExpiresAt ? <Badge tone="blue">Invited</Badge> : <Badge tone="yellow">Link expired</Badge>;
  }
  return passkeys === 0 ? <Badge tone="yellow">No passkey</Badge> : null;
}
