import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/** The sandbox's replacement for a bank's 3-D Secure dialog. */
export function AuthenticationDialog({
  isOpen,
  cents,
  onAnswer,
}: {
  isOpen: boolean;
  cents: number;
  onAnswer: (authentication: "pass" | "fail") => void;
}) {
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => open || onAnswer("fail")}
      closable={false}
      title="Confirm it’s you"
      description={`Your bank asks you to approve this payment of ${formatCents(cents)}. This is a test: choose how it goes.`}
      actions={
        <>
          <Button size="small" onClick={() => onAnswer("pass")}>
            Complete authentication
          </Button>
          <Button size="small" variant="secondary" onClick={() => onAnswer("fail")}>
            Fail authentication
          </Button>
        </>
      }
    />
  );
}
