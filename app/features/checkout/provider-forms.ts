import { lazy } from "react";

// A shop has one of the two; the other one's code is never loaded.
export const SandboxCardForm = lazy(() =>
  import("./sandbox-card-form.tsx").then((module) => ({ default: module.SandboxCardForm })),
);
export const StripeForm = lazy(() =>
  import("./stripe-form.tsx").then((module) => ({ default: module.StripeForm })),
);
