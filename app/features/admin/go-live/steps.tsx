import ArrowRight from "lucide-react/icons/arrow-right";
import { useEffect } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { blocksSales, type GoLiveCheck, goLiveStepPath } from "../../../../domain/go-live/go-live.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";

/** Pages opened since the check was last viewed; the next step leads only to other pages. */
const openedPages = new Set<string>();

/** Forgets the opened pages, so that the steps start again. */
export function useRestartSteps(): void {
  useEffect(() => openedPages.clear(), []);
}

/** On a page opened from the go-live check: links back to the check and to the next step. */
export function GoLiveSteps() {
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  const isFromCheck = query.has("go-live");
  const { body } = useApiResult(isFromCheck ? pathname : null, (_, signal) =>
    callApi("GET /api/admin/go-live", { signal }),
  );
  useEffect(() => {
    if (isFromCheck) openedPages.add(pathname);
  }, [isFromCheck, pathname]);
  if (!isFromCheck) return null;
  const openChecks = body?.data.checks.filter(({ state }) => state !== "ok") ?? [];
  const next = nextStep(openChecks, pathname);
  return (
    <nav
      aria-label="Go-live check"
      className="mb-5 flex min-h-15 flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-forest-100 px-4 py-2 text-small"
    >
      <Link to="/admin/go-live" className="link inline-flex min-h-11 items-center">
        Go-live check
      </Link>
      {next && (
        <ButtonLink variant="secondary" size="small" to={goLiveStepPath(next.link)}>
          Next: {next.title} <Icon glyph={ArrowRight} size="small" />
        </ButtonLink>
      )}
    </nav>
  );
}

/** The next open check that can be settled on another page; checks that block sales come first. */
function nextStep(checks: GoLiveCheck[], pathname: string) {
  return checks
    .flatMap((check) => (check.link ? [{ ...check, link: check.link }] : []))
    .filter(({ link, keep }) => {
      const page = new URL(link.to, "https://shop.invalid").pathname;
      return keep === null && page !== pathname && !openedPages.has(page);
    })
    .sort((a, b) => Number(blocksSales(b)) - Number(blocksSales(a)))[0];
}
