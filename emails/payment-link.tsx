import { formatDay } from "../domain/orders/order-text.ts";
import { formatCents } from "../domain/shared/money.ts";
import { helloName } from "./layout/hello.ts";
import { own, wordedLetter } from "./layout/letter.tsx";

export const paymentLink = wordedLetter<"payment_link">({
  facts: ({ name, totalCents, expiresAt }, { timeZone }) => ({
    firstName: helloName(name),
    total: formatCents(totalCents),
    payUntil: formatDay(expiresAt, timeZone),
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ lines, payUrl }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: [
      ...said.words("opening"),
      ...lines.map((line) => own(`${line.quantity} × ${line.name}`)),
      ...said.words("closing"),
    ],
    action: { label: said.line("button"), href: payUrl },
  }),
});
