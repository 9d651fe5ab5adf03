create table listen (
  listen_key text collate "C" not null,
  customer_id bigint not null references customer,
  song_version_id bigint not null references song_version,
  entity_id bigint not null references song,
  at timestamptz not null default now(),
  primary key (customer_id, listen_key)
);
create index listen_recent on listen (at desc);
create index listen_customer on listen (customer_id, at desc);

create table crate_item (
  customer_id bigint not null references customer on delete cascade,
  song_version_id bigint not null references song_version,
  entity_id bigint not null references song,
  added_at timestamptz not null default now(),
  primary key (customer_id, song_version_id)
);
create index crate_item_song on crate_item (customer_id, entity_id);

create table favourite (
  customer_id bigint not null references customer on delete cascade,
  entity_id bigint not null references song,
  added_at timestamptz not null default now(),
  primary key (customer_id, entity_id)
);
create index favourite_newest on favourite (customer_id, added_at desc, entity_id desc);
