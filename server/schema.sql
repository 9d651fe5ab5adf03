-- The database as it stands after the last migration. Written by `npm run pool -- migrate --write-schema`.

create table analysis (
  file_id bigint not null,
  analyser_version integer not null,
  duration_seconds real not null,
  sample_rate integer not null,
  channels smallint not null,
  bitrate_kbps real not null,
  bpm real,
  bpm_confidence real not null,
  bpm_alternatives real[] not null default '{}'::real[],
  song_key text collate "C",
  key_confidence real not null,
  loudness_lufs real not null,
  loudness_range real not null,
  true_peak_db real not null,
  faults jsonb not null default '[]'::jsonb,
  analysed_at timestamp with time zone not null default now(),
  constraint analysis_duration_seconds_check CHECK ((duration_seconds > (0)::double precision)),
  constraint analysis_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint analysis_pkey PRIMARY KEY (file_id)
);

create table announcement (
  message_id bigint not null generated always as identity,
  page_name text collate "C" not null,
  message text not null,
  published_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint announcement_pkey PRIMARY KEY (message_id)
);
CREATE INDEX announcement_page ON public.announcement USING btree (page_name, published_at DESC);

create table announcement_hidden (
  customer_id bigint not null,
  message_id bigint not null,
  constraint announcement_hidden_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint announcement_hidden_message_id_fkey FOREIGN KEY (message_id) REFERENCES announcement(message_id) ON DELETE CASCADE,
  constraint announcement_hidden_pkey PRIMARY KEY (customer_id, message_id)
);

create table artwork (
  artwork_id bigint not null generated always as identity,
  sha256 bytea not null,
  width integer not null,
  height integer not null,
  constraint artwork_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint artwork_pkey PRIMARY KEY (artwork_id),
  constraint artwork_sha256_key UNIQUE (sha256)
);

create table bundle (
  bundle_id bigint not null generated always as identity,
  customer_id bigint not null,
  zip_name text not null,
  downloads jsonb not null,
  made_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  constraint bundle_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint bundle_pkey PRIMARY KEY (bundle_id)
);
CREATE INDEX bundle_made ON public.bundle USING btree (made_at);

create table chart_count (
  period text collate "C" not null,
  start timestamp with time zone not null,
  entity_id bigint not null,
  n integer not null,
  constraint chart_count_n_check CHECK ((n > 0)),
  constraint chart_count_period_check CHECK ((period = ANY (ARRAY['hour'::text, 'day'::text]))),
  constraint chart_count_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint chart_count_pkey PRIMARY KEY (period, start, entity_id)
);
CREATE INDEX chart_count_top ON public.chart_count USING btree (period, start, n DESC, entity_id DESC);

create table chart_refresh (
  chart text collate "C" not null,
  counted_at timestamp with time zone not null,
  constraint chart_refresh_pkey PRIMARY KEY (chart)
);

create table chart_snapshot (
  chart text collate "C" not null,
  genre_id integer not null,
  rank smallint not null,
  entity_id bigint not null,
  n integer not null,
  rank_before smallint,
  constraint chart_snapshot_chart_check CHECK ((chart = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'trending'::text]))),
  constraint chart_snapshot_rank_check CHECK (((rank >= 1) AND (rank <= 100))),
  constraint chart_snapshot_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint chart_snapshot_pkey PRIMARY KEY (chart, genre_id, rank)
);

create table crate_item (
  customer_id bigint not null,
  song_version_id bigint not null,
  entity_id bigint not null,
  added_at timestamp with time zone not null default now(),
  constraint crate_item_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint crate_item_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint crate_item_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id),
  constraint crate_item_pkey PRIMARY KEY (customer_id, song_version_id)
);
CREATE INDEX crate_item_of_song ON public.crate_item USING btree (entity_id, customer_id);
CREATE INDEX crate_item_song ON public.crate_item USING btree (customer_id, entity_id);

create table curated_genre (
  curated_genre_id integer not null generated always as identity,
  parent_id integer,
  title text not null,
  position integer not null default 0,
  constraint curated_genre_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES curated_genre(curated_genre_id),
  constraint curated_genre_pkey PRIMARY KEY (curated_genre_id)
);

