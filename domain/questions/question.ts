import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { isVisible, oneLine } from "../shared/required-text.ts";

export const questionCharacters = { min: 10, max: 500 } as const;
export const maxAnswerLength = 2000;
const maxNameLength = 80;

/** `open`: not answered yet. `hidden`: the answer is visible only to the owner and the person who asked. */
export const questionStatuses = ["open", "published", "hidden"] as const;
export type QuestionStatus = (typeof questionStatuses)[number];

const tooShortMessage = `Your question must have at least ${questionCharacters.min} characters`;
const tidy = (text: string) => text.replace(/\r\n?/g, "\n").trim();
/** An empty text counts as missing. */
const trimmedOrNull = (text: string | null) => text?.trim() || null;

/** The form, validated with the same messages in browser and API. */
export const questionFormSchema = v.object({
  question: v.pipe(
    v.string(tooShortMessage),
    v.transform(tidy),
    v.check((text) => isVisible(text) && [...text].length >= questionCharacters.min, tooShortMessage),
    v.check(
      (text) => [...text].length <= questionCharacters.max,
      `Your question can have at most ${questionCharacters.max} characters`,
    ),
  ),
  /** Name shown with the question. */
  name: v.optional(
    v.pipe(
      v.nullable(v.string("Must be text")),
      v.transform(trimmedOrNull),
      v.nullable(
        v.pipe(
          v.string(),
          v.maxLength(maxNameLength, `Name must be at most ${maxNameLength} characters`),
          oneLine,
        ),
      ),
    ),
    null,
  ),
  /** The address to which the answer is sent. */
  email: v.optional(
    v.pipe(v.nullable(v.string("Must be text")), v.transform(trimmedOrNull), v.nullable(emailSchema)),
    null,
  ),
});
export type QuestionForm = v.InferOutput<typeof questionFormSchema>;

/** A published question with its answer. Times ISO 8601 UTC. */
const questionSchema = v.object({
  id: v.number(),
  productId: v.number(),
  question: v.string(),
  name: v.nullable(v.string()),
  answer: v.string(),
  askedAt: v.string(),
  answeredAt: v.string(),
});
export type Question = v.InferOutput<typeof questionSchema>;

export const questionPageSchema = v.object({
  data: v.array(questionSchema),
  nextCursor: v.nullable(v.string()),
});
export type QuestionPage = v.InferOutput<typeof questionPageSchema>;

export const askedQuestionSchema = v.object({
  ...questionSchema.entries,
  productName: v.string(),
  email: v.nullable(v.string()),
  status: v.picklist(questionStatuses),
  answer: v.nullable(v.string()),
  answeredAt: v.nullable(v.string()),
  /** Whether a field that only bots see was filled in. */
  isSuspicious: v.boolean(),
});
export type AskedQuestion = v.InferOutput<typeof askedQuestionSchema>;

export const askedQuestionPageSchema = v.object({
  data: v.array(askedQuestionSchema),
  nextCursor: v.nullable(v.string()),
});
