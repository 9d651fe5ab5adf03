-- Plans, subscriptions, and every cent: what was charged, what was given back, what it was invoiced as.
-- Amounts are in the smallest unit of their currency.

create table plan (
  plan_id bigint generated always as identity primary key,
  title text not null,
  description text not null default '',
  -- HTML, cleaned.
  features text not null default '',
  price_minor int not null check (price_minor > 0),
  -- What the first period costs a new member; 0 where it costs what every period does.
  trial_price_minor int not null default 0 check (trial_price_minor >= 0),
  currency text collate "C" not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  interval text not null default 'month' check (interval in ('month', 'year')),
  is_premium boolean not null default false,
  subscription_type_id int not null default 1,
  position int not null default 0,
  on_sale boolean not null default true,
  created_at timestamptz not null default now()
);

-- What a plan, on its terms of a time, is called at a provider.
create table plan_at_gateway (
  gateway text not null,
  -- Plan, price, trial, discount, currency and interval in one text.
  terms text collate "C" not null,
  ref text collate "C" not null,
  primary key (gateway, terms)
);

create table coupon (
  coupon_id bigint generated always as identity primary key,
  -- Upper case.
  code text collate "C" not null unique check (code = upper(code) and code <> ''),
  percent int check (percent between 1 and 100),
  amount_minor int check (amount_minor > 0),
  -- Of the amount.
  currency text collate "C",
  -- From how many payments it is taken off; null: from all of them.
  payments int default 1 check (payments > 0),
  most_uses int check (most_uses > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  -- Null: of every plan.
  plan_ids bigint[],
  created_at timestamptz not null default now(),
  constraint coupon_percent_or_amount check (num_nonnulls(percent, amount_minor) = 1),
  constraint coupon_amount_has_currency check ((amount_minor is null) = (currency is null))
);

create table subscription (
  subscription_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  plan_id bigint not null references plan,
  gateway text not null,
  -- The provider's name of it; null until known.
  gateway_ref text collate "C",
  -- The provider's name of who pays, where it has one.
  payer_ref text collate "C",
  method text not null check (method in ('credit_card', 'paypal', 'mobile_wallet', 'bank_transfer')),
  card_brand text not null default '',
  card_last_four text not null default '' check (card_last_four ~ '^([0-9]{4})?$'),
  -- The last day of the month a card is good for.
  card_expires_on date,
  method_as_of timestamptz,
  -- What was agreed; a plan that is dearer tomorrow stays what it was.
  price_minor int not null,
  first_price_minor int not null,
  currency text collate "C" not null,
  interval text not null,
  is_trial boolean not null default false,
  coupon_id bigint references coupon,
  -- {percent, amount_minor, payments} as they were agreed.
  coupon_terms jsonb,
  -- The token of the address the provider sends the member back to: its SHA-256.
  return_hash bytea unique,
  checkout_ends_at timestamptz not null,
  -- When the member, back from the provider, said go.
  confirmed_at timestamptz,

  -- Facts beside the charges; the newest one of a kind counts, whenever it arrives.
  cancelled_as_of timestamptz,
  is_cancelled boolean not null default false,
  -- Nothing takes it back.
  is_over boolean not null default false,
  -- The checkout came to nothing.
  is_given_up boolean not null default false,
  -- The plan it changes to with the first payment for a time from then on.
  next_plan_id bigint references plan,
  next_price_minor int,
  next_from timestamptz,
  next_keeps_coupon boolean not null default false,
  -- Of a change that was asked for and is not agreed yet: {key, due_now_minor, at}. The same key is the same change.
  change_under_way jsonb,
  trouble text not null default '',

  -- What follows from the facts: see server/src/billing/standing.ts.
  status text not null default 'pending'
    check (status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled', 'ended', 'failed')),
  paid_until timestamptz,
  access_until timestamptz,
  -- When time alone changes something: the next charge, try, letter or end.
  look_at timestamptz,
  created_at timestamptz not null default now(),
  constraint subscription_ref unique (gateway, gateway_ref)
);
-- One checkout, or one open subscription, for each member.
create unique index subscription_open on subscription (customer_id)
  where status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled');
create index subscription_customer on subscription (customer_id, subscription_id desc);
create index subscription_look on subscription (look_at) where look_at is not null;

-- A coupon is used once by each member; a checkout that came to nothing gives it back.
create table coupon_use (
  coupon_id bigint not null references coupon,
  customer_id bigint not null references customer,
  subscription_id bigint not null references subscription,
  at timestamptz not null default now(),
  primary key (coupon_id, customer_id)
);

-- What happened to a subscription, each thing once: what letters were sent, and what staff and member did.
create table subscription_event (
  subscription_id bigint not null references subscription,
  what text not null,
  -- What it was about, so that it happens once for each: the end of a period, the number of a try.
  about text collate "C" not null default '',
  detail text not null default '',
  at timestamptz not null,
  primary key (subscription_id, what, about)
);

-- Why somebody left, in their words.
create table cancel_feedback (
  cancel_feedback_id bigint generated always as identity primary key,
  customer_id bigint references customer on delete set null,
  message text not null,
  at timestamptz not null default now()
);

create table charge (
  charge_id bigint generated always as identity primary key,
  subscription_id bigint not null references subscription,
  customer_id bigint not null references customer,
  plan_id bigint not null references plan,
  gateway text not null,
  -- The provider's name of it, the same for every try of one payment.
  gateway_ref text collate "C" not null,
  -- `first`, `renewal`, `upgrade`
  reason text not null check (reason in ('first', 'renewal', 'upgrade')),
  status text not null check (status in ('started', 'failed', 'paid')),
  amount_minor int not null check (amount_minor >= 0),
  -- Already off the amount.
  discount_minor int not null default 0 check (discount_minor >= 0),
  currency text collate "C" not null,
  is_trial boolean not null default false,
  -- What it pays for: [period_start, period_end).
  period_start timestamptz not null,
  period_end timestamptz not null,
  method text not null,
  -- `Visa 4242`
  paid_with text not null default '',
  trouble text not null default '',
  at timestamptz not null,
  constraint charge_ref unique (gateway, gateway_ref),
  constraint charge_period check (period_end > period_start)
);
create index charge_subscription on charge (subscription_id);
create index charge_customer on charge (customer_id, charge_id desc);

create table refund (
  refund_id bigint generated always as identity primary key,
  charge_id bigint not null references charge,
  gateway text not null,
  gateway_ref text collate "C" not null,
  amount_minor int not null check (amount_minor > 0),
  reason text not null default '',
  staff_id bigint references customer,
  at timestamptz not null,
  constraint refund_ref unique (gateway, gateway_ref)
);
create index refund_charge on refund (charge_id);

-- The last number that was given in a year: locked while the next one is.
create table invoice_number (
  year int primary key,
  last int not null
);

-- What was issued is never changed: names, addresses and lines are as they were that day.
create table invoice (
  invoice_id bigint generated always as identity primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year int not null,
  serial int not null,
  charge_id bigint not null references charge,
  refund_id bigint references refund,
  customer_id bigint not null references customer,
  issued_at timestamptz not null,
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  currency text collate "C" not null,
  net_minor int not null,
  tax_minor int not null,
  total_minor int not null,
  tax_percent numeric(5, 2) not null,
  tax_label text not null,
  -- Null until its letter was queued.
  mailed_at timestamptz,
  constraint invoice_serial unique (year, serial),
  constraint invoice_refund unique (refund_id),
  constraint invoice_kind check ((kind = 'credit_note') = (refund_id is not null)),
  constraint invoice_adds_up check (net_minor + tax_minor = total_minor)
);
-- One invoice for each charge.
create unique index invoice_charge on invoice (charge_id) where kind = 'invoice';
create index invoice_customer on invoice (customer_id, issued_at desc);
create index invoice_unmailed on invoice (invoice_id) where mailed_at is null;

-- Every movement of money, once: a charge adds, a refund takes off.
create table ledger (
  ledger_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  charge_id bigint not null references charge,
  refund_id bigint references refund,
  amount_minor int not null,
  currency text collate "C" not null,
  at timestamptz not null,
  constraint ledger_refund unique (refund_id)
);
create unique index ledger_charge on ledger (charge_id) where refund_id is null;
create index ledger_at on ledger (at);

-- What a provider told, each event once.
create table payment_event (
  gateway text not null,
  event_id text collate "C" not null,
  -- The provider's name of the subscription, and ours where it told.
  gateway_ref text collate "C",
  subscription_id bigint,
  at timestamptz not null,
  facts jsonb not null,
  received_at timestamptz not null default now(),
  -- Null while nobody knows what it is about.
  applied_at timestamptz,
  primary key (gateway, event_id)
);
create index payment_event_waiting on payment_event (gateway, gateway_ref) where applied_at is null;

-- The sandbox is a provider of its own: what it remembers. Of a card it keeps brand, last four and what it does.
create table sandbox_account (
  ref text collate "C" primary key,
  behaviour text not null,
  brand text not null default '',
  last_four text not null default '',
  expires_on date,
  approval text not null default 'none' check (approval in ('none', 'waiting', 'given', 'refused')),
  -- What is paid when it is approved, and where the member goes then.
  checkout jsonb not null,
  created_at timestamptz not null default now()
);
create unique index sandbox_account_checkout on sandbox_account ((checkout->>'subscription_id'));
create table sandbox_charge (
  key text collate "C" primary key,
  account_ref text collate "C" not null,
  amount_minor int not null,
  currency text collate "C" not null,
  is_paid boolean not null,
  trouble text not null default '',
  -- What was paid for, told again whenever it is asked.
  facts jsonb not null,
  at timestamptz not null default now()
);
create table sandbox_refund (
  key text collate "C" primary key,
  charge_ref text collate "C" not null,
  amount_minor int not null
);
-- A member's own time, so that a renewal can be seen without waiting for it.
create table sandbox_clock (
  customer_id bigint primary key references customer on delete cascade,
  ahead_seconds bigint not null default 0
);

-- A letter may carry a file; it is let go of once the letter was sent.
alter table outgoing_mail
  add column attachment_name text not null default '',
  add column attachment_type text not null default '',
  add column attachment bytea;
