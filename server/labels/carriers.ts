import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { LabelCarrier } from "./carrier.ts";
import { sandboxCarrier } from "./sandbox.ts";
import type { CarrierName } from "./tables.ts";

/**
 * The carrier for labels of an order placed in this mode. An order that was paid for gets no test label: it would count as shipped,
 * and its buyer would get a tracking number that no carrier knows.
 */
export function carrierFor(ctx: ShopContext, mode: PaymentMode | null): LabelCarrier | Problem {
  const isPaid = (mode ?? ctx.provider.mode) === "live";
  if (!isPaid) return sandboxCarrier;
  return problem(
    "not_configured",
    "No carrier is connected: the sandbox carrier’s labels are for test orders only. Ship with a tracking number instead.",
  );
}

/** The carrier that sold a label, for looking it up and voiding it; null: its keys are gone. */
export function carrierOf(_ctx: ShopContext, name: CarrierName): LabelCarrier | null {
  return name === "sandbox" ? sandboxCarrier : null;
}
