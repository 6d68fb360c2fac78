import { forgetActivity } from "../admin/activity.ts";
import { adminApi } from "../admin/api.ts";
import { listIssues } from "../admin/issues.ts";
import { forgetSessions } from "../admin/sessions.ts";
import { forgetTries } from "../admin/tries.ts";
import { doctorApi } from "../go-live/api.ts";
import { doctorParts } from "../go-live/open.ts";
import { firstToShip } from "../orders/admin-list.ts";
import { salesApi } from "../sales/api.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "../sales/jobs.ts";
import { settingsApi } from "../settings/api.ts";
import type { Area, AreaParts } from "./area.ts";
import { sandboxSecret } from "./provider.ts";
import { settingsWatch, watchSettings } from "./settings-watch.ts";

/** How long the go-live check waits for the event that it asked for. */
const webhookPatienceMs = 20_000;
/** Orders that the overview shows of those to be shipped. */
const shownToShip = 5;

/** The panel itself: who is in, the overview, the settings, the go-live check. */
export function adminArea(parts: AreaParts): Area {
  const { config, db, log, now, provider, sessions, settings, shop } = parts;
  return {
    api: [
      ...doctorApi({
        ...doctorParts({ config, db, log, now }),
        sandboxSecret: sandboxSecret(parts),
        patienceMs: webhookPatienceMs,
      }),
      ...settingsApi({ db, now, onWrite: (tx) => watchSettings(tx, parts.checkout) }),
      ...salesApi({
        db,
        now,
        mode: provider.mode,
        settings: settings.shop,
        ownerSettings: settings.owner,
        ratingSummary: shop.ratingSummary,
        attention: () => listIssues(db, provider),
        waitingToShip: () => firstToShip(db, { limit: shownToShip, mode: provider.mode }),
      }),
      ...adminApi({
        db,
        sessions,
        secret: parts.sessionSecret,
        isSecure: config.publicUrl.startsWith("https:"),
        announce: parts.checkout.announce,
        dashboard: provider,
        mode: provider.mode,
        now,
      }),
    ],
    cron: [
      settingsWatch(parts.checkout),
      {
        task: refreshSalesTask({ db, now, ownerSettings: settings.owner }),
        everySeconds: refreshSalesEverySeconds,
      },
    ],
    forgetters: [forgetSessions, forgetActivity, forgetTries],
  };
}
