create table playlist (
  playlist_id bigint generated always as identity primary key,
  customer_id bigint not null references customer on delete cascade,
  title text not null check (title <> ''),
  -- The title without case: a member has it once.
  folded_title text collate "C" not null,
  public boolean not null default false,
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- For a day after this it can be had back.
  deleted_at timestamptz
);
create unique index playlist_title_once on playlist (customer_id, folded_title) where deleted_at is null;
create index playlist_public on playlist (playlist_id) where public and deleted_at is null;
create index playlist_deleted on playlist (deleted_at) where deleted_at is not null;

-- Positions run from 1 without gaps, over withdrawn songs as well: they keep their place.
create table playlist_song (
  playlist_id bigint not null references playlist on delete cascade,
  position int not null check (position > 0),
  entity_id bigint not null references song,
  primary key (playlist_id, entity_id),
  -- Looked at after each statement, so that one can move many songs at once.
  unique (playlist_id, position) deferrable initially immediate
);

alter table listen add column playlist_id bigint references playlist on delete set null;
create index listen_playlist on listen (playlist_id, at desc) where playlist_id is not null;
-- What a member has heard is found in the index alone.
drop index listen_customer;
create index listen_customer on listen (customer_id, at desc) include (entity_id);

create table merchandise (
  product_id bigint generated always as identity primary key,
  title text not null check (title <> ''),
  -- Null for a picture that is drawn. Addresses are http(s), or paths of our own.
  image_src text collate "C" check (image_src ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'),
  url text collate "C" not null check (url ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'),
  price_minor int check (price_minor >= 0),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  position int not null default 0,
  on_sale boolean not null default true,
  check ((price_minor is null) = (currency is null))
);
