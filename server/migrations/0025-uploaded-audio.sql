-- Which rules a stored file's body follows (BODY_VERSION in audio/body.ts). Bodies of older rules can let private tags
-- through, so they are read again in the background.
alter table file add column body_version smallint not null default 1;
alter table file alter column body_version set default 2;
create index file_outdated on file (file_id) where body_version < 2;
