import type { Ref } from "react";
import { Banner } from "../../ui/error-banner.tsx";
import { controlIds, type ReviewProblems, reviewFields } from "./review-entries.ts";

/** Why a review was not sent, above its form; takes focus. `failure` is for what no field is to blame for. */
export function ReviewNotice({
  ref,
  problems,
  failure,
}: {
  ref: Ref<HTMLDivElement>;
  problems: ReviewProblems;
  failure: string | null;
}) {
  const found = reviewFields.filter((field) => problems[field]);
  if (found.length === 0 && failure === null) return null;
  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      title={found.length > 0 ? "Please check these fields" : "Your review was not sent."}
    >
      {found.length === 0 && <p>{failure}</p>}
      {found.length > 0 && (
        <ul className="mt-1">
          {found.map((field) => (
            <li key={field}>
              <a
                href={`#${controlIds[field]}`}
                className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em] md:min-h-6"
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(controlIds[field])?.focus();
                }}
              >
                {problems[field]}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}
