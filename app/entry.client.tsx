import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { loadOtherVersionsWhole } from "./shell/other-version.ts";
import { loadPaymentPagesWhole } from "./shell/payment-document.ts";

loadPaymentPagesWhole();
const onError = loadOtherVersionsWhole();

// A view transition that the next click skips is not an error, but the router leaves its promise's rejection unhandled.
const startViewTransition = document.startViewTransition;
if (startViewTransition) {
  document.startViewTransition = (update) => {
    const transition = startViewTransition.call(document, update);
    transition.ready.catch(() => {});
    return transition;
  };
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
  );
});
