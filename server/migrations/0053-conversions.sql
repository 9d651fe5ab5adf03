-- Stored files converted to another format for downloads. Each is made once, at the first request.
create table conversion (
  conversion_id bigint primary key generated always as identity,
  -- Null once the file is deleted: the next clean-up then deletes the conversion.
  file_id bigint references file on delete set null,
  format text not null check (format in ('mp3', 'aiff')),
  -- CONVERSION_VERSION of the release that makes it.
  version smallint not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  progress real not null default 0,
  attempts smallint not null default 0,
  -- Single files come before those of zips.
  is_bulk boolean not null,
  -- One clause in English.
  error text not null default '',
  sha256 bytea check (length(sha256) = 32),
  bytes bigint,
  -- What a download contains of it: see audio-files/payload.ts.
  body jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last time that a download was requested.
  used_at timestamptz not null default now(),
  unique (file_id, format, version),
  check (state <> 'done' or (sha256 is not null and bytes is not null and body is not null))
);
create index conversion_queue on conversion (is_bulk, conversion_id) where state in ('queued', 'running');
create index conversion_sha256 on conversion (sha256) where sha256 is not null;

-- Null for the original.
alter table download_link add column format text check (format in ('mp3', 'aiff'));
alter table bundle add column format text check (format in ('mp3', 'aiff'));

-- Payloads of M4A now say whether they are lossless; all others are as the new rules would read them.
alter table file alter column body_version set default 4;
update file set body_version = 4 where body_version = 3 and format <> 'm4a';
drop index file_outdated;
create index file_outdated on file (file_id) where body_version < 4;
