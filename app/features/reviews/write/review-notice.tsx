import type { Ref } from "react";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field-links.tsx";
import { controlIds, type ReviewProblems, reviewFields } from "./review-entries.ts";

/** Why a review was not sent, above its form; takes the focus. `failure` is shown if no field has a problem. */
export function ReviewNotice({
  ref,
  problems,
  failure,
}: {
  ref: Ref<HTMLDivElement>;
  problems: ReviewProblems;
  failure: string | null;
}) {
  const links = reviewFields.flatMap((field) => {
    const problem = problems[field];
    return problem ? [{ controlId: controlIds[field], problem }] : [];
  });
  if (links.length === 0 && failure === null) return null;
  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      title={links.length > 0 ? "Please check these fields" : "Your review was not sent."}
    >
      {links.length === 0 && <p>{failure}</p>}
      {links.length > 0 && <FieldLinks links={links} />}
    </Banner>
  );
}
