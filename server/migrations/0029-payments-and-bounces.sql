-- A payment is linked to a checkout only by ids the pool created, and is compared with what was agreed.

-- Carried by the provider's objects that the pool creates. No buyer can choose it, and no other pool has the same.
alter table subscription add column checkout_key uuid not null default gen_random_uuid();
alter table subscription add constraint subscription_checkout_key unique (checkout_key);
-- The provider did not answer when the checkout was started, and nobody was led there.
alter table subscription add column start_failed_at timestamptz;

-- Payments that differ from what was agreed, and events that cannot be read: they change nothing until staff decide.
create table payment_review (
  review_id bigint generated always as identity primary key,
  gateway text not null,
  -- The provider's id of the payment; of an unlinked one of its subscription, of an unreadable event of that.
  ref text collate "C" not null,
  gateway_ref text collate "C",
  subscription_id bigint references subscription,
  reason text not null check (reason in ('amount', 'currency', 'period', 'plan', 'mode', 'unlinked', 'unreadable')),
  -- What the provider said, to be applied when staff accept it.
  fact jsonb,
  -- What was agreed, or why an event cannot be read.
  detail text not null default '',
  at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'handled')),
  decided_at timestamptz,
  decided_by bigint references customer on delete set null,
  constraint payment_review_ref unique (gateway, ref)
);
create index payment_review_open on payment_review (review_id) where state = 'open';
create index payment_review_subscription on payment_review (subscription_id) where subscription_id is not null;

-- Whether a payment provider answers and accepts the pool's keys.
create table gateway_health (
  gateway text primary key,
  is_up boolean not null,
  -- Why it is down, and a sentence about it without secrets.
  reason text not null default '',
  detail text not null default '',
  -- When the outage began, or ended.
  since timestamptz not null default now(),
  checked_at timestamptz not null default now()
);

create table gateway_failure (
  gateway text not null,
  reason text not null,
  n bigint not null default 1,
  last_at timestamptz not null default now(),
  primary key (gateway, reason)
);

-- Mail that another server sent back.
alter table outgoing_mail add column bounced_at timestamptz;
alter table outgoing_mail add column bounce_kind text check (bounce_kind in ('hard', 'soft'));
alter table outgoing_mail add column bounce_detail text not null default '';
alter table outgoing_mail add constraint outgoing_mail_bounced check ((bounced_at is null) = (bounce_kind is null));
create index outgoing_mail_bounced_at on outgoing_mail (bounced_at) where bounced_at is not null;

-- Addresses that mail came back from, in lower case, until their owner says that they are right.
create table bounced_address (
  address text primary key check (address = lower(address)),
  hard int not null default 0,
  soft int not null default 0,
  -- What the other server said last.
  detail text not null,
  last_at timestamptz not null default now()
);
