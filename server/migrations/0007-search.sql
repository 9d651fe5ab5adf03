-- The words of title and artist by themselves (=word, @word) and how many each has (#t3, #a1) join the words of the song.
-- song_identity holds artist and title as plain words already. The index is built anew behind the rows: row by row takes many times as long.
drop index song_search_tsv;

update song_search
set tsv = song_search.tsv || array_to_tsvector(array(
    select '=' || word from unnest(split.title) word
    union select '@' || word from unnest(split.artist) word)
  || array['#t' || cardinality(split.title), '#a' || cardinality(split.artist)])
from (
  select entity_id,
    array(select distinct left(word, 60) from string_to_table(split_part(song_identity, '|', 2), ' ') word where word <> '') as title,
    array(select distinct left(word, 60) from string_to_table(split_part(song_identity, '|', 1), ' ') word where word <> '') as artist
  from song) split
where split.entity_id = song_search.entity_id;

create index song_search_tsv on song_search using gin (tsv) with (fastupdate = off);

insert into search_word (word, df)
select word, ndoc from ts_stat('select tsv from song_search') where word ~ '^(=|@|#t|#a)'
on conflict (word) do update set df = excluded.df;
