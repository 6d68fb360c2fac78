import { Link, useRouteLoaderData } from "react-router";
import type { loader as adminFrameLoader } from "../../../routes/admin.tsx";
import { Banner } from "../../../ui/error-banner.tsx";

/** On the overview, where something was given up. */
export function FailedJobsNote() {
  const count = useRouteLoaderData<typeof adminFrameLoader>("routes/admin")?.failedJobs ?? 0;
  if (count === 0) return null;
  return (
    <Banner
      tone="warning"
      title={
        count === 1
          ? "One job in the background gave up."
          : `${count > 99 ? "More than 99" : count} jobs in the background gave up.`
      }
    >
      <Link to="/admin/jobs" className="link inline-flex min-h-11 items-center">
        See why, and try again
      </Link>
    </Banner>
  );
}
