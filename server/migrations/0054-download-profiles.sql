-- Where and how members store their downloads.
create table download_profile (
  profile_id bigint primary key generated always as identity,
  customer_id bigint not null references customer,
  name text not null,
  -- See `DownloadProfile` in contract/src/download-profiles.ts; what a setting of a later release lacks is its default.
  settings jsonb not null,
  is_default boolean not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create unique index download_profile_name on download_profile (customer_id, lower(name));
create unique index download_profile_default on download_profile (customer_id) where is_default;

-- Payloads of MP3 now have their timing case; all others are as the new rules would read them.
alter table file alter column body_version set default 5;
update file set body_version = 5 where body_version = 4 and format <> 'mp3';
drop index file_outdated;
create index file_outdated on file (file_id) where body_version < 5;

-- How the files of a zip are named and tagged, and for which DJ program: see `Kit` in server/src/downloads/kit-layout.ts.
-- Null for the pool's way.
alter table bundle add column kit jsonb;
-- A copy of the profile that a file is named and tagged by, so that a transfer is continued with the same bytes.
alter table download_link add column profile jsonb;
