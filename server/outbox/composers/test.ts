import type { Composer } from "../composer.ts";

export const testComposers = {
  test_email: async ({ owner, adminUrl }) => ({
    ...owner,
    email: { kind: "test_email", adminUrl: `${adminUrl}/go-live` },
  }),
} satisfies Record<string, Composer>;
