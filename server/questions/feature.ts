import type { Feature } from "../feature.ts";
import { questionsApi } from "./api.ts";
import { purgeQuestions } from "./commands.ts";
import { questionsMail } from "./mail.ts";

export const questionsFeature = {
  api: questionsApi,
  mail: questionsMail,
  purges: [purgeQuestions],
} satisfies Feature;
