-- Null until the member has chosen: the first version of a song is preferred.
alter table customer add column preferred_versions jsonb;
