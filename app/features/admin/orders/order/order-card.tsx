import { type ReactNode, useId } from "react";

/** A section of the order's page; hidden if it has no content, for example because the viewer's role may not see it. */
export function OrderCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 rounded-md border border-line bg-surface p-4 has-[>div:empty]:hidden lg:p-5"
    >
      <h2 id={id} className="mb-2.5 card-title">
        {title}
      </h2>
      {children}
    </section>
  );
}
