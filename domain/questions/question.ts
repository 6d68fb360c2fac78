import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { isVisible, oneLine } from "../shared/required-text.ts";

export const questionCharacters = { least: 10, most: 500 } as const;
export const answerCharactersMax = 2000;
const nameCharactersMax = 80;

/** `open`: not answered yet. `hidden`: only the owner and whoever asked know the answer. */
export const questionStatuses = ["open", "published", "hidden"] as const;
export type QuestionStatus = (typeof questionStatuses)[number];

const shortQuestion = `Your question must have at least ${questionCharacters.least} characters`;
const tidy = (text: string) => text.replace(/\r\n?/g, "\n").trim();
/** An empty field is none. */
const given = (text: string | null) => text?.trim() || null;

/** What a shopper fills in; the same sentences beside the form and behind the API. */
export const questionFormSchema = v.object({
  question: v.pipe(
    v.string(shortQuestion),
    v.transform(tidy),
    v.check((text) => isVisible(text) && [...text].length >= questionCharacters.least, shortQuestion),
    v.check(
      (text) => [...text].length <= questionCharacters.most,
      `Your question can have at most ${questionCharacters.most} characters`,
    ),
  ),
  /** Shown with the question. */
  name: v.optional(
    v.pipe(
      v.nullable(v.string("Must be text")),
      v.transform(given),
      v.nullable(
        v.pipe(
          v.string(),
          v.maxLength(nameCharactersMax, `Name must be at most ${nameCharactersMax} characters`),
          oneLine,
        ),
      ),
    ),
    null,
  ),
  /** To be told of the answer. */
  email: v.optional(
    v.pipe(v.nullable(v.string("Must be text")), v.transform(given), v.nullable(emailSchema)),
    null,
  ),
});
export type QuestionForm = v.InferOutput<typeof questionFormSchema>;

/** An answered question as everybody reads it. Times ISO 8601 UTC. */
export const questionSchema = v.object({
  id: v.number(),
  productId: v.number(),
  question: v.string(),
  /** Of whoever asked. */
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

/** A question as the owner sees it. */
export const askedQuestionSchema = v.object({
  ...questionSchema.entries,
  productName: v.string(),
  email: v.nullable(v.string()),
  status: v.picklist(questionStatuses),
  answer: v.nullable(v.string()),
  answeredAt: v.nullable(v.string()),
  /** Only a robot fills in what it filled in. */
  isSuspicious: v.boolean(),
});
export type AskedQuestion = v.InferOutput<typeof askedQuestionSchema>;

export const askedQuestionPageSchema = v.object({
  data: v.array(askedQuestionSchema),
  nextCursor: v.nullable(v.string()),
});