create table curated_list (
  curated_list_id bigint not null generated always as identity,
  curated_genre_id integer,
  title text not null,
  created_by text not null,
  cover_seed bigint not null default 0,
  artwork_id bigint,
  suggested boolean not null default false,
  published_at timestamp with time zone not null default now(),
  constraint curated_list_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES artwork(artwork_id),
  constraint curated_list_curated_genre_id_fkey FOREIGN KEY (curated_genre_id) REFERENCES curated_genre(curated_genre_id),
  constraint curated_list_pkey PRIMARY KEY (curated_list_id)
);
CREATE INDEX curated_list_newest ON public.curated_list USING btree (published_at DESC, curated_list_id DESC);

create table curated_list_song (
  curated_list_id bigint not null,
  position integer not null,
  entity_id bigint not null,
  constraint curated_list_song_curated_list_id_fkey FOREIGN KEY (curated_list_id) REFERENCES curated_list(curated_list_id) ON DELETE CASCADE,
  constraint curated_list_song_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint curated_list_song_pkey PRIMARY KEY (curated_list_id, "position"),
  constraint curated_list_song_curated_list_id_entity_id_key UNIQUE (curated_list_id, entity_id)
);

create table customer (
  customer_id bigint not null generated always as identity,
  email text collate "C" not null,
  dj_name text not null,
  password_hash text not null,
  group_id smallint not null default 2,
  payment_profile_status text not null default 'unpaid'::text,
  status text not null default 'active'::text,
  staff_role text,
  profile_picture text,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint customer_payment_profile_status_check CHECK ((payment_profile_status = ANY (ARRAY['paid'::text, 'unpaid'::text]))),
  constraint customer_staff_role_check CHECK ((staff_role = ANY (ARRAY['support'::text, 'curator'::text, 'billing'::text, 'admin'::text]))),
  constraint customer_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint customer_group_id_fkey FOREIGN KEY (group_id) REFERENCES customer_group(group_id),
  constraint customer_pkey PRIMARY KEY (customer_id)
);
CREATE UNIQUE INDEX customer_email ON public.customer USING btree (lower(email));

create table customer_group (
  group_id smallint not null,
  name text not null,
  constraint customer_group_pkey PRIMARY KEY (group_id),
  constraint customer_group_name_key UNIQUE (name)
);

create table dj_application (
  customer_id bigint not null,
  state text not null default 'pending'::text,
  referred_by text not null default ''::text,
  dj_website text not null default ''::text,
  comment text not null default ''::text,
  reason text not null default ''::text,
  applied_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  constraint dj_application_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text]))),
  constraint dj_application_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint dj_application_pkey PRIMARY KEY (customer_id)
);

create table download (
  download_id bigint not null,
  customer_id bigint not null,
  song_version_id bigint not null,
  entity_id bigint not null,
  at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  refunded_at timestamp with time zone,
  constraint download_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint download_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint download_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id),
  constraint download_pkey PRIMARY KEY (download_id)
);
CREATE INDEX download_at ON public.download USING btree (at);
CREATE INDEX download_customer ON public.download USING btree (customer_id, at DESC);

create table download_grant (
  customer_id bigint not null,
  song_version_id bigint not null,
  used smallint not null,
  allowed smallint not null,
  open_download_id bigint,
  opened_at timestamp with time zone not null default now(),
  constraint download_grant_within_limit CHECK (((used >= 0) AND (used <= allowed))),
  constraint download_grant_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint download_grant_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id),
  constraint download_grant_pkey PRIMARY KEY (customer_id, song_version_id)
);

create table download_outbox (
  id bigint not null generated always as identity,
  entity_id bigint not null,
  at timestamp with time zone not null,
  constraint download_outbox_pkey PRIMARY KEY (id)
);

create table favourite (
  customer_id bigint not null,
  entity_id bigint not null,
  added_at timestamp with time zone not null default now(),
  constraint favourite_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint favourite_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint favourite_pkey PRIMARY KEY (customer_id, entity_id)
);
CREATE INDEX favourite_newest ON public.favourite USING btree (customer_id, added_at DESC, entity_id DESC);

