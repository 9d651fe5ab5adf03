-- From visitor to approved DJ, and what a member keeps about themself.

-- Who a member is; '' until told.
alter table customer
  add column firstname text not null default '',
  add column lastname text not null default '',
  add column telephone text not null default '',
  add column street text not null default '',
  add column city text not null default '',
  add column postcode text not null default '',
  add column country_id text collate "C" not null default '',
  add column region_id text collate "C" not null default '',
  -- {notation, scheme, preview_loudness}; null until chosen.
  add column display jsonb,
  add column password_changed_at timestamptz,
  add column deleted_at timestamptz,
  drop constraint customer_status_check,
  add constraint customer_status_check check (status in ('active', 'suspended', 'deleted')),
  add constraint customer_deleted_check check ((status = 'deleted') = (deleted_at is not null));

-- Somebody who signed up and has yet to open the mailed link. It becomes a customer then, if the address has none:
-- so an address is nobody's before it is confirmed, and a sign-up looks the same whether or not it has an account.
create table sign_up (
  sign_up_id bigint generated always as identity primary key,
  email text collate "C" not null,
  dj_name text not null,
  password_hash text not null,
  -- Null until the application is sent.
  applied_at timestamptz,
  referred_by text not null default '',
  dj_website text not null default '',
  comment text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days'
);
create index sign_up_email on sign_up (lower(email), created_at desc);
create index sign_up_expiry on sign_up (expires_at);

-- An applicant's session belongs to a sign-up until the address is confirmed.
alter table session
  alter column customer_id drop not null,
  add column sign_up_id bigint references sign_up on delete cascade,
  drop constraint session_purpose_check,
  add constraint session_purpose_check check (purpose in ('member', 'applicant', 'second_step')),
  add constraint session_of_one check (num_nonnulls(customer_id, sign_up_id) = 1),
  add constraint session_sign_up_applies check (sign_up_id is null or purpose = 'applicant');
create index session_sign_up on session (sign_up_id) where sign_up_id is not null;

-- A link that was mailed: used once, and ending. The token itself is never stored: its SHA-256 is.
create table mailed_link (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('confirm_sign_up', 'change_address', 'reset_password', 'sign_in_elsewhere')),
  customer_id bigint references customer on delete cascade,
  sign_up_id bigint references sign_up on delete cascade,
  -- The address it confirms.
  email text collate "C" not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint mailed_link_of_one check (num_nonnulls(customer_id, sign_up_id) = 1)
);
create index mailed_link_customer on mailed_link (customer_id, purpose) where customer_id is not null;
create index mailed_link_sign_up on mailed_link (sign_up_id) where sign_up_id is not null;
create index mailed_link_expiry on mailed_link (expires_at);

-- Somebody asked for a letter. Who asks leaves the same row for every address; whether there is an account behind it is
-- looked up afterwards, by the worker, so that no answer and no time tells.
create table mail_request (
  mail_request_id bigint generated always as identity primary key,
  what text not null check (what in ('recover', 'confirm_sign_up')),
  email text collate "C" not null,
  sign_up_id bigint references sign_up on delete cascade,
  -- From where it was asked for: nobody uses up the letters of somebody else's address.
  place inet not null,
  at timestamptz not null default now(),
  constraint mail_request_names_sign_up check ((what = 'confirm_sign_up') = (sign_up_id is not null))
);
create index mail_request_sign_up on mail_request (sign_up_id) where sign_up_id is not null;

alter table dj_application
  add column note text not null default '',
  add column decided_by bigint references customer on delete set null,
  -- A decision names the version it was made on: of two at once the second is refused.
  add column version int not null default 1;
create index dj_application_state on dj_application (state, applied_at);

-- Two-step sign-in (TOTP, RFC 6238). The secret is kept encrypted under the pool's own.
create table totp (
  customer_id bigint primary key references customer on delete cascade,
  secret bytea not null,
  -- Null until a first code was right.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0
);

create table recovery_code (
  customer_id bigint not null references customer on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (customer_id, code_hash)
);

-- Who somebody is at the operator's own identity provider (OpenID Connect).
create table outside_identity (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  customer_id bigint not null references customer on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
-- Who can write a member's address into the provider does not become the member beside the one who is.
create unique index outside_identity_customer on outside_identity (customer_id, issuer);

-- Failures are counted for an address of the network, too.
create index sign_in_attempt_ip on sign_in_attempt (ip, at);

-- Every mail the pool sends, kept until it is sent and for a while after.
create table outgoing_mail (
  mail_id bigint generated always as identity primary key,
  to_address text not null,
  subject text not null,
  html text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  trouble text not null default '',
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Not before this: put off after a failure, and, while it is being sent, to when its sender is given up.
  next_attempt_at timestamptz not null default now(),
  -- Whose it is: `customer 7`, `sign_up 3`. It goes with them, whatever address it went to.
  whose text collate "C" not null default '',
  -- So long a link in it lets somebody in: it is not sent later, and its texts are blanked once it is sent. Null for none.
  good_until timestamptz
);
create index outgoing_mail_state on outgoing_mail (state, mail_id desc);
create index outgoing_mail_whose on outgoing_mail (whose);
create index outgoing_mail_due on outgoing_mail (next_attempt_at, mail_id) where state = 'waiting';

-- What was done so often from one place that it has to wait: a count that starts anew.
create table rate (
  what text collate "C" not null,
  who text collate "C" not null,
  n int not null default 1,
  since timestamptz not null default now(),
  primary key (what, who)
);
create index rate_since on rate (since);

-- What staff did, when, and to what; never changed.
create table audit (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  staff_id bigint references customer on delete set null,
  action text not null,
  -- What it was done to: `customer 7`.
  subject text not null,
  before jsonb,
  after jsonb,
  ip inet
);
create index audit_subject on audit (subject, audit_id desc);
create index audit_at on audit (at);
