import { useRevalidator } from "react-router";
import { FrontDoor } from "./front-door.tsx";
import { UnlockForm } from "./shell/unlock-form.tsx";

/** The panel's front door, at whatever address of it was asked for: that page comes once it is unlocked. */
export function LockedPanel() {
  const { revalidate } = useRevalidator();
  return (
    <FrontDoor title="Admin" intro="Enter the access code to continue, or use your passkey.">
      <UnlockForm onUnlocked={revalidate} />
    </FrontDoor>
  );
}
