-- What operators watch: damaged files, the scrub that finds them, rehearsed restores, scheduled backups, held email and
-- the heartbeats of workers.

-- Files of the store that are not what the database says. A row goes once the file is good again or no longer needed.
create table damaged_file (
  -- The folder of the store: the same bytes may be kept as several kinds.
  stored_as text collate "C" not null check (stored_as in ('audio', 'previews', 'images', 'attachments')),
  sha256 bytea not null check (octet_length(sha256) = 32),
  ending text collate "C" not null default '',
  kind text collate "C" not null check (kind in ('missing', 'truncated', 'altered')),
  found_at timestamptz not null default now(),
  primary key (stored_as, sha256, ending)
);
create index damaged_file_found on damaged_file (found_at);

-- Stored files are read through by the first byte of their hash, some of the 256 each night.
create table storage_scrub (
  is_only_row boolean primary key default true check (is_only_row),
  next_slot int not null default 0 check (next_slot between 0 and 255),
  -- When the round in progress began, and when the last complete one ended.
  began_at timestamptz not null default now(),
  finished_at timestamptz,
  last_run_at timestamptz,
  -- Of the last run.
  files bigint not null default 0,
  bytes bigint not null default 0
);

-- Backups that were restored into a scratch database to see whether they can be.
create table restore_rehearsal (
  restore_rehearsal_id bigint generated always as identity primary key,
  folder text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  rows bigint not null default 0,
  files bigint not null default 0,
  -- Why it failed; '' where it succeeded.
  trouble text not null default ''
);
create index restore_rehearsal_newest on restore_rehearsal (ended_at desc);

alter table backup_made add column is_scheduled boolean not null default false;
-- When retention removed it.
alter table backup_made add column removed_at timestamptz;
-- Where its files are: in its folder, or copied within the bucket.
alter table backup_made add column files_in text collate "C" not null default 'folder' check (files_in in ('folder', 'bucket'));

-- While there is a row no email is sent: a restored pool would send again what was sent after its backup.
create table mail_hold (
  is_only_row boolean primary key default true check (is_only_row),
  since timestamptz not null default now(),
  reason text not null
);

-- Each worker process says every few seconds that it works.
create table worker_heartbeat (
  worker_id uuid primary key,
  host text not null,
  process_id int not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
create index worker_heartbeat_seen on worker_heartbeat (seen_at);
