import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Text } from "../layout/elements.ts";
import { Action, Frame, TestModeNote, testModeNote } from "../layout/frame.tsx";
import { oneLine } from "../layout/one-line.ts";
import { paragraphs } from "../layout/plain-text.ts";
import { looks } from "../layout/theme.ts";

type Props = Extract<Email, { kind: "owner_attention" }>;

const advice = "Please look at it and decide.";

export function subject({ order }: Props): string {
  return order ? `Order #${order.number} needs your attention` : "Something needs your attention";
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={subject(email)} preview={email.message}>
      <TestModeNote sender={sender} />
      <Text {...looks.text}>{email.message}.</Text>
      <Text {...looks.text}>{advice}</Text>
      {email.url && <Action href={email.url}>Open it at the payment provider</Action>}
      <Action href={email.adminUrl}>Open the admin</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    subject(email),
    sender.isTestMode ? testModeNote : null,
    `${oneLine(email.message)}.`,
    advice,
    email.url ? `Open it at the payment provider:\n${email.url}` : null,
    `Open the admin:\n${email.adminUrl}`,
  );
}
