-- Cloud storage that a member has connected, and the files that are sent to it.
create table cloud_connection (
  connection_id bigint primary key generated always as identity,
  customer_id bigint not null references customer on delete cascade,
  provider text collate "C" not null check (provider in ('dropbox', 'google_drive')),
  -- The email address of the account at the provider, or its name.
  account_name text not null,
  -- Encrypted, and bound to `token_owner`.
  tokens bytea not null,
  token_owner uuid not null,
  -- Expired: the provider no longer accepts the tokens.
  state text collate "C" not null default 'connected' check (state in ('connected', 'expired')),
  connected_at timestamptz not null default now(),
  -- Songs that are added to the crate after it are sent; null if that is off.
  crate_since timestamptz,
  -- Only one worker at a time sends to a connection.
  lease_id uuid,
  leased_until timestamptz not null default '-infinity',
  served_at timestamptz not null default '-infinity',
  -- After errors of the provider: how many in a row, when to try again, and why, as a sentence.
  attempts int not null default 0,
  next_attempt_at timestamptz not null default '-infinity',
  problem text,
  unique (customer_id, provider)
);

create table cloud_delivery (
  delivery_id bigint primary key generated always as identity,
  connection_id bigint not null references cloud_connection on delete cascade,
  title text not null,
  is_automatic boolean not null default false,
  -- A copy of the download profile that names and tags the files; null for the pool's names and tags.
  profile jsonb,
  created_at timestamptz not null default now()
);
create index cloud_delivery_newest on cloud_delivery (connection_id, delivery_id desc);

create table cloud_delivery_file (
  delivery_file_id bigint primary key generated always as identity,
  delivery_id bigint not null references cloud_delivery on delete cascade,
  connection_id bigint not null references cloud_connection on delete cascade,
  song_version_id bigint not null references song_version,
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'already_there', 'failed', 'cancelled')),
  -- Set while a worker may be sending it: the worker then cancels it.
  is_cancelled boolean not null default false,
  -- Why it failed or has to wait, as a sentence.
  reason text,
  queued_at timestamptz not null default now(),
  due_at timestamptz not null default '-infinity',
  finished_at timestamptz,
  -- What is sent: its length and the ETag of exactly these bytes.
  bytes bigint,
  etag text,
  -- The begun upload, encrypted, and how much of it the provider has confirmed.
  upload bytea,
  sent_bytes bigint not null default 0,
  -- How often the upload had to begin again.
  restarts int not null default 0,
  -- The counted download, and whether it is refunded if the file cannot be sent.
  download_id bigint references download,
  can_refund boolean not null default false,
  -- The file in the member's storage.
  remote_id text,
  remote_path text
);
create index cloud_delivery_file_open on cloud_delivery_file (connection_id, delivery_file_id)
  where state in ('waiting', 'sending');
create index cloud_delivery_file_of_delivery on cloud_delivery_file (delivery_id, delivery_file_id);
create index cloud_delivery_file_of_version on cloud_delivery_file (connection_id, song_version_id);

-- Access that is still to be revoked at the provider, after the connection was deleted.
create table cloud_revocation (
  revocation_id bigint primary key generated always as identity,
  provider text collate "C" not null check (provider in ('dropbox', 'google_drive')),
  tokens bytea not null,
  token_owner uuid not null,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now()
);

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('reply', 'application', 'upload', 'payment', 'search', 'cloud'));
