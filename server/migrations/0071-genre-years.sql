-- The songs of a genre by year, with their tempo: the newest songs of a genre, some years and a tempo are found in this index
-- alone (search/search-plan.ts). Where a song is listed repeats what the song has, and changes with its search row.
alter table song_genre add year smallint, add min_bpm real, add max_bpm real;

update song_genre set year = song.year, min_bpm = song.min_bpm, max_bpm = song.max_bpm
from song where song.entity_id = song_genre.entity_id and (song.year is not null or song.min_bpm is not null);

create index song_genre_years on song_genre (genre_id, listed_section, year, entity_id) include (min_bpm, max_bpm)
where year is not null;
