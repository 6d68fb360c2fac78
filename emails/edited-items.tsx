import { unitsText } from "../domain/orders/order-edit.ts";
import { formatDay } from "../domain/orders/order-text.ts";
import type { ChangedItems } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { orderFacts } from "./layout/hello.ts";
import { own, wordedLetter } from "./layout/letter.tsx";

export const itemsToPay = wordedLetter<"items_to_pay">({
  facts: ({ order, differenceCents, expiresAt }, { timeZone }) => ({
    ...orderFacts(order),
    toPay: formatCents(differenceCents),
    payUntil: formatDay(expiresAt, timeZone),
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ payUrl, orderUrl, note, ...items }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: [...said.words("opening"), ...itemLines(items), ...said.words("closing")],
    quote: note,
    action: { label: said.line("button"), href: payUrl },
    link: { label: said.line("buttonOrder"), href: orderUrl },
  }),
});

export const itemsChanged = wordedLetter<"items_changed">({
  facts: ({ order, differenceCents, isOutside }) => ({
    ...orderFacts(order),
    moneySentence: moneySentence(differenceCents, isOutside),
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ orderUrl, note, ...items }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: [...said.words("opening"), ...itemLines(items), ...said.words("closing")],
    quote: note,
    action: { label: said.line("button"), href: orderUrl },
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
    ...(added.length > 0 ? [own(`Added: ${unitsText(added)}`)] : []),
    ...(removed.length > 0 ? [own(`Taken out: ${unitsText(removed)}`)] : []),
  ];
}
