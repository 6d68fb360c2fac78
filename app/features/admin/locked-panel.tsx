import { useRevalidator } from "react-router";
import { FrontDoor } from "./front-door.tsx";
import { UnlockForm } from "./shell/unlock-form.tsx";

/** The lock screen, shown at any address of the panel; the requested page appears after unlocking. */
export function LockedPanel() {
  const { revalidate } = useRevalidator();
  return (
    <FrontDoor title="Admin" intro="Enter the access code to continue, or use your passkey.">
      <UnlockForm onUnlocked={revalidate} />
    </FrontDoor>
  );
}
