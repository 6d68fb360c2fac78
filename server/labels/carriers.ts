import { type CarrierName, type LabelProvider, labelProviders } from "../../domain/labels/labels.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import type { LabelCarrier } from "../label-providers/carrier.ts";
import { openCarrier } from "../label-providers/open.ts";
import { sandboxCarrier } from "../label-providers/sandbox.ts";
import { type Problem, problem } from "../platform/http/problem.ts";

/**
 * Carriers that may sell labels for an order placed in this mode. A paid order gets no test label: it would count as shipped, and
 * its buyer would get a tracking number that no carrier knows. A test order gets no label that costs money.
 */
export function carriersFor(ctx: ShopContext, mode: PaymentMode | null): LabelCarrier[] | Problem {
  const isPaid = (mode ?? ctx.provider.mode) === "live";
  const connected = labelProviders
    .flatMap((name) => connectedCarrier(ctx, name) ?? [])
    .filter((carrier) => (carrier.mode === "live") === isPaid);
  if (connected.length > 0) return connected;
  if (!isPaid) return [sandboxCarrier];
  return problem(
    "not_configured",
    "No carrier is connected: the sandbox carrier’s labels are for test orders only. Ship with a tracking number instead. The owner can enter a live key of EasyPost or Shippo under Keys and connections.",
  );
}

/** The carrier that sold a label, to look it up and void it; null if its key was removed, or replaced by one of another mode. */
export function labelCarrier(
  ctx: ShopContext,
  { provider, mode }: { provider: CarrierName; mode: PaymentMode },
): LabelCarrier | null {
  const carrier = provider === "sandbox" ? sandboxCarrier : connectedCarrier(ctx, provider);
  return carrier?.mode === mode ? carrier : null;
}

function connectedCarrier({ config }: ShopContext, name: LabelProvider): LabelCarrier | null {
  const apiKey = config.labelKeys[name];
  return apiKey === null ? null : openCarrier(name, apiKey, config.apiBases[name]);
}
