-- The help desk, what the site says, notices, the newsletter and saved searches.

alter table outgoing_mail
  -- Where an answer goes; '' where nobody reads one.
  add column reply_to text not null default '',
  -- Beside those of every letter: {"In-Reply-To": "<…>", "List-Unsubscribe": "<…>"}.
  add column headers jsonb;

-- What concerns a member, as the bell tells it.
create table notice (
  notice_id bigint generated always as identity primary key,
  customer_id bigint not null references customer on delete cascade,
  kind text not null check (kind in ('reply', 'application', 'upload', 'payment', 'search')),
  -- One sentence.
  text text not null check (text <> ''),
  -- The screen it leads to.
  address text collate "C" not null check (address ~ '^/(?![/\\])[[:graph:]]*$'),
  -- What it is about: `ticket 1042`. Of one thing there is one notice that is not read.
  about text collate "C" not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notice_own on notice (customer_id, created_at desc, notice_id desc);
create unique index notice_unread on notice (customer_id, about) where read_at is null;

-- What a member has chosen about mail; what is not here comes by mail.
create table notice_choice (
  customer_id bigint not null references customer on delete cascade,
  kind text not null check (kind in ('reply', 'upload', 'search')),
  by_mail boolean not null,
  primary key (customer_id, kind)
);

create table department (
  department_id int generated always as identity primary key,
  name text not null unique check (name <> ''),
  position smallint not null default 0
);
insert into department (name, position) values
  ('Downloads and player', 1), ('Payments and plans', 2), ('My account', 3), ('Uploads', 4), ('Something else', 5);

create table priority (
  priority_id int generated always as identity primary key,
  name text not null unique check (name <> ''),
  position smallint not null default 0,
  -- A ticket that waits longer than this is late.
  answer_hours smallint not null check (answer_hours > 0)
);
insert into priority (name, position, answer_hours) values ('Low', 1, 48), ('Normal', 2, 24), ('High', 3, 8);

create table faq (
  faq_id int generated always as identity primary key,
  question text not null check (question <> ''),
  -- HTML, cleaned.
  answer text not null check (answer <> ''),
  position int not null default 0,
  published boolean not null default true,
  updated_at timestamptz not null default now()
);

create table ticket (
  ticket_number bigint generated always as identity (start with 1001) primary key,
  customer_id bigint not null references customer,
  department_id int not null references department,
  priority_id int not null references priority,
  subject text not null check (subject <> ''),
  -- HTML, cleaned.
  details text not null check (details <> ''),
  status text not null default 'open' check (status in ('open', 'close')),
  -- Who has to write next.
  waits_for text not null default 'staff' check (waits_for in ('staff', 'customer')),
  -- Since when it waits for them.
  waits_since timestamptz not null default now(),
  assigned_to bigint references customer on delete set null,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  closed_at timestamptz,
  -- The last reply its customer has seen; 0 for none.
  seen_reply_id bigint not null default 0,
  check ((status = 'close') = (closed_at is not null))
);
create index ticket_own on ticket (customer_id, modified_at desc, ticket_number desc);
create index ticket_queue on ticket (status, waits_for, waits_since);

create table reply (
  reply_id bigint generated always as identity primary key,
  ticket_number bigint not null references ticket on delete cascade,
  by_staff boolean not null,
  -- Which of the staff; nothing once they are gone, and for the customer.
  staff_id bigint references customer on delete set null,
  -- HTML, cleaned.
  details text not null,
  -- What a mail quoted of earlier ones, folded away; '' where it quoted nothing.
  quoted text not null default '',
  via text not null default 'page' check (via in ('page', 'mail')),
  -- Of the mail it came by: the same mail twice is one reply.
  message_id text collate "C",
  created_at timestamptz not null default now(),
  check (not by_staff or via = 'page')
);
create index reply_ticket on reply (ticket_number, reply_id);
create unique index reply_of_mail on reply (ticket_number, message_id) where message_id is not null;

-- A file that goes with a ticket or a reply. Its bytes are in the store, under their SHA-256.
create table ticket_file (
  ticket_file_id bigint generated always as identity primary key,
  -- Who sent it.
  customer_id bigint not null references customer,
  -- Nothing until what it goes with is sent.
  ticket_number bigint references ticket on delete cascade,
  -- Nothing for a file of the ticket itself.
  reply_id bigint references reply on delete cascade,
  name text not null check (name <> ''),
  -- By its content, not by its name.
  type text collate "C" not null,
  bytes int not null check (bytes > 0),
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  check (reply_id is null or ticket_number is not null)
);
create index ticket_file_ticket on ticket_file (ticket_number);
create index ticket_file_reply on ticket_file (reply_id) where reply_id is not null;
create index ticket_file_unsent on ticket_file (customer_id, created_at) where ticket_number is null;
create index ticket_file_bytes on ticket_file (sha256);

-- Every mail that came in, and what became of it.
create table inbound_mail (
  inbound_mail_id bigint generated always as identity primary key,
  message_id text collate "C" not null default '',
  from_address text not null,
  subject text not null,
  verdict text not null check (verdict in ('reply', 'twice', 'automatic', 'bounce', 'stranger', 'unknown', 'empty', 'too_many')),
  ticket_number bigint references ticket on delete set null,
  -- Why, for staff.
  detail text not null default '',
  received_at timestamptz not null default now()
);
create index inbound_mail_newest on inbound_mail (received_at desc);
create index inbound_mail_ticket on inbound_mail (ticket_number) where ticket_number is not null;

create index announcement_hidden_message on announcement_hidden (message_id);
alter table announcement
  -- Who sees it: everybody (visitors, too), members without a paid plan, members with one.
  add column audience text not null default 'all' check (audience in ('all', 'unpaid', 'paid')),
  add column written_by bigint references customer on delete set null,
  -- Raised by each change; whoever changes it names the one they read.
  add column version int not null default 1,
  add constraint announcement_ends_later check (ended_at is null or ended_at >= published_at);

alter table merchandise
  -- Who keeps it: staff, or the store it was fetched from.
  add column source text not null default 'staff' check (source in ('staff', 'shopify')),
  -- Its name at that store.
  add column outside_id text collate "C" unique,
  -- Of the picture's bytes in our store; nothing for one that is drawn or lies elsewhere.
  add column picture_sha256 bytea,
  -- Where that picture came from, so that it is fetched once.
  add column picture_from text,
  add constraint merchandise_outside check ((source = 'staff') = (outside_id is null));

-- When the store was last asked for its products, and what it said.
create table store_visit (
  source text primary key check (source in ('shopify')),
  tried_at timestamptz not null,
  refreshed_at timestamptz,
  trouble text not null default ''
);

-- What staff write in Markdown: terms, privacy, contact, careers.
create table page (
  slug text collate "C" primary key check (slug ~ '^[a-z][a-z0-9-]{0,39}$'),
  title text not null check (title <> ''),
  markdown text not null,
  updated_by bigint references customer on delete set null,
  updated_at timestamptz not null default now(),
  version int not null default 1
);

create table job_opening (
  job_opening_id int generated always as identity primary key,
  title text not null check (title <> ''),
  place text not null default '',
  -- `Full time`, `Weekends`.
  hours text not null default '',
  markdown text not null,
  -- Where to apply: a mail address or a web address.
  apply_at text not null default '',
  published boolean not null default true,
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table newsletter_subscriber (
  newsletter_subscriber_id bigint generated always as identity primary key,
  email text collate "C" not null,
  -- `waiting` until the mailed link is opened.
  state text not null default 'waiting' check (state in ('waiting', 'subscribed', 'left')),
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  left_at timestamptz
);
create unique index newsletter_subscriber_once on newsletter_subscriber (lower(email));

-- A digest that was mailed, so that nobody gets one twice.
create table newsletter_digest (
  newsletter_subscriber_id bigint not null references newsletter_subscriber on delete cascade,
  -- The Monday of its week.
  week date not null,
  songs int not null,
  primary key (newsletter_subscriber_id, week)
);

create table followed_genre (
  customer_id bigint not null references customer on delete cascade,
  genre_id int not null references genre on delete cascade,
  since timestamptz not null default now(),
  primary key (customer_id, genre_id)
);

-- A search that is kept: what it finds beyond `seen_at` is new.
create table saved_search (
  saved_search_id bigint generated always as identity primary key,
  customer_id bigint not null references customer on delete cascade,
  name text not null check (name <> ''),
  -- The input of song/search.json.
  query jsonb not null,
  seen_at timestamptz not null default now(),
  -- Up to when the bell told its member.
  told_at timestamptz not null default now(),
  by_mail boolean not null default false,
  -- When a letter last did; nothing before the first.
  mailed_at timestamptz,
  -- Raised to make the address of its feed lead nowhere.
  feed_version int not null default 1,
  created_at timestamptz not null default now()
);
create unique index saved_search_own on saved_search (customer_id, lower(name));
