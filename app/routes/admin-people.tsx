import UserPlus from "lucide-react/icons/user-plus";
import { useState } from "react";
import { Link } from "react-router";
import type { Person } from "../../domain/people/person.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { PeopleList } from "../features/admin/people/people-list.tsx";
import {
  EditPerson,
  type Invitation,
  InvitationLink,
  InvitePerson,
} from "../features/admin/people/person-dialogs.tsx";
import { useRights } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
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
  const [isInviting, setInviting] = useState(false);
  const [personToEdit, setPersonToEdit] = useState<Person | null>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <AdminPage
      title="People"
      actions={
        <Button size="small" onClick={() => setInviting(true)}>
          <Icon glyph={UserPlus} size="small" /> Invite somebody
        </Button>
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
      <PeopleList people={people} onEdit={setPersonToEdit} />
      <p className="mt-4 max-w-text text-small text-ink-muted">
        Whoever has the access code is an owner, too. When somebody who knew it leaves, change it under{" "}
        <Link className="link" to="/admin/settings/keys#access-code">
          Keys and connections
        </Link>
        .
      </p>
      {isInviting && (
        <InvitePerson sendsEmail={sendsEmail} onLink={setInvitation} onClose={() => setInviting(false)} />
      )}
      {personToEdit && (
        <EditPerson
          person={personToEdit}
          isSelf={personToEdit.id === ownId}
          onLink={setInvitation}
          onClose={() => setPersonToEdit(null)}
        />
      )}
      {invitation && <InvitationLink {...invitation} onClose={() => setInvitation(null)} />}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("People", "Failed to load the people");
