import type { PaymentProviderName } from "../../../domain/payments/providers.ts";

/** Facts printed for the operator at the start. */
export type ReadyFacts = {
  publicUrl: string;
  /** Only at the first start; null afterwards. */
  newAccessCode: string | null;
  dataDir: string;
  isDatabaseEmbedded: boolean;
  /** `none` while there are no keys. */
  payments: PaymentProviderName | "none";
  isMailSent: boolean;
};

/** At most six lines, since npm prints four itself and people read about ten. */
export function readyLines(facts: ReadyFacts): string[] {
  return [
    `Palmira is open at ${facts.publicUrl} (admin: ${facts.publicUrl}/admin)`,
    // On a separate line, for programs that search for it.
    ...(facts.newAccessCode === null ? [] : [`Admin access code: ${facts.newAccessCode}`]),
    facts.isDatabaseEmbedded
      ? `Data is kept in ${facts.dataDir}`
      : `Data is kept in the database of DATABASE_URL (${facts.dataDir} has only copies)`,
    facts.payments === "sandbox"
      ? "Payments are simulated: no card is charged (enter Stripe’s keys in the panel to take real ones)"
      : facts.payments === "none"
        ? "No card payments can be taken yet: enter Stripe’s keys in the panel"
        : "Payments are taken through Stripe",
    ...(facts.isMailSent
      ? []
      : [
          "Email is kept, not sent: see Messages > Sent, or mail/ there (enter a mail server in the panel to send it)",
        ]),
  ];
}
