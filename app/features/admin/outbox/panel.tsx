import { type ReactNode, useId } from "react";

/** One subject of the page: its heading, what it is about, and its controls. */
export function Panel({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-5 rounded-md border border-line bg-surface p-5 sm:p-6">
      <div>
        <h2 id={id} className="text-h3">
          {title}
        </h2>
        {lead && <p className="mt-1.5 text-small text-ink-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
