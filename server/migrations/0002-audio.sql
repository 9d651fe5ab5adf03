-- What is stored: bytes under their hash, and what was measured in them.
create table file (
  file_id bigint generated always as identity primary key,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes > 0),
  format text not null check (format in ('mp3', 'wav', 'flac', 'aiff')),
  -- Byte ranges kept at download, each with its CRC-32, and the foreign tags that stay: see audio/body.ts.
  body jsonb not null,
  missing_since timestamptz,
  stored_at timestamptz not null default now()
);

create table analysis (
  file_id bigint primary key references file on delete cascade,
  analyser_version int not null,
  duration_seconds real not null check (duration_seconds > 0),
  sample_rate int not null,
  channels smallint not null,
  bitrate_kbps real not null,
  bpm real,
  bpm_confidence real not null,
  bpm_alternatives real[] not null default '{}',
  song_key text collate "C",
  key_confidence real not null,
  loudness_lufs real not null,
  loudness_range real not null,
  true_peak_db real not null,
  faults jsonb not null default '[]',
  analysed_at timestamptz not null default now()
);

create table peaks (
  file_id bigint primary key references file on delete cascade,
  overview bytea not null,
  detail bytea not null
);

create table preview (
  file_id bigint primary key references file on delete cascade,
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes > 0)
);

create table artwork (
  artwork_id bigint generated always as identity primary key,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  width int not null,
  height int not null
);
