import { createContext, useContext } from "react";
import { UsageSteps } from "../catalog/usage-steps.tsx";
import type { UsageStep } from "../catalog/usage-text.ts";

/** The product's usage steps. */
export const UsageContext = createContext<UsageStep[]>([]);

export function UsageRoutines() {
  const steps = useContext(UsageContext);
  if (steps.length === 0) return null;
  return (
    <section id="howtouse" className="section">
      <div className="wrap grid gap-12 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]">
        <h2>{steps.length === 3 ? "Three routines" : "Routines"}</h2>
        <UsageSteps steps={steps} />
      </div>
    </section>
  );
}
