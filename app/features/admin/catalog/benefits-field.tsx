import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { useEffect, useRef, useState } from "react";
import { productLimits } from "../../../../domain/catalog/product-admin.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { controlClass } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";

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
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const [focusAt, setFocusAt] = useState<number | null>(null);
  const [news, setNews] = useState("");
  useEffect(() => {
    if (focusAt === null) return;
    inputs.current[focusAt]?.focus();
    setFocusAt(null);
  }, [focusAt]);
  const isFull = benefits.length >= productLimits.benefits;

  function add(at: number) {
    if (isFull) return;
    onChange(benefits.toSpliced(at, 0, ""));
    setFocusAt(at);
  }
  function remove(at: number) {
    onChange(benefits.toSpliced(at, 1));
    setNews(`Benefit ${at + 1} removed`);
    setFocusAt(Math.max(0, Math.min(at, benefits.length - 2)));
  }
  function move(at: number, to: number) {
    const benefit = benefits[at];
    if (benefit === undefined || to < 0 || to >= benefits.length) return;
    onChange(benefits.toSpliced(at, 1).toSpliced(to, 0, benefit));
    setNews(`Moved to place ${to + 1} of ${benefits.length}`);
    setFocusAt(to);
  }

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
            ref={(input) => {
              inputs.current[at] = input;
            }}
            aria-label={`Benefit ${at + 1} of ${benefits.length}`}
            aria-invalid={problems[`benefits.${at}`] ? true : undefined}
            aria-describedby={problems[`benefits.${at}`] ? `benefit-${at}-note` : undefined}
            id={`benefits.${at}`}
            className={controlClass}
            maxLength={productLimits.benefit}
            value={benefit}
            onChange={(event) => onChange(benefits.with(at, event.target.value))}
            onKeyDown={(event) => {
              if (event.key === "Enter") {
                event.preventDefault();
                add(at + 1);
              } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
                event.preventDefault();
                move(at, event.key === "ArrowUp" ? at - 1 : at + 1);
              }
            }}
          />
          <span className="flex max-sm:justify-end">
            <IconButton
              label={`Move benefit ${at + 1} up`}
              className="disabled:text-disabled-ink"
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              <Icon glyph={ArrowUp} size="small" />
            </IconButton>
            <IconButton
              label={`Move benefit ${at + 1} down`}
              className="disabled:text-disabled-ink"
              disabled={at === benefits.length - 1}
              onClick={() => move(at, at + 1)}
            >
              <Icon glyph={ArrowDown} size="small" />
            </IconButton>
            <IconButton label={`Remove benefit ${at + 1}`} onClick={() => remove(at)}>
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
        <Button variant="secondary" size="small" disabled={isFull} onClick={() => add(benefits.length)}>
          <Icon glyph={Plus} size="small" /> Add benefit
        </Button>
      </div>
      <span role="status" className="sr-only">
        {news}
      </span>
    </fieldset>
  );
}