create table file (
  file_id bigint not null generated always as identity,
  sha256 bytea not null,
  bytes bigint not null,
  format text not null,
  body jsonb not null,
  missing_since timestamp with time zone,
  stored_at timestamp with time zone not null default now(),
  constraint file_bytes_check CHECK ((bytes > 0)),
  constraint file_format_check CHECK ((format = ANY (ARRAY['mp3'::text, 'wav'::text, 'flac'::text, 'aiff'::text]))),
  constraint file_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint file_pkey PRIMARY KEY (file_id),
  constraint file_sha256_key UNIQUE (sha256)
);

create table genre (
  genre_id integer not null,
  parent_id integer,
  name text not null,
  position integer not null default 0,
  home_chip boolean not null default false,
  artwork_id bigint,
  kind text not null default 'genre'::text,
  constraint genre_kind_check CHECK ((kind = ANY (ARRAY['genre'::text, 'mood'::text]))),
  constraint genre_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES artwork(artwork_id),
  constraint genre_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES genre(genre_id),
  constraint genre_pkey PRIMARY KEY (genre_id),
  constraint genre_kind_parent_id_name_key UNIQUE NULLS NOT DISTINCT (kind, parent_id, name)
);

create table genre_counter (
  genre_id integer not null,
  song_section_id smallint not null,
  songs bigint not null default 0,
  constraint genre_counter_songs_check CHECK ((songs >= 0)),
  constraint genre_counter_pkey PRIMARY KEY (genre_id, song_section_id)
);

create table list_anchor (
  genre_id integer not null,
  song_section_id smallint not null,
  page integer not null,
  entity_id bigint not null,
  constraint list_anchor_pkey PRIMARY KEY (genre_id, song_section_id, page)
);

create table listen (
  listen_key text collate "C" not null,
  customer_id bigint not null,
  song_version_id bigint not null,
  entity_id bigint not null,
  at timestamp with time zone not null default now(),
  playlist_id bigint,
  constraint listen_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint listen_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint listen_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlist(playlist_id) ON DELETE SET NULL,
  constraint listen_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id),
  constraint listen_pkey PRIMARY KEY (customer_id, listen_key)
);
CREATE INDEX listen_customer ON public.listen USING btree (customer_id, at DESC) INCLUDE (entity_id);
CREATE INDEX listen_playlist ON public.listen USING btree (playlist_id, at DESC) WHERE (playlist_id IS NOT NULL);
CREATE INDEX listen_recent ON public.listen USING btree (at DESC);

create table listen_count (
  day date not null,
  entity_id bigint not null,
  n integer not null,
  constraint listen_count_n_check CHECK ((n > 0)),
  constraint listen_count_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint listen_count_pkey PRIMARY KEY (day, entity_id)
);

create table listen_outbox (
  id bigint not null generated always as identity,
  entity_id bigint not null,
  at timestamp with time zone not null,
  constraint listen_outbox_pkey PRIMARY KEY (id)
);

