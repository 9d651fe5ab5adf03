-- The lists that a song is in, for its page.
create index curated_list_song_of_song on curated_list_song (entity_id);
create index top20_song_of_song on top20_song (entity_id);
create index playlist_song_of_song on playlist_song (entity_id);
