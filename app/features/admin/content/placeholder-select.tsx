import type { EditedContent } from "../../../../domain/content/content.ts";
import { SelectBox } from "../../../ui/select.tsx";

type Placeholder = EditedContent["placeholders"][number];

const groups: { kind: Placeholder["kind"]; label: string }[] = [
  { kind: "fact", label: "Facts that follow your settings" },
  { kind: "part", label: "Parts, in a paragraph of their own" },
  { kind: "condition", label: "Words shown only sometimes" },
];

/** Puts a placeholder where the cursor is. */
export function PlaceholderSelect({
  placeholders,
  onChoose,
}: {
  placeholders: readonly Placeholder[];
  onChoose: (text: string) => void;
}) {
  return (
    <SelectBox
      aria-label="Insert a placeholder"
      className="min-h-11! py-2!"
      value=""
      onChange={({ target }) => {
        const chosen = placeholders.find(({ name }) => name === target.value);
        if (chosen) onChoose(inBraces(chosen));
      }}
    >
      <option value="">Insert a placeholder …</option>
      {groups.map(({ kind, label }) => (
        <optgroup key={kind} label={label}>
          {placeholders
            .filter((one) => one.kind === kind)
            .map((one) => (
              <option key={one.name} value={one.name}>
                {one.label}
                {one.kind === "fact" && `: ${shorten(one.value ?? "nothing at present")}`}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectBox>
  );
}

function inBraces({ name, kind }: Placeholder): string {
  if (kind === "part") return `\n\n{{${name}}}\n\n`;
  return kind === "condition" ? `{{#${name}}} … {{/${name}}}` : `{{${name}}}`;
}

const shorten = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);
