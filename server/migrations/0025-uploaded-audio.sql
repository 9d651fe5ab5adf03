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

-- Imports used to list songs without a genre under a public genre "Unsorted". Such songs have no genre now; staff find
-- them in the catalogue under "no genre".
do $$
declare
  unsorted int;
begin
  for unsorted in
    select genre_id from genre g
    where kind = 'genre' and parent_id is null and name = 'Unsorted'
      and not exists (select 1 from genre below where below.parent_id = g.genre_id)
  loop
    update song_search s set tsv = ts_delete(tsv, '#g' || unsorted)
    from song_genre sg where sg.entity_id = s.entity_id and sg.genre_id = unsorted;
    delete from song_genre where genre_id = unsorted;
    update upload_song set genres = array_remove(genres, unsorted) where unsorted = any(genres);
    update upload set tag = jsonb_set(tag, '{genre_ids}', coalesce(
      (select jsonb_agg(id) from jsonb_array_elements(tag -> 'genre_ids') id where id <> to_jsonb(unsorted)), '[]'))
    where tag -> 'genre_ids' @> to_jsonb(array[unsorted]);
    delete from chart_snapshot where genre_id = unsorted;
    delete from list_anchor where genre_id = unsorted;
    delete from genre_counter where genre_id = unsorted;
    delete from search_word where word = '#g' || unsorted;
    delete from genre where genre_id = unsorted;
  end loop;
end $$;
