-- The desk: figures by day, answers kept for tickets, what the store holds, and which backups were made.

-- Figures of days that are over, in UTC. Today is counted when it is asked for.
create table figure_day (
  day date not null,
  figure text collate "C" not null
    check (figure in ('listens', 'downloads', 'new_members', 'applications', 'revenue', 'uploads', 'tickets_answered')),
  -- Of money; '' for everything else.
  currency text collate "C" not null default '' check ((figure = 'revenue') = (currency <> '')),
  -- Money in the smallest unit of its currency.
  n bigint not null,
  counted_at timestamptz not null,
  primary key (figure, currency, day)
);
create index figure_day_day on figure_day (day);

-- What is counted by its moment.
create index upload_at on upload (uploaded_at);
create index reply_of_staff on reply (created_at) where by_staff;

create table saved_answer (
  saved_answer_id int generated always as identity primary key,
  title text not null check (title <> ''),
  -- HTML, cleaned; what is filled in stands in braces: {dj_name}.
  answer text not null check (answer <> ''),
  used int not null default 0,
  last_used_at timestamptz,
  written_by bigint references customer on delete set null,
  updated_at timestamptz not null default now(),
  -- Raised by each change; whoever changes it names the one they read.
  version int not null default 1
);
create unique index saved_answer_title on saved_answer (lower(title));

-- Looked for every few minutes.
create index file_missing on file (missing_since) where missing_since is not null;

-- What was measured, the last time of each day.
create table storage_day (
  day date primary key,
  measured_at timestamptz not null,
  seconds real not null,
  -- [{"kind": "originals", "files": 12, "bytes": 345}]
  kinds jsonb not null,
  database_bytes bigint not null,
  -- The largest: [{"table": "listen", "bytes": 345, "rows": 12}]
  tables jsonb not null,
  missing int not null,
  orphans int not null,
  orphan_bytes bigint not null
);

-- Backups that were made, or came to nothing.
create table backup_made (
  backup_id bigint generated always as identity primary key,
  folder text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  -- The moment it is a copy of; null where it came to nothing.
  taken_at timestamptz,
  bytes bigint not null default 0,
  rows bigint not null default 0,
  files bigint not null default 0,
  copied bigint not null default 0,
  -- Files that were not to be had.
  lost int not null default 0,
  trouble text not null default '',
  -- Who asked for it at the desk; null for the command.
  made_by bigint references customer on delete set null,
  -- When it was last read through, and what was wrong.
  checked_at timestamptz,
  check_trouble text not null default '',
  check ((taken_at is null) = (trouble <> ''))
);
create index backup_made_newest on backup_made (ended_at desc);

-- Looks through the whole pool: `pool check`.
create table pool_check (
  pool_check_id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Every byte was read, not only lengths.
  read_files boolean not null,
  -- The first of them, in words.
  troubles jsonb not null,
  unnamed int not null
);
