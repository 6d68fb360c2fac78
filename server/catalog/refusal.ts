import type { ShopContext } from "../context.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { findAdminProduct } from "./admin-queries.ts";
import type { EditRefusal } from "./product-edit.ts";

/** The API's answer to a refused edit. */
export async function refusal({ db }: ShopContext, result: EditRefusal, productId: number): Promise<Problem> {
  switch (result.reason) {
    case "unknown":
      return unknownProduct();
    case "invalid":
      return problem("validation_failed", "Please check the highlighted fields.", { fields: result.fields });
    case "impossible":
      return problem("invalid_state", result.message);
    case "conflict": {
      const current = await findAdminProduct(db, productId);
      if (!current) return unknownProduct();
      return problem(
        "invalid_state",
        `${current.name} was changed meanwhile, in another window or by somebody else. Nothing was saved.`,
        { current },
      );
    }
  }
}

export function unknownProduct(): Problem {
  return problem("not_found", "There is no such product.");
}
