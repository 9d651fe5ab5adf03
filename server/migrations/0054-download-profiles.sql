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

-- What a zip is for a DJ program, with a copy of the profile: see `Kit` in server/src/downloads/kit-layout.ts. Null for others.
alter table bundle add column kit jsonb;
