-- A chart of songs, one of kuts and one of both. 0 stands for all sections, as in the calls.
alter table chart_snapshot add column song_section_id smallint not null default 1 check (song_section_id in (0, 1, 2));
alter table chart_snapshot alter column song_section_id drop default;
alter table chart_snapshot drop constraint chart_snapshot_pkey;
alter table chart_snapshot add primary key (chart, genre_id, song_section_id, rank);

-- Trending songs have always been of all sections.
update chart_snapshot set song_section_id = 0 where chart = 'trending';

-- Without a row here a chart is counted at the next minute, for every section; what is there is shown until then.
delete from chart_refresh where chart <> 'trending';
