/** Fields of the sandbox's card form, as typed. */
export type CardEntry = { number: string; expiry: string; cvc: string };
export type CardProblems = Partial<Record<keyof CardEntry, string>>;

/** A card in the request of the payment call. */
export type Card = { number: string; expMonth: number; expYear: number; cvc: string };

export const testCards = [
  { number: "4242424242424242", outcome: "Succeeds" },
  { number: "4000000000000002", outcome: "Declined" },
  { number: "4000000000009995", outcome: "Insufficient funds" },
  { number: "4000002500003155", outcome: "Asks for authentication" },
] as const;

/** Reads the form; a card expires at the end of its month. */
export function readCard(
  entry: CardEntry,
  now: Date,
): { ok: true; card: Card } | { ok: false; problems: CardProblems } {
  const problems: CardProblems = {};
  const number = digitsOnly(entry.number);
  if (number === "") problems.number = "Enter your card number";
  else if (number.length < 12 || number.length > 19 || !passesLuhn(number)) {
    problems.number = "This card number is not valid";
  }
  const cvc = digitsOnly(entry.cvc);
  if (cvc === "") problems.cvc = "Enter the CVC";
  else if (cvc.length < 3 || cvc.length > 4) problems.cvc = "The CVC has 3 or 4 digits";

  const expiry = readExpiry(entry.expiry);
  if (digitsOnly(entry.expiry) === "") problems.expiry = "Enter the expiry date";
  else if (expiry === null) problems.expiry = "Enter the expiry date as MM / YY";
  else if (expiry.year * 12 + expiry.month < now.getFullYear() * 12 + now.getMonth() + 1) {
    problems.expiry = "The expiry date is in the past";
  }
  if (expiry === null || Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, card: { number, expMonth: expiry.month, expYear: expiry.year, cvc } };
}

/** "4242424242" -> "4242 4242 42" */
export function formatCardNumber(text: string): string {
  return (
    digitsOnly(text)
      .slice(0, 19)
      .match(/.{1,4}/g) ?? []
  ).join(" ");
}

/** "1230" -> "12 / 30"; "5" -> "05 / ", since no month begins with 5. `previous`: the earlier text, to let the slash be deleted. */
export function formatExpiry(text: string, previous: string): string {
  // "12 / 2030" is how browsers fill it in.
  let digits = digitsOnly(text)
    .replace(/^(\d\d)20(\d\d)$/, "$1$2")
    .slice(0, 4);
  if (digits.length === 1 && Number(digits) > 1) digits = `0${digits}`;
  if (digits.length < 2) return digits;
  const isDeleting = text.length < previous.length;
  if (digits.length === 2 && isDeleting) return text.includes("/") ? digits : digits.slice(0, 1);
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function readExpiry(text: string): { month: number; year: number } | null {
  const digits = digitsOnly(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(digits.slice(2)) };
}

function digitsOnly(text: string): string {
  return text.replace(/\D/g, "");
}
