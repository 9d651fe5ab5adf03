-- What staff sell, and what they do to subscriptions.

-- Goes up with each change; whoever saves names the one they looked at.
alter table plan add column version int not null default 1;
alter table coupon add column version int not null default 1;

-- Codes that were made at once, on the same terms.
create table promotion (
  promotion_id bigint generated always as identity primary key,
  title text not null check (title <> ''),
  created_at timestamptz not null default now()
);
alter table coupon add column promotion_id bigint references promotion;
create index coupon_promotion on coupon (promotion_id) where promotion_id is not null;

alter table subscription
  -- When staff ended it; what was paid until then gives no access any more.
  add column ended_at timestamptz,
  -- What was agreed for the plans it had before, should one of them hold again: {plan_id: price_minor}.
  add column agreed_prices jsonb not null default '{}';
create index subscription_plan on subscription (plan_id);
create index subscription_coupon on subscription (coupon_id) where coupon_id is not null;

-- Who of staff did it; its detail is why.
alter table subscription_event add column staff_id bigint references customer;

create index invoice_issued on invoice (issued_at desc, invoice_id desc);
create index charge_newest on charge (status, charge_id desc);
