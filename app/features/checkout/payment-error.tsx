import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";

/** Why the payment did not go through; takes focus. A closed payment can only be started again. */
export function PaymentError({
  message,
  onStartAgain,
}: {
  message: string;
  onStartAgain: (() => void) | null;
}) {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} tabIndex={-1} className="mb-4" title={message}>
      {onStartAgain ? (
        <>
          <p>You have not been charged. To pay with another card, start again with your entries kept.</p>
          <Button size="small" variant="secondary" className="mt-3" onClick={onStartAgain}>
            Start again
          </Button>
        </>
      ) : (
        <p>You have not been charged. Try again, or use another card.</p>
      )}
    </Banner>
  );
}
