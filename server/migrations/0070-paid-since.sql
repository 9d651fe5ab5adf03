-- The start of a subscription's first paid period, since when its member counts as a subscriber (dashboard/subscribers.ts).
-- Reading it from the payments of each subscription took the dashboard of a large pool most of its time.
alter table subscription add column paid_since timestamptz;
update subscription s set paid_since = (
  select min(period_start) from charge c where c.subscription_id = s.subscription_id and c.status = 'paid');

drop index charge_first_paid;
