import type { CallOffParts } from "../payments/call-off.ts";

/** What checkout works with; shop.ts puts it together. */
export type CheckoutParts = CallOffParts & {
  /** Address of a small picture of an image file. */
  thumbnail(file: string): string;
  publicUrl: string;
  reservationSeconds: number;
};
