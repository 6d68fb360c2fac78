/** The texts of an e-mail: their fields, and the placeholders that they can contain. */
export type EmailText = {
  name: string;
  /** The event that sends it. */
  when: string;
  /** Placeholder -> its label. */
  facts: Record<string, string>;
  /** Placeholders that, without a value, are removed with their whole paragraph; others are removed alone. */
  paragraphFacts?: readonly string[];
  fields: Record<string, EmailField>;
};

export type EmailField = {
  label: string;
  hint?: string;
  /** One line without Markdown, or paragraphs with it. */
  kind: "line" | "words";
  /** Maximum number of characters. */
  most: number;
  isOptional?: boolean;
  /** Placeholders that it must contain. */
  needs?: readonly string[];
};

type FieldOptions = Pick<EmailField, "hint" | "isOptional" | "needs">;

export const line = (label: string, more: FieldOptions & { most?: number } = {}): EmailField => ({
  label,
  kind: "line",
  most: 120,
  ...more,
});
export const paragraphs = (label: string, more: FieldOptions = {}): EmailField => ({
  label,
  kind: "words",
  most: 3_000,
  ...more,
});

export const subject = (needs: readonly string[] = [], label = "Subject") => line(label, { needs });
export const heading = (label = "Heading") => line(label, { most: 100 });
/** Shown beside the subject in the inbox. */
export const preheader = line("Preview line", {
  isOptional: true,
  hint: "Shown beside the subject in the inbox. If empty, the email’s first words.",
});
export const greeting = line("Greeting", { isOptional: true, most: 80 });
export const button = (label = "Button", needs: readonly string[] = []) => line(label, { most: 40, needs });

export const brand = "The shop’s name";
export const orderNumber = "The order’s number";
export const firstName = "The buyer’s first name, where it is known";

/** First fields of most e-mails; `needs`: placeholders that the subject must contain. */
export const head = (needs?: readonly string[]) => ({
  subject: subject(needs),
  preheader,
  heading: heading(),
});

export const orderFacts = { brand, orderNumber, firstName };
/** First fields of most e-mails about an order. */
export const orderHead = { ...head(["orderNumber"]), greeting };
/**
 * Fields of an e-mail whose link proves that the address is the reader's. `strangerLabel`: label of the closing text, for people
 * who did not request the e-mail.
 */
export const proofFields = (strangerLabel: string, opening: FieldOptions = {}) => ({
  opening: paragraphs("Opening", opening),
  button: button(),
  rules: paragraphs("How long the link works"),
  stranger: paragraphs(strangerLabel),
});
/** Options of a text below which the owner's message to the buyer is shown. */
export const followedByMessage = { hint: "Your message to the buyer is shown below this text." };

/** Preserves the names of placeholders and fields as literal types. */
export const emailText = <const Text extends EmailText>(text: Text): Text => text;
