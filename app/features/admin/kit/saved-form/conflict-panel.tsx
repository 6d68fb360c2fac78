import type { ReactNode, Ref } from "react";
import { Banner } from "../../../../ui/error-banner.tsx";
import { PanelButton } from "../action-button.tsx";

/** Shows both versions of a field that two people have changed, to choose one. */
export function ConflictPanel<Name extends string>({
  ref,
  conflicts,
  onSettle,
}: {
  ref: Ref<HTMLDivElement>;
  conflicts: readonly { name: Name; label: string; theirs: string; mine: string }[];
  onSettle: (name: Name, choice: "mine" | "theirs") => void;
}) {
  if (conflicts.length === 0) return null;
  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      className="scroll-my-24"
      tone="warning"
      role="alert"
      title="Changed in the meantime, in another window or by somebody else."
    >
      Nothing is overwritten. Choose which version to keep, then save.
      <ul className="mt-3 grid gap-4">
        {conflicts.map(({ name, label, theirs, mine }) => (
          <li key={name} className="grid gap-2 border-t border-warning-line pt-3">
            <h3 className="font-sans text-ui font-semibold tracking-normal">{label}</h3>
            <div className="grid gap-3 sm:grid-cols-2">
              <Version label="Saved now" text={theirs}>
                <PanelButton onClick={() => onSettle(name, "theirs")}>
                  Use the saved version<span className="sr-only">: {label}</span>
                </PanelButton>
              </Version>
              <Version label="Yours" text={mine}>
                <PanelButton onClick={() => onSettle(name, "mine")}>
                  Keep yours<span className="sr-only">: {label}</span>
                </PanelButton>
              </Version>
            </div>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function Version({ label, text, children }: { label: string; text: string; children: ReactNode }) {
  return (
    <div className="grid content-between gap-2 rounded-sm bg-surface p-3">
      <div>
        <p className="text-caption font-semibold text-ink-muted">{label}</p>
        <p className="max-h-48 overflow-auto text-small wrap-anywhere whitespace-pre-line">
          {text || "(empty)"}
        </p>
      </div>
      <div>{children}</div>
    </div>
  );
}
