-- A paid order keeps its status until its refund has succeeded, while receivers have to know that it must not be sent.
CREATE OR REPLACE FUNCTION queue_order_webhooks(event text, of_order orders, facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks WHERE is_active) THEN RETURN; END IF;
  PERFORM queue_webhooks(event, 'order:' || of_order.id, (jsonb_build_object('id', of_order.id, 'number', of_order.number,
    'status', CASE WHEN of_order.cancelled_at IS NOT NULL AND of_order.status <> 'refunded' THEN 'cancelled'
      ELSE of_order.status END,
    'total', of_order.total_cents, 'currency', of_order.currency) || facts)::json);
END $$;
