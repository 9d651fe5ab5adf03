-- The lists that members follow: public playlists, spotlights, charts, and the monthly top 20. Not every kind has a row to
-- refer to, so lists that no longer exist are deleted by a sweep.
create table followed_list (
  customer_id bigint not null references customer on delete cascade,
  kind text collate "C" not null check (kind in ('playlist', 'spotlight', 'top20', 'chart')),
  -- Of a playlist or spotlight. Of a chart, its genre; 0 for all genres. 0 for the top 20, which is followed as a series.
  list_id bigint not null check (list_id >= 0),
  -- Of a chart; empty and 0 for the others.
  chart text collate "C" not null default '' check (chart in ('', 'daily', 'weekly', 'monthly')),
  song_section_id smallint not null default 0 check (song_section_id between 0 and 2),
  followed_at timestamptz not null default now(),
  -- What was added since then counts as new.
  opened_at timestamptz not null default now(),
  primary key (customer_id, kind, list_id, chart, song_section_id),
  check ((kind = 'chart') = (chart <> '')),
  check (kind <> 'top20' or list_id = 0),
  check (kind = 'chart' or song_section_id = 0)
);

-- Since when a song is in a list. Null for songs from before this migration: they never count as new.
alter table playlist_song add column added_at timestamptz;
alter table playlist_song alter column added_at set default now();
alter table curated_list_song add column added_at timestamptz;
alter table curated_list_song alter column added_at set default now();
-- Since when a song has been in a chart without interruption.
alter table chart_snapshot add column entered_at timestamptz;
