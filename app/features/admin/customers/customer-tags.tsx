import X from "lucide-react/icons/x";
import { useState } from "react";
import { type Customer, customerTagsMax } from "../../../../domain/customers/customer.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Words of the panel's own by which customers are found again. */
export function CustomerTags({ customer: { id, tags, revision } }: { customer: Customer }) {
  const [text, setText] = useState("");
  const { busy, problem, fields, run } = useAdminAction("PUT /api/admin/customers/:id/tags", {
    failure: "The tags were not saved",
  });
  const set = (next: string[]) => run({ params: { id: String(id) }, body: { tags: next, revision } });

  async function add() {
    const more = text.split(",").filter((part) => part.trim() !== "");
    if (busy || more.length === 0) return;
    if ((await set([...tags, ...more])).ok) setText("");
  }
  const [error] = Object.values(fields);
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Tags</h2>
      {tags.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex items-center rounded-full bg-cream pl-3.5 text-small font-medium"
            >
              <span className="wrap-anywhere">{tag}</span>
              <button
                type="button"
                disabled={busy}
                aria-label={`Take the tag ${tag} off`}
                className="grid size-11 place-items-center"
                onClick={() => void set(tags.filter((other) => other !== tag))}
              >
                <Icon glyph={X} size="small" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="grid grid-cols-[1fr_auto] items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label="New tag"
          name="tag"
          autoComplete="off"
          maxLength={40}
          value={text}
          error={error ?? (problem?.status === 409 ? problem.message : undefined)}
          readOnly={busy}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          size="small"
          className="min-h-12.5"
          busy={busy}
          busyText="Saving..."
          disabled={text.trim() === "" || tags.length >= customerTagsMax}
        >
          Add
        </Button>
      </form>
    </>
  );
}
