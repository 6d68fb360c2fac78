import { type Webhook, webhookEvents } from "../../../../domain/webhooks/webhook.ts";
import { Badge } from "../../../ui/badge.tsx";

export const secretText =
  "It is shown only now. The receiver needs it to check that a delivery comes from this shop.";

/** Such as "Order paid, low stock". */
export function eventsText([first, ...others]: Webhook["events"]): string {
  if (first === undefined) return "";
  const labels = others.map(
    (name) => `${webhookEvents[name][0]?.toLowerCase()}${webhookEvents[name].slice(1)}`,
  );
  return [webhookEvents[first], ...labels].join(", ");
}

/** Whether deliveries reach the receiver. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { active, switchedOffAt, lastError, waiting } = webhook;
  if (switchedOffAt !== null) return <Badge tone="red">Switched off: it kept failing</Badge>;
  if (!active) return <Badge tone="cream">Off</Badge>;
  if (lastError !== null && waiting > 0) return <Badge tone="yellow">Failing, {waiting} waiting</Badge>;
  return <Badge tone="green">On</Badge>;
}
