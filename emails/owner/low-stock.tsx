import { unitsText } from "../../domain/inventory/stock.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Text } from "../layout/elements.ts";
import { Action, Frame } from "../layout/frame.tsx";
import { oneLine } from "../layout/one-line.ts";
import { paragraphs } from "../layout/plain-text.ts";
import { looks } from "../layout/theme.ts";

type Props = Extract<Email, { kind: "owner_low_stock" }>;

export function subject({ productName, news }: Props): string {
  if (news.kind === "expired") return `Past best before: ${productName}, batch ${news.batchCode}`;
  return news.free <= 0 ? `Sold out: ${productName}` : `Running low: ${productName} (${news.free} left)`;
}

function facts({ productName, news }: Props): string[] {
  if (news.kind === "expired") {
    const those = news.units === 1 ? "The last unit" : `The last ${unitsText(news.units)}`;
    return [
      `${those} of batch ${news.batchCode} of ${productName} passed the best-before date ${news.bestBefore} and came off sale.`,
      "Please take them off the shelf. If the date is wrong, correct it and add the units to the batch again.",
    ];
  }
  if (news.free <= 0) {
    return [`${productName} is sold out: shoppers see "Sold out" and cannot buy it.`, restock];
  }
  return [
    `There ${news.free === 1 ? "is 1 unit" : `are ${unitsText(news.free)}`} of ${productName} left to sell.`,
    restock,
  ];
}

const restock =
  "When more has arrived, enter it in the admin under Stock. You’ll hear from us again only after that.";

export function html(email: Props, sender: Sender) {
  const [first = "", ...rest] = facts(email);
  return (
    <Frame sender={sender} title={subject(email)} preview={first}>
      {[first, ...rest].map((line) => (
        <Text key={line} {...looks.text}>
          {line}
        </Text>
      ))}
      <Action href={email.adminUrl}>Open the stock</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    oneLine(subject(email)),
    ...facts(email).map(oneLine),
    `Open the stock:\n${email.adminUrl}`,
  );
}
