-- The first paid period of a subscription, since when its member counts as a subscriber (dashboard/subscribers.ts).
create index charge_first_paid on charge (subscription_id, period_start) where status = 'paid';

-- New members and applications of a period (dashboard/flow-metrics.ts).
create index dj_application_approved on dj_application ((coalesce(decided_at, applied_at))) where state = 'approved';
create index dj_application_applied on dj_application (applied_at);
