import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";

/** In a message's place: it is gone, or could not be read. The list beside it stays. */
export function MessageProblem() {
  const error = useRouteError();
  const { revalidate, state } = useRevalidator();
  const isGone = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className="p-[clamp(1.25rem,2.5vw,2rem)]">
      <Banner title={isGone ? "This message is gone." : "Failed to load the message."}>
        {isGone ? (
          "It was deleted, or its sender had it deleted."
        ) : (
          <Button
            variant="secondary"
            size="small"
            className="mt-2.5"
            busy={state === "loading"}
            busyText="Retrying..."
            onClick={() => void revalidate()}
          >
            Retry
          </Button>
        )}
      </Banner>
    </div>
  );
}
