/** Whether an issue holds its order because the payment may be fraud. */
export function isFraudIssue({ kind }: { kind: string }): boolean {
  return kind === "fraud_warning" || kind === "payment_review";
}
