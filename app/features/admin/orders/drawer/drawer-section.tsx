import type { ReactNode } from "react";

/** One matter of an opened order under its small heading. */
export function DrawerSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-sans text-ui font-semibold tracking-normal">{title}</h3>
      {children}
    </section>
  );
}
