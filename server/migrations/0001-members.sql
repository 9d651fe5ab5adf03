-- Who may come in. Group 2 downloads, group 3 (labels) uploads.
create table customer_group (
  group_id smallint primary key,
  name text not null unique
);
insert into customer_group values (1, 'Visitor'), (2, 'Downloading member'), (3, 'Label'), (4, 'Staff');

create table customer (
  customer_id bigint generated always as identity primary key,
  email text collate "C" not null,
  dj_name text not null,
  password_hash text not null,
  group_id smallint not null default 2 references customer_group,
  payment_profile_status text not null default 'unpaid' check (payment_profile_status in ('paid', 'unpaid')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  staff_role text check (staff_role in ('support', 'curator', 'billing', 'admin')),
  profile_picture text,
  demo boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index customer_email on customer (lower(email));

-- A member may sign in once an application is approved.
create table dj_application (
  customer_id bigint primary key references customer on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'approved', 'declined')),
  referred_by text not null default '',
  dj_website text not null default '',
  comment text not null default '',
  reason text not null default '',
  applied_at timestamptz not null default now(),
  decided_at timestamptz
);

-- The token itself is never stored: its SHA-256 is.
create table session (
  session_id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  customer_id bigint not null references customer on delete cascade,
  purpose text not null default 'member' check (purpose in ('member', 'applicant')),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text not null default '',
  ip inet
);
create index session_customer on session (customer_id);
create index session_expiry on session (expires_at);

create table sign_in_attempt (
  email text collate "C" not null,
  ip inet not null,
  at timestamptz not null default now()
);
create index sign_in_attempt_email on sign_in_attempt (email, at);
create index sign_in_attempt_at on sign_in_attempt (at);
