import { formatMinute } from "../../domain/orders/order-text.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Text } from "../layout/elements.ts";
import { Action, Frame } from "../layout/frame.tsx";
import { oneLine } from "../layout/one-line.ts";
import { paragraphs } from "../layout/plain-text.ts";
import { looks } from "../layout/theme.ts";

type Props = Extract<Email, { kind: "owner_security" }>;

const advice =
  "If you know of it, there is nothing to do. If not, somebody else is in the panel: end every session under Sessions, deactivate the account under People, and set another access code.";
const label = "Open the activity log";

export function subject({ what }: Props): string {
  return oneLine(what);
}

const whence = ({ who, at, from }: Props, timeZone: string) =>
  oneLine(`${who} did this on ${formatMinute(at, timeZone)}${from === "" ? "" : ` (${from})`}.`);

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={subject(email)} preview={whence(email, sender.timeZone)}>
      <Text {...looks.text}>{whence(email, sender.timeZone)}</Text>
      <Text {...looks.text}>{advice}</Text>
      <Action href={email.adminUrl}>{label}</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    subject(email),
    whence(email, sender.timeZone),
    advice,
    `${label}:\n${email.adminUrl}`,
  );
}
