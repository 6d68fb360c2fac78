import * as v from "valibot";
import type { ComposeContext, Composed, Composer } from "../composer.ts";

const linkData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });
const deletedData = v.object({
  kept: v.pipe(v.string(), v.parseJson(), v.array(v.object({ number: v.number(), because: v.string() }))),
});

export const privacyComposers = {
  data_export: withDataLink("data_export"),
  data_deletion: withDataLink("data_deletion"),
  async data_deleted({ toShopper }, { recipient, data }) {
    const { kept } = v.parse(deletedData, data);
    return { email: { kind: "data_deleted", kept }, sender: toShopper, recipient, secret: null };
  },
} satisfies Record<string, Composer>;

function withDataLink(kind: "data_export" | "data_deletion"): Composer {
  return async ({ now, publicUrl, toShopper }: ComposeContext, message): Promise<Composed | "expired"> => {
    const { token, expiresAt } = v.parse(linkData, message.data);
    if (now() >= new Date(expiresAt)) return "expired";
    return {
      email: { kind, dataUrl: `${publicUrl}/account/data?token=${token}` },
      sender: toShopper,
      recipient: message.recipient,
      secret: token,
    };
  };
}
