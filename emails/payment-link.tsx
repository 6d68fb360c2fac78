import { formatDay } from "../domain/orders/order-text.ts";
import { formatCents } from "../domain/shared/money.ts";
import { helloName } from "./layout/hello.ts";
import { editableLetter, fixedText } from "./layout/letter.tsx";

export const paymentLink = editableLetter<"payment_link">({
  facts: ({ name, totalCents, expiresAt }, { timeZone }) => ({
    firstName: helloName(name),
    total: formatCents(totalCents),
    payUntil: formatDay(expiresAt, timeZone),
  }),
  subject: (_, texts) => texts.line("subject"),
  letter: ({ lines, payUrl }, texts) => ({
    title: texts.line("heading"),
    preheader: texts.line("preheader"),
    greeting: texts.line("greeting"),
    words: [
      ...texts.blocks("opening"),
      ...lines.map((line) => fixedText(`${line.quantity} × ${line.name}`)),
      ...texts.blocks("closing"),
    ],
    action: { label: texts.line("button"), href: payUrl },
  }),
});
