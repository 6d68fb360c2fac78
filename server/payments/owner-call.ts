import { type Problem, problem } from "../platform/problem.ts";

export function noOrder(): Problem {
  return problem("not_found", "There is no such order.");
}

export function invalid(fields: Record<string, string>): Problem {
  return problem("validation_failed", "Please check the highlighted fields.", { fields });
}