create table merchandise (
  product_id bigint not null generated always as identity,
  title text not null,
  image_src text collate "C",
  url text collate "C" not null,
  price_minor integer,
  currency text collate "C",
  position integer not null default 0,
  on_sale boolean not null default true,
  constraint merchandise_check CHECK (((price_minor IS NULL) = (currency IS NULL))),
  constraint merchandise_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint merchandise_image_src_check CHECK ((image_src ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'::text)),
  constraint merchandise_price_minor_check CHECK ((price_minor >= 0)),
  constraint merchandise_title_check CHECK ((title <> ''::text)),
  constraint merchandise_url_check CHECK ((url ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'::text)),
  constraint merchandise_pkey PRIMARY KEY (product_id)
);

create table migration (
  name text collate "C" not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table peaks (
  file_id bigint not null,
  overview bytea not null,
  detail bytea not null,
  constraint peaks_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint peaks_pkey PRIMARY KEY (file_id)
);

create table playlist (
  playlist_id bigint not null generated always as identity,
  customer_id bigint not null,
  title text not null,
  folded_title text collate "C" not null,
  public boolean not null default false,
  changed_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint playlist_title_check CHECK ((title <> ''::text)),
  constraint playlist_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint playlist_pkey PRIMARY KEY (playlist_id)
);
CREATE INDEX playlist_deleted ON public.playlist USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX playlist_public ON public.playlist USING btree (playlist_id) WHERE (public AND (deleted_at IS NULL));
CREATE UNIQUE INDEX playlist_title_once ON public.playlist USING btree (customer_id, folded_title) WHERE (deleted_at IS NULL);

create table playlist_song (
  playlist_id bigint not null,
  position integer not null,
  entity_id bigint not null,
  constraint playlist_song_position_check CHECK (("position" > 0)),
  constraint playlist_song_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint playlist_song_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlist(playlist_id) ON DELETE CASCADE,
  constraint playlist_song_pkey PRIMARY KEY (playlist_id, entity_id),
  constraint playlist_song_playlist_id_position_key UNIQUE (playlist_id, "position") DEFERRABLE
);

create table preview (
  file_id bigint not null,
  sha256 bytea not null,
  bytes bigint not null,
  constraint preview_bytes_check CHECK ((bytes > 0)),
  constraint preview_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint preview_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint preview_pkey PRIMARY KEY (file_id)
);

create table search_word (
  word text collate "C" not null,
  df integer not null default 0,
  constraint search_word_pkey PRIMARY KEY (word)
);

create table search_word_del (
  del text collate "C" not null,
  word text collate "C" not null,
  constraint search_word_del_pkey PRIMARY KEY (del, word)
);

create table session (
  session_id bigint not null generated always as identity,
  token_hash bytea not null,
  customer_id bigint not null,
  purpose text not null default 'member'::text,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  user_agent text not null default ''::text,
  ip inet,
  constraint session_purpose_check CHECK ((purpose = ANY (ARRAY['member'::text, 'applicant'::text]))),
  constraint session_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (session_id),
  constraint session_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX session_customer ON public.session USING btree (customer_id);
CREATE INDEX session_expiry ON public.session USING btree (expires_at);

create table sign_in_attempt (
  email text collate "C" not null,
  ip inet not null,
  at timestamp with time zone not null default now()
);
CREATE INDEX sign_in_attempt_at ON public.sign_in_attempt USING btree (at);
CREATE INDEX sign_in_attempt_email ON public.sign_in_attempt USING btree (email, at);

create table song (
  entity_id bigint not null generated by default as identity,
  title text not null,
  artist text not null,
  album text not null default ''::text,
  label text not null default ''::text,
  isrc text not null default ''::text,
  remixer text not null default ''::text,
  min_bpm real,
  max_bpm real,
  bpm_source text,
  song_key text collate "C",
  key_position smallint,
  key_source text,
  year smallint,
  song_section_id smallint not null default 1,
  status text not null default 'published'::text,
  artwork_id bigint,
  cover_seed bigint not null default 0,
  song_identity text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint song_artist_check CHECK ((artist <> ''::text)),
  constraint song_bpm_source_check CHECK ((bpm_source = ANY (ARRAY['tag'::text, 'name'::text, 'analysis'::text, 'uploader'::text, 'staff'::text]))),
  constraint song_check CHECK ((min_bpm <= max_bpm)),
  constraint song_key_position_check CHECK (((key_position >= 1) AND (key_position <= 24))),
  constraint song_key_source_check CHECK ((key_source = ANY (ARRAY['tag'::text, 'name'::text, 'analysis'::text, 'uploader'::text, 'staff'::text]))),
  constraint song_song_section_id_check CHECK ((song_section_id = ANY (ARRAY[1, 2]))),
  constraint song_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text]))),
  constraint song_title_check CHECK ((title <> ''::text)),
  constraint song_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES artwork(artwork_id),
  constraint song_pkey PRIMARY KEY (entity_id)
);
CREATE INDEX song_by_added ON public.song USING btree (song_section_id, created_at, entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_by_artist ON public.song USING btree (song_section_id, lower(artist) COLLATE "C", entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_by_bpm ON public.song USING btree (song_section_id, min_bpm, entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_by_key ON public.song USING btree (song_section_id, key_position, entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_by_title ON public.song USING btree (song_section_id, lower(title) COLLATE "C", entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_by_year ON public.song USING btree (song_section_id, year, entity_id) WHERE (status = 'published'::text);
CREATE UNIQUE INDEX song_identity_once ON public.song USING btree (song_section_id, song_identity);
CREATE INDEX song_list ON public.song USING btree (song_section_id, entity_id) WHERE (status = 'published'::text);

create table song_genre (
  entity_id bigint not null,
  genre_id integer not null,
  listed_section smallint,
  constraint song_genre_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id) ON DELETE CASCADE,
  constraint song_genre_genre_id_fkey FOREIGN KEY (genre_id) REFERENCES genre(genre_id),
  constraint song_genre_pkey PRIMARY KEY (entity_id, genre_id)
);
CREATE INDEX song_genre_list ON public.song_genre USING btree (genre_id, listed_section, entity_id);

create table song_search (
  entity_id bigint not null,
  max_bpm real,
  tsv tsvector not null,
  constraint song_search_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id) ON DELETE CASCADE,
  constraint song_search_pkey PRIMARY KEY (entity_id)
);
CREATE INDEX song_search_tsv ON public.song_search USING gin (tsv) WITH (fastupdate=off);

create table song_total (
  entity_id bigint not null,
  downloads bigint not null default 0,
  listens bigint not null default 0,
  constraint song_total_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint song_total_pkey PRIMARY KEY (entity_id)
);

create table song_version (
  song_version_id bigint not null generated by default as identity,
  entity_id bigint not null,
  version_kind_id integer not null,
  version_label text not null,
  position smallint not null default 0,
  file_id bigint,
  recipe jsonb,
  recipe_bytes bigint,
  duration_seconds real not null,
  loudness_lufs real,
  wave text not null default ''::text,
  uploaded_name text not null default ''::text,
  status text not null default 'published'::text,
  created_at timestamp with time zone not null default now(),
  constraint song_version_check CHECK (((file_id IS NOT NULL) OR (recipe IS NOT NULL))),
  constraint song_version_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text]))),
  constraint song_version_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint song_version_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id),
  constraint song_version_version_kind_id_fkey FOREIGN KEY (version_kind_id) REFERENCES version_kind(version_kind_id),
  constraint song_version_pkey PRIMARY KEY (song_version_id)
);
CREATE UNIQUE INDEX song_version_file ON public.song_version USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX song_version_song ON public.song_version USING btree (entity_id, "position");

