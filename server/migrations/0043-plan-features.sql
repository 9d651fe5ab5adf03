-- What members of a plan can do. Plans from before this migration keep what they had: everything, with the pool's limit per version.
alter table plan add column monthly_downloads integer check (monthly_downloads > 0);
alter table plan add column version_downloads smallint check (version_downloads between 1 and 20);
alter table plan add column has_crate_bundles boolean not null default true;
alter table plan add column has_top20_packs boolean not null default true;
alter table plan add column head_start_hours integer not null default 0 check (head_start_hours between 0 and 720);
