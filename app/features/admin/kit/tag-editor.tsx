import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { ApiProblem } from "../../api.ts";
import { PanelButton } from "./action-button.tsx";
import { handleSubmit } from "./form-dialog.tsx";

/**
 * The tags of an order or a customer, with a field for new ones, separated by commas. `onAdd` returns whether
 * they were saved; otherwise the typed text stays. `renderTag` renders a tag, by default as plain text.
 */
export function TagEditor({
  tags,
  name,
  maxLength,
  maxCount,
  action: { busy, problem, fields },
  isReadOnly = false,
  renderTag = (tag) => <span className="wrap-anywhere">{tag}</span>,
  onAdd,
  onRemove,
}: {
  tags: readonly string[];
  name: string;
  maxLength: number;
  maxCount: number;
  /** The action that saves the tags. */
  action: { busy: boolean; problem: ApiProblem | null; fields: Record<string, string> };
  isReadOnly?: boolean;
  renderTag?: (tag: string) => ReactNode;
  onAdd: (tags: string[]) => Promise<boolean>;
  onRemove: (tag: string) => void;
}) {
  const [text, setText] = useState("");
  const [error] = Object.values(fields);

  async function add() {
    const newTags = text.split(",").filter((part) => part.trim() !== "");
    if (busy || newTags.length === 0) return;
    if (await onAdd(newTags)) setText("");
  }
  return (
    <>
      {tags.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex min-h-11 items-center rounded-full bg-cream px-3.5 text-small font-medium"
            >
              {renderTag(tag)}
              {!isReadOnly && (
                <button
                  type="button"
                  disabled={busy}
                  aria-label={`Remove the tag ${tag}`}
                  className="-mr-3.5 grid size-11 place-items-center"
                  onClick={() => onRemove(tag)}
                >
                  <Icon glyph={X} size="small" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <form className="grid grid-cols-[1fr_auto] items-end gap-2" onSubmit={handleSubmit(add)}>
          <Field
            label="New tag"
            name={name}
            autoComplete="off"
            maxLength={maxLength}
            value={text}
            error={error ?? (problem?.status === 409 ? problem.message : undefined)}
            readOnly={busy}
            onChange={(event) => setText(event.target.value)}
          />
          <PanelButton
            type="submit"
            className="min-h-12.5"
            busy={busy}
            busyText="Saving..."
            disabled={text.trim() === "" || tags.length >= maxCount}
          >
            Add
          </PanelButton>
        </form>
      )}
    </>
  );
}
