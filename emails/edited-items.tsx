import { unitsText } from "../domain/orders/order-edit.ts";
import { formatDay } from "../domain/orders/order-text.ts";
import type { ChangedItems } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { orderFacts } from "./layout/hello.ts";
import { editableLetter, fixedText } from "./layout/letter.tsx";

export const itemsToPay = editableLetter<"items_to_pay">({
  facts: ({ order, differenceCents, expiresAt }, { timeZone }) => ({
    ...orderFacts(order),
    toPay: formatCents(differenceCents),
    payUntil: formatDay(expiresAt, timeZone),
  }),
  subject: (_, texts) => texts.line("subject"),
  letter: ({ payUrl, orderUrl, note, ...items }, texts) => ({
    title: texts.line("heading"),
    preheader: texts.line("preheader"),
    greeting: texts.line("greeting"),
    words: [...texts.blocks("opening"), ...itemLines(items), ...texts.blocks("closing")],
    quote: note,
    action: { label: texts.line("button"), href: payUrl },
    link: { label: texts.line("buttonOrder"), href: orderUrl },
  }),
});

export const itemsChanged = editableLetter<"items_changed">({
  facts: ({ order, differenceCents, isOutside }) => ({
    ...orderFacts(order),
    moneySentence: moneySentence(differenceCents, isOutside),
  }),
  subject: (_, texts) => texts.line("subject"),
  letter: ({ orderUrl, note, ...items }, texts) => ({
    title: texts.line("heading"),
    preheader: texts.line("preheader"),
    greeting: texts.line("greeting"),
    words: [...texts.blocks("opening"), ...itemLines(items), ...texts.blocks("closing")],
    quote: note,
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

function moneySentence(differenceCents: number, isOutside: boolean): string {
  if (differenceCents === 0) return "There is nothing more to pay.";
  if (differenceCents > 0) return `You paid ${formatCents(differenceCents)} for it.`;
  const where = isOutside ? "to you the way you paid" : "to the card or account you paid with";
  return `${formatCents(-differenceCents)} goes back ${where}.`;
}

function itemLines({ added, removed }: Pick<ChangedItems, "added" | "removed">) {
  return [
    ...(added.length > 0 ? [fixedText(`Added: ${unitsText(added)}`)] : []),
    ...(removed.length > 0 ? [fixedText(`Taken out: ${unitsText(removed)}`)] : []),
  ];
}
