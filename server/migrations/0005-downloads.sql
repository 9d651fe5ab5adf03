-- One row for each member and version: how many downloads are used, and the one still under way.
create table download_grant (
  customer_id bigint not null references customer,
  song_version_id bigint not null references song_version,
  used smallint not null,
  allowed smallint not null,
  -- The download whose transfer has not completed; its link is handed out again for a day without a second count.
  open_download_id bigint,
  opened_at timestamptz not null default now(),
  primary key (customer_id, song_version_id),
  constraint download_grant_within_limit check (used between 0 and allowed)
) with (fillfactor = 90);

create sequence download_id as bigint;

create table download (
  download_id bigint primary key,
  customer_id bigint not null references customer,
  song_version_id bigint not null references song_version,
  entity_id bigint not null references song,
  at timestamptz not null default now(),
  completed_at timestamptz,
  refunded_at timestamptz
);
create index download_customer on download (customer_id, at desc);
create index download_at on download (at);

create table download_outbox (
  id bigint generated always as identity primary key,
  entity_id bigint not null,
  at timestamptz not null
);

-- A zip that was handed out: exactly what is in it, so that a broken transfer goes on with the same bytes.
create table bundle (
  bundle_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  zip_name text not null,
  downloads jsonb not null,
  made_at timestamptz not null default now(),
  completed_at timestamptz
);
create index bundle_made on bundle (made_at);
