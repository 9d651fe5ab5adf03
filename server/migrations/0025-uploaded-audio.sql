-- Which rules a stored file's body follows (BODY_VERSION in audio/body.ts). Bodies of older rules can let private tags
-- through, so they are read again in the background.
alter table file add column body_version smallint not null default 1;
alter table file alter column body_version set default 2;
create index file_outdated on file (file_id) where body_version < 2;

-- How much audio was decoded for a member on a day (UTC), and when a worker last took one of the member's uploads.
create table analysis_usage (
  customer_id bigint not null references customer,
  day date not null,
  seconds double precision not null default 0 check (seconds >= 0),
  last_turn_at timestamptz not null default now(),
  primary key (customer_id, day)
);

-- What a worker is doing with a file of an import at the moment, and how often one died while it did so.
alter table import_file
  add column stage text check (stage in ('reading', 'analysing')),
  add column attempts smallint not null default 0,
  add column interruptions smallint not null default 0;
-- Attempts are those of a file, no longer those of a run.
alter table import_run drop column tries;
