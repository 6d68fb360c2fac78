import type { ReactNode } from "react";

/** One matter of an opened order under its small heading; not shown where it is an empty box, as actions are to some roles. */
export function DrawerSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="has-[>div:empty]:hidden">
      <h3 className="mb-2 font-sans text-ui font-semibold tracking-normal">{title}</h3>
      {children}
    </section>
  );
}
