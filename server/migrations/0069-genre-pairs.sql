-- A genre with a year, and a genre with eight BPM, are facets of their own (catalogue/search-index.ts): few songs have both,
-- many have each. The index is built again after the rows, which is many times faster than row by row.
drop index song_search_tsv;

update song_search
set tsv = song_search.tsv || array_to_tsvector(pairs.facets)
from (
  select entity_id, array(
    select '#G' || genre_id || paired from song_genre
    cross join unnest(array['y' || song.year, 'B' || floor(floor(song.min_bpm + 0.5) / 8)]) paired
    where song_genre.entity_id = song.entity_id and paired is not null) as facets
  from song) pairs
where pairs.entity_id = song_search.entity_id;

create index song_search_tsv on song_search using gin (tsv) with (fastupdate = off);

insert into search_word (word, df)
select word, ndoc from ts_stat('select tsv from song_search where tsv @@ ''''''#G'''':*''::tsquery') where word ~ '^#G'
on conflict (word) do update set df = excluded.df;
