-- Reserves, or fails, so that the commit can be sent along without waiting for the answer: the rows of stock that it locks
-- are what all orders wait for. PA001 is known to server/inventory/commands.ts.
CREATE FUNCTION reserve_or_fail(for_order uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT reserve_units(for_order) THEN
    RAISE EXCEPTION 'not enough units are left for this order' USING ERRCODE = 'PA001';
  END IF;
END $$;
