import type { Feature } from "../feature.ts";
import { questionsApi } from "./api.ts";
import { purgeQuestions } from "./commands.ts";
import { questionsMail } from "./mail.ts";
import { eraseQuestions, exportQuestions } from "./personal-data.ts";

export const questionsFeature = {
  api: questionsApi,
  mail: questionsMail,
  purges: [purgeQuestions],
  personalData: { lists: { questions: exportQuestions }, erase: eraseQuestions },
} satisfies Feature;
