-- Charts are of rolling windows: hours for the last day and the one before it, days for what is longer.
delete from chart_count where period in ('week', 'month');
drop index chart_count_top;
drop index chart_count_song;
alter table chart_count drop constraint chart_count_period_check;
alter table chart_count alter column start type timestamptz using start::timestamp at time zone 'UTC';
alter table chart_count add constraint chart_count_period_check check (period in ('hour', 'day'));
create index chart_count_top on chart_count (period, start, n desc, entity_id desc);

-- The hours so far: what the ledger has, without what is still to be folded.
insert into chart_count (period, start, entity_id, n)
select 'hour', start, entity_id, sum(n) from (
  select date_trunc('hour', at, 'UTC') as start, entity_id, 1 as n from download
  where at >= date_trunc('hour', now() - interval '50 hours', 'UTC')
  union all select date_trunc('hour', at, 'UTC'), entity_id, -1 from download_outbox) happened
group by start, entity_id having sum(n) > 0;

-- Listens by UTC day.
create table listen_count (
  day date not null,
  entity_id bigint not null references song,
  n int not null check (n > 0),
  primary key (day, entity_id)
) with (fillfactor = 80);
insert into listen_count (day, entity_id, n)
select (at at time zone 'UTC')::date, entity_id, count(*) from listen group by 1, 2;

create table listen_outbox (
  id bigint generated always as identity primary key,
  entity_id bigint not null,
  at timestamptz not null
);

-- All downloads and listens of a song, kept with the fold.
create table song_total (
  entity_id bigint primary key references song,
  downloads bigint not null default 0,
  listens bigint not null default 0
) with (fillfactor = 80);
insert into song_total (entity_id, downloads, listens)
select entity_id, sum(downloads), sum(listens) from (
  select entity_id, n as downloads, 0 as listens from chart_count where period = 'day'
  union all select entity_id, 0, n from listen_count) counted
group by entity_id;

-- The charts as they are read; genre 0 stands for all of them. Trending has no genres and no place before.
drop table chart_snapshot;
create table chart_snapshot (
  chart text collate "C" not null check (chart in ('daily', 'weekly', 'monthly', 'trending')),
  genre_id int not null,
  rank smallint not null check (rank between 1 and 100),
  entity_id bigint not null references song,
  n int not null,
  rank_before smallint,
  primary key (chart, genre_id, rank)
) with (fillfactor = 80);
create table chart_refresh (
  chart text collate "C" primary key,
  counted_at timestamptz not null
);

-- Which crates a song is in.
create index crate_item_of_song on crate_item (entity_id, customer_id);
