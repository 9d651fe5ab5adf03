create table announcement (
  message_id bigint generated always as identity primary key,
  page_name text collate "C" not null,
  message text not null,
  published_at timestamptz not null default now(),
  ended_at timestamptz
);
create index announcement_page on announcement (page_name, published_at desc);
create table announcement_hidden (
  customer_id bigint not null references customer on delete cascade,
  message_id bigint not null references announcement on delete cascade,
  primary key (customer_id, message_id)
);
