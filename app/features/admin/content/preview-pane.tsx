import ChevronDown from "lucide-react/icons/chevron-down";
import { type ReactNode, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";

/** Preview of the edited text: beside the fields from 1280 px, collapsed above them on smaller screens. */
export function PreviewPane({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-labelledby="preview"
      className="grid min-w-0 content-start gap-3 max-xl:order-first xl:sticky xl:top-6 xl:self-start"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex min-h-12 items-center justify-between gap-3 rounded-md border border-line bg-surface px-4 text-ui font-medium xl:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide the preview" : "Show the preview"}
        <Icon
          glyph={ChevronDown}
          size="small"
          className={`transition-transform duration-(--dur-2) ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      <div className={`min-w-0 content-start gap-3 ${isOpen ? "grid" : "hidden xl:grid"}`}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="preview" className="font-sans text-ui font-semibold tracking-normal">
            Preview
          </h2>
          {actions}
        </div>
        {children}
      </div>
    </section>
  );
}
