import ArrowRight from "lucide-react/icons/arrow-right";
import { useEffect } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { blocksSales, type GoLiveCheck, stepOf } from "../../../../domain/go-live/go-live.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { useAnswer } from "../../use-answer.ts";

/** Pages that were opened since the check was looked at: each is offered once. */
const opened = new Set<string>();

/** Begins the way through the pages anew. */
export function useFirstStep(): void {
  useEffect(() => opened.clear(), []);
}

/** On a page that the go-live check led to: how much is left, and the page of what comes next. */
export function GoLiveSteps() {
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  const isOnWay = query.has("go-live");
  const { body } = useAnswer(isOnWay ? pathname : null, (_, signal) =>
    callApi("GET /api/admin/go-live", { signal }),
  );
  useEffect(() => {
    if (isOnWay) opened.add(pathname);
  }, [isOnWay, pathname]);
  if (!isOnWay) return null;
  const left = body?.data.checks.filter(({ state }) => state !== "ok") ?? [];
  const next = nextOf(left, pathname);
  return (
    <nav
      aria-label="Go-live check"
      className="mb-5 flex min-h-15 items-center justify-between gap-3 rounded-md border border-line bg-forest-100 px-4 py-2 text-small"
    >
      <Link to="/admin/go-live" className="link inline-flex min-h-11 items-center">
        Go-live check
      </Link>
      {next && (
        <ButtonLink variant="secondary" size="small" to={stepOf(next.link)}>
          Next: {next.title} <Icon glyph={ArrowRight} size="small" />
        </ButtonLink>
      )}
    </nav>
  );
}

/** The next line to be settled on another page: what keeps the shop from selling comes first. */
function nextOf(left: GoLiveCheck[], pathname: string) {
  return left
    .flatMap((check) => (check.link ? [{ ...check, link: check.link }] : []))
    .filter(({ link, keep }) => {
      const page = new URL(link.to, "https://shop.invalid").pathname;
      return keep === null && page !== pathname && !opened.has(page);
    })
    .sort((a, b) => Number(blocksSales(b)) - Number(blocksSales(a)))[0];
}
