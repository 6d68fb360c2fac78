import Users from "lucide-react/icons/users";
import type { Person } from "../../../../domain/people/person.ts";
import { roleNames } from "../../../../domain/people/roles.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { type Column, DataTable } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** People with an account; `onEdit` opens the dialog for one. */
export function PeopleList({ people, onEdit }: { people: Person[]; onEdit: (person: Person) => void }) {
  return (
    <DataTable
      caption="People"
      columns={[
        ...columns,
        {
          key: "actions",
          header: <span className="sr-only">Actions</span>,
          phone: "max-md:col-start-2 max-md:row-start-1 max-md:row-span-2 max-md:self-center",
          align: "right",
          cell: (person) => (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Change ${person.name}`}
              onClick={() => onEdit(person)}
            >
              Change
            </Button>
          ),
        },
      ]}
      rows={people}
      rowKey={({ id }) => id}
      empty={
        <EmptyState glyph={Users} boxed title="Nobody has an account yet">
          Invite whoever works with you. Each signs in with a passkey of their own, and the activity log says
          who did what.
        </EmptyState>
      }
    />
  );
}

const columns: Column<Person>[] = [
  {
    key: "name",
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
    key: "role",
    header: "Role",
    phone: "max-md:col-start-1 max-md:row-start-2",
    cell: (person) => (
      <span className="flex flex-wrap items-center gap-2">
        {roleNames[person.role]} <State person={person} />
      </span>
    ),
  },
  {
    key: "passkeys",
    header: "Passkeys",
    wide: true,
    phone: "max-md:hidden",
    cell: ({ passkeys }) => passkeys,
  },
  {
    key: "seen",
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
