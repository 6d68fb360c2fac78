import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Puts all that gave up back to work. */
export function RetryAll({ total }: { total: number }) {
  const retry = useAdminAction("POST /api/admin/jobs/failed/retry", {
    success: ({ data: { retried } }) => ({
      title: retried === 1 ? "Trying one job again" : `Trying ${retried} jobs again`,
      description: "What fails for good once more comes back here.",
    }),
    failure: "That did not work",
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={retry.busy}
      busyText="Trying..."
      onClick={() => void retry.run()}
    >
      Try all {total} again
    </Button>
  );
}
