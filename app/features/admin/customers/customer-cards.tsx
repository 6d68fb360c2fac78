import { type Customer, maxCustomerTags } from "../../../../domain/customers/customer.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { NotesEditor } from "../kit/notes-editor.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { TagEditor } from "../kit/tag-editor.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

const states = {
  confirmed: { label: "Subscribed", tone: "green" },
  unconfirmed: { label: "Not confirmed", tone: "yellow" },
  unsubscribed: { label: "Unsubscribed", tone: "cream" },
} as const;
const places = { footer: "in a page’s footer", success: "after paying", import: "elsewhere, as imported" };
/** Kinds of optional e-mails, worded to follow "No". */
const kinds: Record<string, string> = {
  newsletter: "newsletter",
  review_request: "requests for reviews",
  cart_reminder: "cart reminders",
  stock_alert: "back-in-stock alerts",
  refill_reminder: "refill reminders",
};

/** The newsletter subscription with its proof of consent, and the e-mails that the customer has opted out of. */
export function CustomerConsent({ customer: { subscriptions, unsubscribed } }: { customer: Customer }) {
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Newsletter and emails</h2>
      {subscriptions.length === 0 && (
        <p className="text-small text-ink-muted">Never signed up for the newsletter.</p>
      )}
      <ul className="grid gap-3">
        {subscriptions.map((subscription) => (
          <li key={subscription.id} className="text-small">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={states[subscription.state].tone}>{states[subscription.state].label}</Badge>
              {subscriptions.length > 1 && <span className="wrap-anywhere">{subscription.email}</span>}
            </p>
            <p className="mt-1 text-ink-muted">
              Signed up <ShortDay iso={subscription.askedAt} withTime /> {places[subscription.place]}
              {subscription.confirmedAt !== null && (
                <>
                  , confirmed <ShortDay iso={subscription.confirmedAt} withTime />
                  {subscription.confirmedNetwork && ` from ${subscription.confirmedNetwork}`}
                </>
              )}
              . Agreed to “{subscription.consentText}”
            </p>
          </li>
        ))}
      </ul>
      {unsubscribed.length > 0 && (
        <ul className="mt-3 grid gap-1 text-small text-ink-muted">
          {unsubscribed.map(({ email, kind, at }) => (
            <li key={`${email} ${kind}`} className="wrap-anywhere">
              No {kinds[kind] ?? kind} since <ShortDay iso={at} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Customers merged into this one, each with an undo. */
export function MergedCustomers({ customer: { id, merges } }: { customer: Customer }) {
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Merged into this customer</h2>
      <ul className="grid gap-3">
        {merges.map((merge) => (
          <li key={merge.id} className="flex flex-wrap items-center justify-between gap-2 text-small">
            <span className="min-w-0 wrap-anywhere">
              {merge.name || merge.emails[0]}
              <span className="block text-ink-muted">
                {merge.emails.join(", ")}, <ShortDay iso={merge.at} />
              </span>
            </span>
            <ButtonWithConfirmation
              call="DELETE /api/admin/customers/:id/merges/:mergeId"
              label="Undo"
              variant="secondary"
              title="Separate these customers again?"
              description={`${merge.emails.join(", ")} becomes a customer again, with the orders, notes and tags that were merged.`}
              confirmLabel="Separate"
              busyText="Separating..."
              danger={false}
              success={{
                title: "Customers separated",
                description: "Both customers have their own page again.",
              }}
              send={(run) => run({ params: { id: String(id), mergeId: String(merge.id) } })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Internal notes about a customer. */
export function CustomerNotes({ customer: { id, notes } }: { customer: Customer }) {
  const add = useAdminAction("POST /api/admin/customers/:id/notes", { failure: "The note was not saved" });
  const remove = useAdminAction("DELETE /api/admin/customers/:id/notes/:noteId", { failure: null });
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Notes</h2>
      <NotesEditor
        notes={notes}
        draftKey={`customer:${id}`}
        hint="Only visible in this panel, but included if the customer asks for a copy of their data."
        addAction={add}
        deleteAction={remove}
        onAdd={async (text) => (await add.run({ params: { id: String(id) }, body: { text } })).ok}
        onDelete={async (note) =>
          (await remove.run({ params: { id: String(id), noteId: String(note.id) } })).ok
        }
      />
    </>
  );
}

/** Internal tags of a customer, by which the list can be filtered. */
export function CustomerTags({ customer: { id, tags, revision } }: { customer: Customer }) {
  const action = useAdminAction("PUT /api/admin/customers/:id/tags", { failure: "The tags were not saved" });
  const set = (next: string[]) => action.run({ params: { id: String(id) }, body: { tags: next, revision } });
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Tags</h2>
      <TagEditor
        tags={tags}
        name="tag"
        maxLength={40}
        maxCount={maxCustomerTags}
        action={action}
        onAdd={async (newTags) => (await set([...tags, ...newTags])).ok}
        onRemove={(tag) => void set(tags.filter((existingTag) => existingTag !== tag))}
      />
    </>
  );
}