create table top20 (
  top20_track_id bigint not null generated always as identity,
  title text not null,
  cover_seed bigint not null default 0,
  artwork_id bigint,
  published_at timestamp with time zone not null default now(),
  constraint top20_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES artwork(artwork_id),
  constraint top20_pkey PRIMARY KEY (top20_track_id)
);

create table top20_song (
  top20_track_id bigint not null,
  rank smallint not null,
  entity_id bigint not null,
  constraint top20_song_rank_check CHECK (((rank >= 1) AND (rank <= 20))),
  constraint top20_song_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint top20_song_top20_track_id_fkey FOREIGN KEY (top20_track_id) REFERENCES top20(top20_track_id) ON DELETE CASCADE,
  constraint top20_song_pkey PRIMARY KEY (top20_track_id, rank),
  constraint top20_song_top20_track_id_entity_id_key UNIQUE (top20_track_id, entity_id)
);

create table trending_override (
  rank smallint not null,
  entity_id bigint not null,
  constraint trending_override_rank_check CHECK (((rank >= 1) AND (rank <= 30))),
  constraint trending_override_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint trending_override_pkey PRIMARY KEY (rank),
  constraint trending_override_entity_id_key UNIQUE (entity_id)
);

create table version_kind (
  version_kind_id integer not null generated always as identity,
  version_code text collate "C" not null,
  name text not null,
  position integer not null default 0,
  constraint version_kind_pkey PRIMARY KEY (version_kind_id),
  constraint version_kind_name_key UNIQUE (name),
  constraint version_kind_version_code_key UNIQUE (version_code)
);
