-- Bits of a sample of lossless files; null for lossy files and for those that were analysed before.
alter table analysis add column bit_depth smallint check (bit_depth > 0);

-- The spectrogram of each analysed file. Files that were analysed before have none until they are analysed again.
create table spectrum (
  file_id bigint primary key references file on delete cascade,
  top_hz integer not null check (top_hz > 0),
  duration_seconds real not null check (duration_seconds > 0),
  -- Null for silence.
  highest_hz integer,
  -- Deflated; one byte for each of 96 bands of each column, at most 400 columns.
  levels bytea not null check (octet_length(levels) <= 30000)
);

-- Levels of a file by band and time, deflated, by which versions are compared. Files that were analysed before have none.
alter table fingerprint add column levels bytea check (octet_length(levels) > 0);

-- Where a Clean file differs from its Dirty file, from their fingerprints and levels. It belongs to the files, so that a version
-- that gets another file is compared again.
create table version_comparison (
  clean_file_id bigint not null references file on delete cascade,
  dirty_file_id bigint not null references file on delete cascade,
  -- The comparison that found it; an older one is repeated.
  method smallint not null,
  -- [{clean_from, clean_to, dirty_from, dirty_to}] in seconds; null if the files are too different to be compared.
  places jsonb,
  is_same boolean not null,
  compared_at timestamptz not null default now(),
  primary key (clean_file_id, dirty_file_id)
);
create index version_comparison_dirty on version_comparison (dirty_file_id);
