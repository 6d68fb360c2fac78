import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "test_email" }>;

export function subject(_: Props, { brandName }: Sender): string {
  return `Test email from ${brandName}`;
}

const facts = [
  "This email was asked for on the Go-live check. It took the way of every email of the shop, so confirmations, answers and alerts can take it, too.",
  "Please look where it arrived: in the spam folder, your domain’s SPF, DKIM and DMARC records need attention.",
];

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={subject(email, sender)} preview={facts[0] ?? ""}>
      {facts.map((line) => (
        <Text key={line} {...looks.text}>
          {line}
        </Text>
      ))}
      <Action href={email.adminUrl}>Back to the Go-live check</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    oneLine(subject(email, sender)),
    ...facts.map(oneLine),
    `Back to the Go-live check:\n${email.adminUrl}`,
  );
}
