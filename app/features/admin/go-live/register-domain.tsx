import { useAdminAction } from "../kit/use-admin-action.ts";
import { TryOnce } from "./try-once.tsx";

/** Makes the shop's domain known to Stripe, for wallets. */
export function RegisterDomain() {
  const action = useAdminAction("POST /api/admin/go-live/register-domain", {
    failure: "The domain was not registered",
  });
  return (
    <TryOnce
      label="Register the domain"
      busyText="Registering..."
      busy={action.busy}
      onTry={async () => {
        const answer = await action.run({ timeoutMs: 60_000 });
        if (!answer.ok) return null;
        const { isRegistered, detail } = answer.body.data;
        return { isGood: isRegistered, title: isRegistered ? "Registered." : "Not registered.", detail };
      }}
    />
  );
}
