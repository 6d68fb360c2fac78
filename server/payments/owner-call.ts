import type { AdminOrder } from "../../domain/orders/admin-order.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { CancelParts } from "./cancel-order.ts";

export type OwnerApiParts = CancelParts & {
  adminOrder(orderId: string): Promise<AdminOrder | null>;
};

export function noOrder(): Problem {
  return problem("not_found", "There is no such order.");
}

export function invalid(fields: Record<string, string>): Problem {
  return problem("validation_failed", "Please check the highlighted fields.", { fields });
}
