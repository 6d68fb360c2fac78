import { expect, test } from "vitest";
import { closedWithFile, closeLeftOpen } from "./left-open.ts";

test("resources that a test file has not closed are closed once, newest first", async () => {
  const closed: string[] = [];
  const open = (name: string, close?: () => Promise<void>) =>
    closedWithFile(async () => {
      closed.push(name);
      await close?.();
    });
  const closeDatabase = open("database");
  open("shop", closeDatabase);
  open("second database");
  const closeSecondShop = open("second shop");
  await closeSecondShop();
  await closeLeftOpen();
  await closeLeftOpen();
  expect(closed).toEqual(["second shop", "second database", "shop", "database"]);
});
