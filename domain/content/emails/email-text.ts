/** A text of an e-mail: its fields, and the facts that they may name in double braces. */
export type EmailText = {
  name: string;
  /** What causes the e-mail. */
  when: string;
  /** Name -> what it stands for. */
  facts: Record<string, string>;
  /** Facts that may be missing, whose paragraph is left out then. A missing other one just leaves nothing. */
  alone?: readonly string[];
  fields: Record<string, EmailField>;
};

export type EmailField = {
  label: string;
  hint?: string;
  /** One line without Markdown, or paragraphs with it. */
  kind: "line" | "words";
  /** Characters. */
  most: number;
  /** May be empty. */
  isOptional?: boolean;
  /** Facts that it must name. */
  needs?: readonly string[];
};

type More = Pick<EmailField, "hint" | "isOptional" | "needs">;

export const line = (label: string, more: More & { most?: number } = {}): EmailField => ({
  label,
  kind: "line",
  most: 120,
  ...more,
});
export const words = (label: string, more: More = {}): EmailField => ({
  label,
  kind: "words",
  most: 3_000,
  ...more,
});

export const subject = (needs: readonly string[] = [], label = "Subject") => line(label, { needs });
export const heading = (label = "Heading") => line(label, { most: 100 });
/** Beside the subject in the inbox. */
export const preheader = line("Preview line", {
  isOptional: true,
  hint: "Shown beside the subject in the inbox. If empty, the email’s first words.",
});
export const greeting = line("Greeting", { isOptional: true, most: 80 });
export const button = (label = "Button", needs: readonly string[] = []) => line(label, { most: 40, needs });

export const brand = "The shop’s name";
export const orderNumber = "The order’s number";
export const firstName = "The buyer’s first name, where it is known";

/** Keeps the names of facts and fields as types. */
export const emailText = <const Text extends EmailText>(text: Text): Text => text;
