-- The words of a label by themselves (~word) join the words of the song, for searches such as label:anjunadeep.
-- The index is built again after the rows, which is many times faster than row by row.
drop index song_search_tsv;

update song_search
set tsv = song_search.tsv || array_to_tsvector(split.words)
from (
  select entity_id, array(
    select distinct '~' || left(word, 60)
    from regexp_split_to_table(
      translate(lower(regexp_replace(normalize(label, NFKD), '[\u0300-\u036f]', '', 'g')), '''’`´.', ''), '[^[:alnum:]]+') word
    where word <> '') as words
  from song where label <> '') split
where split.entity_id = song_search.entity_id;

create index song_search_tsv on song_search using gin (tsv) with (fastupdate = off);

insert into search_word (word, df)
select word, ndoc from ts_stat('select tsv from song_search where tsv @@ ''''''~'''':*''::tsquery') where word ~ '^~'
on conflict (word) do update set df = excluded.df;
