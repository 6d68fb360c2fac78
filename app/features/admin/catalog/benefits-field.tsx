import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { productLimits } from "../../../../domain/catalog/product-admin.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { controlClass } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { MoveButtons } from "../kit/move-buttons.tsx";
import { useLineList } from "../kit/use-line-list.ts";

/** The list of key benefits, one line each. Enter goes on to a new line, Alt with an arrow key moves one. */
export function BenefitsField({
  value: benefits,
  problems,
  onChange,
}: {
  value: readonly string[];
  /** `benefits` or `benefits.2` -> sentence. */
  problems: Record<string, string>;
  onChange: (benefits: string[]) => void;
}) {
  const list = useLineList(benefits, onChange);
  const isFull = benefits.length >= productLimits.benefits;

  return (
    <fieldset id="benefits" tabIndex={-1} className="grid gap-2" aria-describedby="benefits-note">
      <legend className="mb-1.5 text-small font-medium">Key benefits</legend>
      <p id="benefits-note" className="-mt-1 text-caption text-ink-muted">
        {problems.benefits ??
          `One short line each, at most ${productLimits.benefits}. Enter begins the next one.`}
      </p>
      {benefits.map((benefit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are nothing but their places
        <div key={at} className="grid items-center gap-x-1 sm:grid-cols-[minmax(0,1fr)_auto]">
          <input
            type="text"
            ref={list.inputRef(at)}
            aria-label={`Benefit ${at + 1} of ${benefits.length}`}
            aria-invalid={problems[`benefits.${at}`] ? true : undefined}
            aria-describedby={problems[`benefits.${at}`] ? `benefit-${at}-note` : undefined}
            id={`benefits.${at}`}
            className={controlClass}
            maxLength={productLimits.benefit}
            value={benefit}
            onChange={(event) => onChange(benefits.with(at, event.target.value))}
            onKeyDown={(event) => {
              list.moveByKey(event, at, "");
              if (event.key !== "Enter") return;
              event.preventDefault();
              if (!isFull) list.add("", at + 1);
            }}
          />
          <span className="flex max-sm:justify-end">
            <MoveButtons what={`benefit ${at + 1}`} {...list.moves(at, "")} />
            <IconButton
              label={`Remove benefit ${at + 1}`}
              onClick={() => list.remove(at, `Benefit ${at + 1}`)}
            >
              <Icon glyph={Trash} size="small" />
            </IconButton>
          </span>
          {problems[`benefits.${at}`] && (
            <p id={`benefit-${at}-note`} className="text-caption font-medium text-danger">
              {problems[`benefits.${at}`]}
            </p>
          )}
        </div>
      ))}
      <div>
        <Button variant="secondary" size="small" disabled={isFull} onClick={() => list.add("")}>
          <Icon glyph={Plus} size="small" /> Add benefit
        </Button>
      </div>
      <span role="status" className="sr-only">
        {list.announcement}
      </span>
    </fieldset>
  );
}
