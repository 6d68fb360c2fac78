import { type Customer, customerTagsMax } from "../../../../domain/customers/customer.ts";
import { TagEditor } from "../kit/tag-editor.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Words of the panel's own by which customers are found again. */
export function CustomerTags({ customer: { id, tags, revision } }: { customer: Customer }) {
  const { busy, problem, fields, run } = useAdminAction("PUT /api/admin/customers/:id/tags", {
    failure: "The tags were not saved",
  });
  const set = (next: string[]) => run({ params: { id: String(id) }, body: { tags: next, revision } });
  const [error] = Object.values(fields);
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Tags</h2>
      <TagEditor
        tags={tags}
        name="tag"
        lengthMax={40}
        countMax={customerTagsMax}
        busy={busy}
        error={error ?? (problem?.status === 409 ? problem.message : undefined)}
        onAdd={async (more) => (await set([...tags, ...more])).ok}
        onRemove={(tag) => void set(tags.filter((other) => other !== tag))}
      />
    </>
  );
}
