import { Link } from "react-router";
import { type MailOutage, mailOutageSentence } from "../../../../domain/outbox/mail-outage.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { useShopZone } from "../kit/shop-zone.ts";
import { useMayOpen } from "../rights.ts";

/** On every page of the panel while no e-mail leaves. `now`: when that was read, ISO 8601. */
export function MailOutageBanner({ outage, now }: { outage: MailOutage; now: string }) {
  const timeZone = useShopZone();
  const mayOpen = useMayOpen();
  const { waiting } = outage;
  return (
    <Banner className="mb-6 print:hidden" title={`${mailOutageSentence(outage, { timeZone, now })}.`}>
      {waiting > 0 &&
        `${waiting > 99 ? "99+" : waiting} ${waiting === 1 ? "email waits and goes" : "emails wait and go"} out by ${waiting === 1 ? "itself" : "themselves"} once the mail server takes mail again. `}
      {mayOpen("/admin/settings/keys") ? (
        <Link className="link" to="/admin/settings/keys#mail">
          Check the mail server
        </Link>
      ) : (
        "Please tell the owner."
      )}
    </Banner>
  );
}
