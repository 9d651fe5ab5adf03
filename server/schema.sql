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

create table analysis_usage (
  customer_id bigint not null,
  day date not null,
  seconds double precision not null default 0,
  last_turn_at timestamp with time zone not null default now(),
  constraint analysis_usage_seconds_check CHECK ((seconds >= (0)::double precision)),
  constraint analysis_usage_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint analysis_usage_pkey PRIMARY KEY (customer_id, day)
);

create table announcement (
  message_id bigint not null generated always as identity,
  page_name text collate "C" not null,
  message text not null,
  published_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  audience text not null default 'all'::text,
  written_by bigint,
  version integer not null default 1,
  constraint announcement_audience_check CHECK ((audience = ANY (ARRAY['all'::text, 'unpaid'::text, 'paid'::text]))),
  constraint announcement_ends_later CHECK (((ended_at IS NULL) OR (ended_at >= published_at))),
  constraint announcement_written_by_fkey FOREIGN KEY (written_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
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
CREATE INDEX announcement_hidden_message ON public.announcement_hidden USING btree (message_id);

create table artwork (
  artwork_id bigint not null generated always as identity,
  sha256 bytea not null,
  width integer not null,
  height integer not null,
  constraint artwork_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint artwork_pkey PRIMARY KEY (artwork_id),
  constraint artwork_sha256_key UNIQUE (sha256)
);

create table audit (
  audit_id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  staff_id bigint,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  ip inet,
  constraint audit_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint audit_pkey PRIMARY KEY (audit_id)
);
CREATE INDEX audit_action ON public.audit USING btree (action, audit_id DESC);
CREATE INDEX audit_at ON public.audit USING btree (at);
CREATE INDEX audit_staff ON public.audit USING btree (staff_id, audit_id DESC);
CREATE INDEX audit_subject ON public.audit USING btree (subject, audit_id DESC);

create table backup_made (
  backup_id bigint not null generated always as identity,
  folder text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  bytes bigint not null default 0,
  rows bigint not null default 0,
  files bigint not null default 0,
  copied bigint not null default 0,
  lost integer not null default 0,
  trouble text not null default ''::text,
  made_by bigint,
  checked_at timestamp with time zone,
  check_trouble text not null default ''::text,
  is_scheduled boolean not null default false,
  removed_at timestamp with time zone,
  files_in text collate "C" not null default 'folder'::text,
  constraint backup_made_check CHECK (((taken_at IS NULL) = (trouble <> ''::text))),
  constraint backup_made_files_in_check CHECK ((files_in = ANY (ARRAY['folder'::text, 'bucket'::text]))),
  constraint backup_made_made_by_fkey FOREIGN KEY (made_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint backup_made_pkey PRIMARY KEY (backup_id)
);
CREATE INDEX backup_made_newest ON public.backup_made USING btree (ended_at DESC);

create table bounced_address (
  address text not null,
  hard integer not null default 0,
  soft integer not null default 0,
  detail text not null,
  last_at timestamp with time zone not null default now(),
  constraint bounced_address_address_check CHECK ((address = lower(address))),
  constraint bounced_address_pkey PRIMARY KEY (address)
);

create table bundle (
  bundle_id bigint not null generated always as identity,
  customer_id bigint not null,
  zip_name text not null,
  downloads jsonb not null,
  made_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  skipped jsonb not null default '[]'::jsonb,
  part smallint not null default 1,
  parts smallint not null default 1,
  remaining bigint[] not null default '{}'::bigint[],
  constraint bundle_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint bundle_pkey PRIMARY KEY (bundle_id)
);
CREATE INDEX bundle_customer ON public.bundle USING btree (customer_id);
CREATE INDEX bundle_made ON public.bundle USING btree (made_at);

create table cancel_feedback (
  cancel_feedback_id bigint not null generated always as identity,
  customer_id bigint,
  message text not null,
  at timestamp with time zone not null default now(),
  constraint cancel_feedback_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint cancel_feedback_pkey PRIMARY KEY (cancel_feedback_id)
);

create table charge (
  charge_id bigint not null generated always as identity,
  subscription_id bigint not null,
  customer_id bigint not null,
  plan_id bigint not null,
  gateway text not null,
  gateway_ref text collate "C" not null,
  reason text not null,
  status text not null,
  amount_minor integer not null,
  discount_minor integer not null default 0,
  currency text collate "C" not null,
  is_trial boolean not null default false,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  method text not null,
  paid_with text not null default ''::text,
  trouble text not null default ''::text,
  at timestamp with time zone not null,
  constraint charge_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint charge_discount_minor_check CHECK ((discount_minor >= 0)),
  constraint charge_period CHECK ((period_end > period_start)),
  constraint charge_reason_check CHECK ((reason = ANY (ARRAY['first'::text, 'renewal'::text, 'upgrade'::text]))),
  constraint charge_status_check CHECK ((status = ANY (ARRAY['started'::text, 'failed'::text, 'paid'::text]))),
  constraint charge_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint charge_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plan(plan_id),
  constraint charge_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(subscription_id),
  constraint charge_pkey PRIMARY KEY (charge_id),
  constraint charge_ref UNIQUE (gateway, gateway_ref)
);
CREATE INDEX charge_customer ON public.charge USING btree (customer_id, charge_id DESC);
CREATE INDEX charge_newest ON public.charge USING btree (status, charge_id DESC);
CREATE INDEX charge_subscription ON public.charge USING btree (subscription_id);

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
  song_section_id smallint not null,
  constraint chart_snapshot_chart_check CHECK ((chart = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'trending'::text]))),
  constraint chart_snapshot_rank_check CHECK (((rank >= 1) AND (rank <= 100))),
  constraint chart_snapshot_song_section_id_check CHECK ((song_section_id = ANY (ARRAY[0, 1, 2]))),
  constraint chart_snapshot_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint chart_snapshot_pkey PRIMARY KEY (chart, genre_id, song_section_id, rank)
);

create table coupon (
  coupon_id bigint not null generated always as identity,
  code text collate "C" not null,
  percent integer,
  amount_minor integer,
  currency text collate "C",
  payments integer default 1,
  most_uses integer,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  plan_ids bigint[],
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  promotion_id bigint,
  constraint coupon_amount_has_currency CHECK (((amount_minor IS NULL) = (currency IS NULL))),
  constraint coupon_amount_minor_check CHECK ((amount_minor > 0)),
  constraint coupon_code_check CHECK (((code = upper(code)) AND (code <> ''::text))),
  constraint coupon_most_uses_check CHECK ((most_uses > 0)),
  constraint coupon_payments_check CHECK ((payments > 0)),
  constraint coupon_percent_check CHECK (((percent >= 1) AND (percent <= 100))),
  constraint coupon_percent_or_amount CHECK ((num_nonnulls(percent, amount_minor) = 1)),
  constraint coupon_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotion(promotion_id),
  constraint coupon_pkey PRIMARY KEY (coupon_id),
  constraint coupon_code_key UNIQUE (code)
);
CREATE INDEX coupon_promotion ON public.coupon USING btree (promotion_id) WHERE (promotion_id IS NOT NULL);

create table coupon_use (
  coupon_id bigint not null,
  customer_id bigint not null,
  subscription_id bigint not null,
  at timestamp with time zone not null default now(),
  constraint coupon_use_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(coupon_id),
  constraint coupon_use_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint coupon_use_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(subscription_id),
  constraint coupon_use_pkey PRIMARY KEY (coupon_id, customer_id)
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
  version integer not null default 1,
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
  published_at timestamp with time zone default now(),
  ended_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  first_shown_at timestamp with time zone,
  suggested_from timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint curated_list_check CHECK ((ended_at > published_at)),
  constraint curated_list_check1 CHECK (((withdrawn_at IS NULL) OR (published_at IS NOT NULL))),
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
  firstname text not null default ''::text,
  lastname text not null default ''::text,
  telephone text not null default ''::text,
  street text not null default ''::text,
  city text not null default ''::text,
  postcode text not null default ''::text,
  country_id text collate "C" not null default ''::text,
  region_id text collate "C" not null default ''::text,
  display jsonb,
  password_changed_at timestamp with time zone,
  deleted_at timestamp with time zone,
  demo_password_hidden boolean not null default false,
  constraint customer_deleted_check CHECK (((status = 'deleted'::text) = (deleted_at IS NOT NULL))),
  constraint customer_payment_profile_status_check CHECK ((payment_profile_status = ANY (ARRAY['paid'::text, 'unpaid'::text]))),
  constraint customer_staff_role_check CHECK ((staff_role = ANY (ARRAY['support'::text, 'curator'::text, 'billing'::text, 'admin'::text]))),
  constraint customer_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'deleted'::text]))),
  constraint customer_group_id_fkey FOREIGN KEY (group_id) REFERENCES customer_group(group_id),
  constraint customer_pkey PRIMARY KEY (customer_id)
);
CREATE UNIQUE INDEX customer_email ON public.customer USING btree (lower(email));
CREATE INDEX customer_words ON public.customer USING gin (to_tsvector('simple'::regconfig, translate(((dj_name || ' '::text) || email), '@.-_+/:<>&'''::text, '           '::text)));

create table customer_group (
  group_id smallint not null,
  name text not null,
  constraint customer_group_pkey PRIMARY KEY (group_id),
  constraint customer_group_name_key UNIQUE (name)
);

create table damaged_file (
  stored_as text collate "C" not null,
  sha256 bytea not null,
  ending text collate "C" not null default ''::text,
  kind text collate "C" not null,
  found_at timestamp with time zone not null default now(),
  constraint damaged_file_kind_check CHECK ((kind = ANY (ARRAY['missing'::text, 'truncated'::text, 'altered'::text]))),
  constraint damaged_file_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint damaged_file_stored_as_check CHECK ((stored_as = ANY (ARRAY['audio'::text, 'previews'::text, 'images'::text, 'attachments'::text]))),
  constraint damaged_file_pkey PRIMARY KEY (stored_as, sha256, ending)
);
CREATE INDEX damaged_file_found ON public.damaged_file USING btree (found_at);

create table department (
  department_id integer not null generated always as identity,
  name text not null,
  position smallint not null default 0,
  constraint department_name_check CHECK ((name <> ''::text)),
  constraint department_pkey PRIMARY KEY (department_id),
  constraint department_name_key UNIQUE (name)
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
  note text not null default ''::text,
  decided_by bigint,
  version integer not null default 1,
  constraint dj_application_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text]))),
  constraint dj_application_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint dj_application_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint dj_application_pkey PRIMARY KEY (customer_id)
);
CREATE INDEX dj_application_state ON public.dj_application USING btree (state, applied_at);

create table download (
  download_id bigint not null,
  customer_id bigint not null,
  song_version_id bigint not null,
  entity_id bigint not null,
  at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  refunded_at timestamp with time zone,
  free boolean not null default false,
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

create table download_link (
  link_id bigint not null generated always as identity,
  transfer_id bigint not null,
  network_v4 cidr,
  network_v6 cidr,
  etag text,
  sent int8multirange not null default '{}'::int8multirange,
  sent_at timestamp with time zone,
  made_at timestamp with time zone not null default now(),
  constraint download_link_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES download_transfer(transfer_id) ON DELETE CASCADE,
  constraint download_link_pkey PRIMARY KEY (link_id)
);
CREATE INDEX download_link_transfer ON public.download_link USING btree (transfer_id);

create table download_outbox (
  id bigint not null generated always as identity,
  entity_id bigint not null,
  at timestamp with time zone not null,
  constraint download_outbox_pkey PRIMARY KEY (id)
);

create table download_transfer (
  transfer_id bigint not null generated always as identity,
  customer_id bigint not null,
  download_id bigint,
  bundle_id bigint,
  song_version_id bigint,
  bytes bigint,
  sent_bytes bigint not null default 0,
  sent_at timestamp with time zone,
  made_at timestamp with time zone not null default now(),
  constraint download_transfer_of_one CHECK ((num_nonnulls(download_id, bundle_id, song_version_id) = 1)),
  constraint download_transfer_sent_bytes_check CHECK ((sent_bytes >= 0)),
  constraint download_transfer_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundle(bundle_id) ON DELETE CASCADE,
  constraint download_transfer_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint download_transfer_download_id_fkey FOREIGN KEY (download_id) REFERENCES download(download_id),
  constraint download_transfer_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id),
  constraint download_transfer_pkey PRIMARY KEY (transfer_id),
  constraint download_transfer_bundle_id_key UNIQUE (bundle_id),
  constraint download_transfer_download_id_key UNIQUE (download_id)
);
CREATE INDEX download_transfer_customer ON public.download_transfer USING btree (customer_id);
CREATE INDEX download_transfer_made ON public.download_transfer USING btree (made_at);

create table faq (
  faq_id integer not null generated always as identity,
  question text not null,
  answer text not null,
  position integer not null default 0,
  published boolean not null default true,
  updated_at timestamp with time zone not null default now(),
  constraint faq_answer_check CHECK ((answer <> ''::text)),
  constraint faq_question_check CHECK ((question <> ''::text)),
  constraint faq_pkey PRIMARY KEY (faq_id)
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
CREATE INDEX favourite_of_song ON public.favourite USING btree (entity_id, added_at);

create table figure_day (
  day date not null,
  figure text collate "C" not null,
  currency text collate "C" not null default ''::text,
  n bigint not null,
  counted_at timestamp with time zone not null,
  constraint figure_day_check CHECK (((figure = 'revenue'::text) = (currency <> ''::text))),
  constraint figure_day_figure_check CHECK ((figure = ANY (ARRAY['listens'::text, 'downloads'::text, 'new_members'::text, 'applications'::text, 'revenue'::text, 'uploads'::text, 'tickets_answered'::text]))),
  constraint figure_day_pkey PRIMARY KEY (figure, currency, day)
);
CREATE INDEX figure_day_day ON public.figure_day USING btree (day);

create table file (
  file_id bigint not null generated always as identity,
  sha256 bytea not null,
  bytes bigint not null,
  format text not null,
  body jsonb not null,
  missing_since timestamp with time zone,
  stored_at timestamp with time zone not null default now(),
  found_bytes bigint,
  body_version smallint not null default 2,
  constraint file_bytes_check CHECK ((bytes > 0)),
  constraint file_format_check CHECK ((format = ANY (ARRAY['mp3'::text, 'wav'::text, 'flac'::text, 'aiff'::text]))),
  constraint file_found_while_unavailable CHECK (((found_bytes IS NULL) OR (missing_since IS NOT NULL))),
  constraint file_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint file_pkey PRIMARY KEY (file_id),
  constraint file_sha256_key UNIQUE (sha256)
);
CREATE INDEX file_missing ON public.file USING btree (missing_since) WHERE (missing_since IS NOT NULL);
CREATE INDEX file_outdated ON public.file USING btree (file_id) WHERE (body_version < 2);

create table fingerprint (
  file_id bigint not null,
  codes bytea not null,
  keys integer[] not null,
  constraint fingerprint_codes_check CHECK (((octet_length(codes) > 0) AND ((octet_length(codes) % 4) = 0))),
  constraint fingerprint_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint fingerprint_pkey PRIMARY KEY (file_id)
);
CREATE INDEX fingerprint_keys ON public.fingerprint USING gin (keys) WITH (fastupdate=off);

create table followed_genre (
  customer_id bigint not null,
  genre_id integer not null,
  since timestamp with time zone not null default now(),
  constraint followed_genre_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint followed_genre_genre_id_fkey FOREIGN KEY (genre_id) REFERENCES genre(genre_id) ON DELETE CASCADE,
  constraint followed_genre_pkey PRIMARY KEY (customer_id, genre_id)
);

create table former_genre (
  former_genre_id integer not null generated always as identity,
  genre_id integer not null,
  former_id integer,
  name text not null,
  constraint former_genre_genre_id_fkey FOREIGN KEY (genre_id) REFERENCES genre(genre_id) ON DELETE CASCADE,
  constraint former_genre_pkey PRIMARY KEY (former_genre_id),
  constraint former_genre_former_id_key UNIQUE (former_id)
);
CREATE INDEX former_genre_name ON public.former_genre USING btree (lower(name));
CREATE INDEX former_genre_of ON public.former_genre USING btree (genre_id);

create table gateway_failure (
  gateway text not null,
  reason text not null,
  n bigint not null default 1,
  last_at timestamp with time zone not null default now(),
  constraint gateway_failure_pkey PRIMARY KEY (gateway, reason)
);

create table gateway_health (
  gateway text not null,
  is_up boolean not null,
  reason text not null default ''::text,
  detail text not null default ''::text,
  since timestamp with time zone not null default now(),
  checked_at timestamp with time zone not null default now(),
  constraint gateway_health_pkey PRIMARY KEY (gateway)
);

create table genre (
  genre_id integer not null,
  parent_id integer,
  name text not null,
  position integer not null default 0,
  home_chip boolean not null default false,
  artwork_id bigint,
  kind text not null default 'genre'::text,
  version integer not null default 1,
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

create table import_cover (
  import_run_id bigint not null,
  folder text not null,
  sent_sha256 bytea not null,
  picture_sha256 bytea not null,
  width integer not null,
  height integer not null,
  constraint import_cover_picture_sha256_check CHECK ((octet_length(picture_sha256) = 32)),
  constraint import_cover_sent_sha256_check CHECK ((octet_length(sent_sha256) = 32)),
  constraint import_cover_import_run_id_fkey FOREIGN KEY (import_run_id) REFERENCES import_run(import_run_id) ON DELETE CASCADE,
  constraint import_cover_pkey PRIMARY KEY (import_run_id, folder)
);
CREATE INDEX import_cover_picture ON public.import_cover USING btree (picture_sha256);

create table import_file (
  import_run_id bigint not null,
  n integer not null,
  path text not null,
  bytes bigint not null,
  held_sha256 bytea,
  outcome text,
  reason text not null default ''::text,
  detail text not null default ''::text,
  title text not null default ''::text,
  artist text not null default ''::text,
  version_label text not null default ''::text,
  is_new_song boolean not null default false,
  song_version_id bigint,
  note text not null default ''::text,
  stage text,
  attempts smallint not null default 0,
  interruptions smallint not null default 0,
  found jsonb,
  correction jsonb,
  is_left_out boolean not null default false,
  audio_seconds real,
  constraint import_file_audio_seconds_check CHECK ((audio_seconds >= (0)::double precision)),
  constraint import_file_outcome_check CHECK ((outcome = ANY (ARRAY['added'::text, 'skipped'::text]))),
  constraint import_file_stage_check CHECK ((stage = ANY (ARRAY['reading'::text, 'analysing'::text]))),
  constraint import_file_import_run_id_fkey FOREIGN KEY (import_run_id) REFERENCES import_run(import_run_id) ON DELETE CASCADE,
  constraint import_file_song_version_id_fkey FOREIGN KEY (song_version_id) REFERENCES song_version(song_version_id) ON DELETE SET NULL,
  constraint import_file_pkey PRIMARY KEY (import_run_id, n),
  constraint import_file_import_run_id_path_key UNIQUE (import_run_id, path)
);
CREATE INDEX import_file_held ON public.import_file USING btree (held_sha256) WHERE (held_sha256 IS NOT NULL);

create table import_run (
  import_run_id bigint not null generated always as identity,
  source text not null,
  folder text not null,
  song_section_id smallint not null default 1,
  genre text not null default ''::text,
  phase text not null default 'plan'::text,
  state text not null,
  is_stopping boolean not null default false,
  turn integer not null default 0,
  touched_at timestamp with time zone not null default now(),
  trouble text not null default ''::text,
  started_by bigint,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  pattern text not null default ''::text,
  constraint import_run_folder_check CHECK ((folder <> ''::text)),
  constraint import_run_phase_check CHECK ((phase = ANY (ARRAY['plan'::text, 'import'::text]))),
  constraint import_run_song_section_id_check CHECK ((song_section_id = ANY (ARRAY[1, 2]))),
  constraint import_run_source_check CHECK ((source = ANY (ARRAY['folder'::text, 'browser'::text]))),
  constraint import_run_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'waiting'::text, 'running'::text, 'done'::text, 'stopped'::text, 'failed'::text]))),
  constraint import_run_started_by_fkey FOREIGN KEY (started_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint import_run_pkey PRIMARY KEY (import_run_id)
);
CREATE INDEX import_run_open ON public.import_run USING btree (import_run_id) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

create table import_sheet (
  import_run_id bigint not null,
  path text not null,
  content bytea,
  files_described integer not null default 0,
  problems jsonb not null default '[]'::jsonb,
  constraint import_sheet_import_run_id_fkey FOREIGN KEY (import_run_id) REFERENCES import_run(import_run_id) ON DELETE CASCADE,
  constraint import_sheet_pkey PRIMARY KEY (import_run_id, path)
);

create table inbound_mail (
  inbound_mail_id bigint not null generated always as identity,
  message_id text collate "C" not null default ''::text,
  from_address text not null,
  subject text not null,
  verdict text not null,
  ticket_number bigint,
  detail text not null default ''::text,
  received_at timestamp with time zone not null default now(),
  constraint inbound_mail_verdict_check CHECK ((verdict = ANY (ARRAY['reply'::text, 'twice'::text, 'automatic'::text, 'bounce'::text, 'stranger'::text, 'unknown'::text, 'empty'::text, 'too_many'::text]))),
  constraint inbound_mail_ticket_number_fkey FOREIGN KEY (ticket_number) REFERENCES ticket(ticket_number) ON DELETE SET NULL,
  constraint inbound_mail_pkey PRIMARY KEY (inbound_mail_id)
);
CREATE INDEX inbound_mail_newest ON public.inbound_mail USING btree (received_at DESC);
CREATE INDEX inbound_mail_ticket ON public.inbound_mail USING btree (ticket_number) WHERE (ticket_number IS NOT NULL);

create table invoice (
  invoice_id bigint not null generated always as identity,
  kind text not null,
  year integer not null,
  serial integer not null,
  charge_id bigint not null,
  refund_id bigint,
  customer_id bigint not null,
  issued_at timestamp with time zone not null,
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  currency text collate "C" not null,
  net_minor integer not null,
  tax_minor integer not null,
  total_minor integer not null,
  tax_percent numeric(5,2) not null,
  tax_label text not null,
  mailed_at timestamp with time zone,
  constraint invoice_adds_up CHECK (((net_minor + tax_minor) = total_minor)),
  constraint invoice_kind CHECK (((kind = 'credit_note'::text) = (refund_id IS NOT NULL))),
  constraint invoice_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoice_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charge(charge_id),
  constraint invoice_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint invoice_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(refund_id),
  constraint invoice_pkey PRIMARY KEY (invoice_id),
  constraint invoice_refund UNIQUE (refund_id),
  constraint invoice_serial UNIQUE (year, serial)
);
CREATE UNIQUE INDEX invoice_charge ON public.invoice USING btree (charge_id) WHERE (kind = 'invoice'::text);
CREATE INDEX invoice_customer ON public.invoice USING btree (customer_id, issued_at DESC);
CREATE INDEX invoice_issued ON public.invoice USING btree (issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_unmailed ON public.invoice USING btree (invoice_id) WHERE (mailed_at IS NULL);

create table invoice_number (
  year integer not null,
  last integer not null,
  constraint invoice_number_pkey PRIMARY KEY (year)
);

create table job_opening (
  job_opening_id integer not null generated always as identity,
  title text not null,
  place text not null default ''::text,
  hours text not null default ''::text,
  markdown text not null,
  apply_at text not null default ''::text,
  published boolean not null default true,
  position integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint job_opening_title_check CHECK ((title <> ''::text)),
  constraint job_opening_pkey PRIMARY KEY (job_opening_id)
);

create table ledger (
  ledger_id bigint not null generated always as identity,
  customer_id bigint not null,
  charge_id bigint not null,
  refund_id bigint,
  amount_minor integer not null,
  currency text collate "C" not null,
  at timestamp with time zone not null,
  constraint ledger_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charge(charge_id),
  constraint ledger_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint ledger_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(refund_id),
  constraint ledger_pkey PRIMARY KEY (ledger_id),
  constraint ledger_refund UNIQUE (refund_id)
);
CREATE INDEX ledger_at ON public.ledger USING btree (at);
CREATE UNIQUE INDEX ledger_charge ON public.ledger USING btree (charge_id) WHERE (refund_id IS NULL);

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
CREATE INDEX listen_count_song ON public.listen_count USING btree (entity_id, day);

create table listen_outbox (
  id bigint not null generated always as identity,
  entity_id bigint not null,
  at timestamp with time zone not null,
  constraint listen_outbox_pkey PRIMARY KEY (id)
);

create table mail_hold (
  is_only_row boolean not null default true,
  since timestamp with time zone not null default now(),
  reason text not null,
  constraint mail_hold_is_only_row_check CHECK (is_only_row),
  constraint mail_hold_pkey PRIMARY KEY (is_only_row)
);

create table mail_request (
  mail_request_id bigint not null generated always as identity,
  what text not null,
  email text collate "C" not null,
  sign_up_id bigint,
  place inet not null,
  at timestamp with time zone not null default now(),
  constraint mail_request_names_sign_up CHECK (((what = 'confirm_sign_up'::text) = (sign_up_id IS NOT NULL))),
  constraint mail_request_what_check CHECK ((what = ANY (ARRAY['recover'::text, 'confirm_sign_up'::text]))),
  constraint mail_request_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES sign_up(sign_up_id) ON DELETE CASCADE,
  constraint mail_request_pkey PRIMARY KEY (mail_request_id)
);
CREATE INDEX mail_request_sign_up ON public.mail_request USING btree (sign_up_id) WHERE (sign_up_id IS NOT NULL);

create table mailed_link (
  token_hash bytea not null,
  purpose text not null,
  customer_id bigint,
  sign_up_id bigint,
  email text collate "C" not null default ''::text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mailed_link_of_one CHECK ((num_nonnulls(customer_id, sign_up_id) = 1)),
  constraint mailed_link_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_sign_up'::text, 'change_address'::text, 'reset_password'::text, 'sign_in_elsewhere'::text]))),
  constraint mailed_link_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint mailed_link_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES sign_up(sign_up_id) ON DELETE CASCADE,
  constraint mailed_link_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX mailed_link_customer ON public.mailed_link USING btree (customer_id, purpose) WHERE (customer_id IS NOT NULL);
CREATE INDEX mailed_link_expiry ON public.mailed_link USING btree (expires_at);
CREATE INDEX mailed_link_sign_up ON public.mailed_link USING btree (sign_up_id) WHERE (sign_up_id IS NOT NULL);

create table merchandise (
  product_id bigint not null generated always as identity,
  title text not null,
  image_src text collate "C",
  url text collate "C" not null,
  price_minor integer,
  currency text collate "C",
  position integer not null default 0,
  on_sale boolean not null default true,
  source text not null default 'staff'::text,
  outside_id text collate "C",
  picture_sha256 bytea,
  picture_from text,
  constraint merchandise_check CHECK (((price_minor IS NULL) = (currency IS NULL))),
  constraint merchandise_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint merchandise_image_src_check CHECK ((image_src ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'::text)),
  constraint merchandise_outside CHECK (((source = 'staff'::text) = (outside_id IS NULL))),
  constraint merchandise_price_minor_check CHECK ((price_minor >= 0)),
  constraint merchandise_source_check CHECK ((source = ANY (ARRAY['staff'::text, 'shopify'::text]))),
  constraint merchandise_title_check CHECK ((title <> ''::text)),
  constraint merchandise_url_check CHECK ((url ~ '^(https?://[[:alnum:][]|/(?![/\\]))[[:graph:]]*$'::text)),
  constraint merchandise_pkey PRIMARY KEY (product_id),
  constraint merchandise_outside_id_key UNIQUE (outside_id)
);

create table merged_song (
  entity_id bigint not null,
  into_entity_id bigint not null,
  song_section_id smallint not null,
  song_identity text collate "C" not null,
  was jsonb not null,
  merged_by bigint,
  merged_at timestamp with time zone not null default now(),
  constraint merged_song_into_entity_id_fkey FOREIGN KEY (into_entity_id) REFERENCES song(entity_id) ON DELETE CASCADE,
  constraint merged_song_merged_by_fkey FOREIGN KEY (merged_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint merged_song_pkey PRIMARY KEY (entity_id)
);
CREATE INDEX merged_song_identity ON public.merged_song USING btree (song_section_id, song_identity);
CREATE INDEX merged_song_into ON public.merged_song USING btree (into_entity_id);

create table migration (
  name text collate "C" not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table newsletter_digest (
  newsletter_subscriber_id bigint not null,
  week date not null,
  songs integer not null,
  constraint newsletter_digest_newsletter_subscriber_id_fkey FOREIGN KEY (newsletter_subscriber_id) REFERENCES newsletter_subscriber(newsletter_subscriber_id) ON DELETE CASCADE,
  constraint newsletter_digest_pkey PRIMARY KEY (newsletter_subscriber_id, week)
);

create table newsletter_subscriber (
  newsletter_subscriber_id bigint not null generated always as identity,
  email text collate "C" not null,
  state text not null default 'waiting'::text,
  asked_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  left_at timestamp with time zone,
  constraint newsletter_subscriber_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'subscribed'::text, 'left'::text]))),
  constraint newsletter_subscriber_pkey PRIMARY KEY (newsletter_subscriber_id)
);
CREATE UNIQUE INDEX newsletter_subscriber_once ON public.newsletter_subscriber USING btree (lower(email));

create table notice (
  notice_id bigint not null generated always as identity,
  customer_id bigint not null,
  kind text not null,
  text text not null,
  address text collate "C" not null,
  about text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  constraint notice_address_check CHECK ((address ~ '^/(?![/\\])[[:graph:]]*$'::text)),
  constraint notice_kind_check CHECK ((kind = ANY (ARRAY['reply'::text, 'application'::text, 'upload'::text, 'payment'::text, 'search'::text]))),
  constraint notice_text_check CHECK ((text <> ''::text)),
  constraint notice_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint notice_pkey PRIMARY KEY (notice_id)
);
CREATE INDEX notice_own ON public.notice USING btree (customer_id, created_at DESC, notice_id DESC);
CREATE UNIQUE INDEX notice_unread ON public.notice USING btree (customer_id, about) WHERE (read_at IS NULL);

create table notice_choice (
  customer_id bigint not null,
  kind text not null,
  by_mail boolean not null,
  constraint notice_choice_kind_check CHECK ((kind = ANY (ARRAY['reply'::text, 'upload'::text, 'search'::text]))),
  constraint notice_choice_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint notice_choice_pkey PRIMARY KEY (customer_id, kind)
);

create table outgoing_mail (
  mail_id bigint not null generated always as identity,
  to_address text not null,
  subject text not null,
  html text not null,
  body text not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  trouble text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  next_attempt_at timestamp with time zone not null default now(),
  whose text collate "C" not null default ''::text,
  good_until timestamp with time zone,
  attachment_name text not null default ''::text,
  attachment_type text not null default ''::text,
  attachment bytea,
  reply_to text not null default ''::text,
  headers jsonb,
  bounced_at timestamp with time zone,
  bounce_kind text,
  bounce_detail text not null default ''::text,
  constraint outgoing_mail_bounce_kind_check CHECK ((bounce_kind = ANY (ARRAY['hard'::text, 'soft'::text]))),
  constraint outgoing_mail_bounced CHECK (((bounced_at IS NULL) = (bounce_kind IS NULL))),
  constraint outgoing_mail_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text]))),
  constraint outgoing_mail_pkey PRIMARY KEY (mail_id)
);
CREATE INDEX outgoing_mail_bounced_at ON public.outgoing_mail USING btree (bounced_at) WHERE (bounced_at IS NOT NULL);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (next_attempt_at, mail_id) WHERE (state = 'waiting'::text);
CREATE INDEX outgoing_mail_state ON public.outgoing_mail USING btree (state, mail_id DESC);
CREATE INDEX outgoing_mail_whose ON public.outgoing_mail USING btree (whose);

create table outside_identity (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  customer_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint outside_identity_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint outside_identity_pkey PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX outside_identity_customer ON public.outside_identity USING btree (customer_id, issuer);

create table page (
  slug text collate "C" not null,
  title text not null,
  markdown text not null,
  updated_by bigint,
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint page_slug_check CHECK ((slug ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint page_title_check CHECK ((title <> ''::text)),
  constraint page_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint page_pkey PRIMARY KEY (slug)
);

create table payment_event (
  gateway text not null,
  event_id text collate "C" not null,
  gateway_ref text collate "C",
  subscription_id bigint,
  at timestamp with time zone not null,
  facts jsonb not null,
  received_at timestamp with time zone not null default now(),
  applied_at timestamp with time zone,
  constraint payment_event_pkey PRIMARY KEY (gateway, event_id)
);
CREATE INDEX payment_event_waiting ON public.payment_event USING btree (gateway, gateway_ref) WHERE (applied_at IS NULL);

create table payment_review (
  review_id bigint not null generated always as identity,
  gateway text not null,
  ref text collate "C" not null,
  gateway_ref text collate "C",
  subscription_id bigint,
  reason text not null,
  fact jsonb,
  detail text not null default ''::text,
  at timestamp with time zone not null,
  state text not null default 'open'::text,
  decided_at timestamp with time zone,
  decided_by bigint,
  constraint payment_review_reason_check CHECK ((reason = ANY (ARRAY['amount'::text, 'currency'::text, 'period'::text, 'plan'::text, 'mode'::text, 'unlinked'::text, 'unreadable'::text]))),
  constraint payment_review_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'handled'::text]))),
  constraint payment_review_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint payment_review_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(subscription_id),
  constraint payment_review_pkey PRIMARY KEY (review_id),
  constraint payment_review_ref UNIQUE (gateway, ref)
);
CREATE INDEX payment_review_open ON public.payment_review USING btree (review_id) WHERE (state = 'open'::text);
CREATE INDEX payment_review_subscription ON public.payment_review USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

create table peaks (
  file_id bigint not null,
  overview bytea not null,
  detail bytea not null,
  constraint peaks_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint peaks_pkey PRIMARY KEY (file_id)
);

create table plan (
  plan_id bigint not null generated always as identity,
  title text not null,
  description text not null default ''::text,
  features text not null default ''::text,
  price_minor integer not null,
  trial_price_minor integer not null default 0,
  currency text collate "C" not null default 'USD'::text,
  interval text not null default 'month'::text,
  is_premium boolean not null default false,
  subscription_type_id integer not null default 1,
  position integer not null default 0,
  on_sale boolean not null default true,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint plan_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint plan_interval_check CHECK (("interval" = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint plan_price_minor_check CHECK ((price_minor > 0)),
  constraint plan_trial_price_minor_check CHECK ((trial_price_minor >= 0)),
  constraint plan_pkey PRIMARY KEY (plan_id)
);

create table plan_at_gateway (
  gateway text not null,
  terms text collate "C" not null,
  ref text collate "C" not null,
  constraint plan_at_gateway_pkey PRIMARY KEY (gateway, terms)
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

create table pool_check (
  pool_check_id bigint not null generated always as identity,
  at timestamp with time zone not null,
  read_files boolean not null,
  troubles jsonb not null,
  unnamed integer not null,
  constraint pool_check_pkey PRIMARY KEY (pool_check_id)
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
CREATE INDEX preview_by_content ON public.preview USING btree (sha256);

create table priority (
  priority_id integer not null generated always as identity,
  name text not null,
  position smallint not null default 0,
  answer_hours smallint not null,
  constraint priority_answer_hours_check CHECK ((answer_hours > 0)),
  constraint priority_name_check CHECK ((name <> ''::text)),
  constraint priority_pkey PRIMARY KEY (priority_id),
  constraint priority_name_key UNIQUE (name)
);

create table promotion (
  promotion_id bigint not null generated always as identity,
  title text not null,
  created_at timestamp with time zone not null default now(),
  constraint promotion_title_check CHECK ((title <> ''::text)),
  constraint promotion_pkey PRIMARY KEY (promotion_id)
);

create table rate (
  what text collate "C" not null,
  who text collate "C" not null,
  n integer not null default 1,
  since timestamp with time zone not null default now(),
  constraint rate_pkey PRIMARY KEY (what, who)
);
CREATE INDEX rate_since ON public.rate USING btree (since);

create table reanalysis (
  file_id bigint not null,
  asked_by bigint,
  asked_at timestamp with time zone not null default now(),
  state text not null default 'queued'::text,
  tries smallint not null default 0,
  share real not null default 0,
  touched_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  trouble text not null default ''::text,
  constraint reanalysis_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  constraint reanalysis_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint reanalysis_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint reanalysis_pkey PRIMARY KEY (file_id)
);
CREATE INDEX reanalysis_newest ON public.reanalysis USING btree (asked_at);
CREATE INDEX reanalysis_waiting ON public.reanalysis USING btree (due_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

create table recovery_code (
  customer_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint recovery_code_pkey PRIMARY KEY (customer_id, code_hash)
);

create table refund (
  refund_id bigint not null generated always as identity,
  charge_id bigint not null,
  gateway text not null,
  gateway_ref text collate "C" not null,
  amount_minor integer not null,
  reason text not null default ''::text,
  staff_id bigint,
  at timestamp with time zone not null,
  constraint refund_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refund_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charge(charge_id),
  constraint refund_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id),
  constraint refund_pkey PRIMARY KEY (refund_id),
  constraint refund_ref UNIQUE (gateway, gateway_ref)
);
CREATE INDEX refund_charge ON public.refund USING btree (charge_id);

create table reply (
  reply_id bigint not null generated always as identity,
  ticket_number bigint not null,
  by_staff boolean not null,
  staff_id bigint,
  details text not null,
  quoted text not null default ''::text,
  via text not null default 'page'::text,
  message_id text collate "C",
  created_at timestamp with time zone not null default now(),
  constraint reply_check CHECK (((NOT by_staff) OR (via = 'page'::text))),
  constraint reply_via_check CHECK ((via = ANY (ARRAY['page'::text, 'mail'::text]))),
  constraint reply_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint reply_ticket_number_fkey FOREIGN KEY (ticket_number) REFERENCES ticket(ticket_number) ON DELETE CASCADE,
  constraint reply_pkey PRIMARY KEY (reply_id)
);
CREATE UNIQUE INDEX reply_of_mail ON public.reply USING btree (ticket_number, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX reply_of_staff ON public.reply USING btree (created_at) WHERE by_staff;
CREATE INDEX reply_ticket ON public.reply USING btree (ticket_number, reply_id);

create table restore_rehearsal (
  restore_rehearsal_id bigint not null generated always as identity,
  folder text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  rows bigint not null default 0,
  files bigint not null default 0,
  trouble text not null default ''::text,
  constraint restore_rehearsal_pkey PRIMARY KEY (restore_rehearsal_id)
);
CREATE INDEX restore_rehearsal_newest ON public.restore_rehearsal USING btree (ended_at DESC);

create table sandbox_account (
  ref text collate "C" not null,
  behaviour text not null,
  brand text not null default ''::text,
  last_four text not null default ''::text,
  expires_on date,
  approval text not null default 'none'::text,
  checkout jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint sandbox_account_approval_check CHECK ((approval = ANY (ARRAY['none'::text, 'waiting'::text, 'given'::text, 'refused'::text]))),
  constraint sandbox_account_pkey PRIMARY KEY (ref)
);
CREATE UNIQUE INDEX sandbox_account_checkout ON public.sandbox_account USING btree (((checkout ->> 'subscription_id'::text)));

create table sandbox_charge (
  key text collate "C" not null,
  account_ref text collate "C" not null,
  amount_minor integer not null,
  currency text collate "C" not null,
  is_paid boolean not null,
  trouble text not null default ''::text,
  facts jsonb not null,
  at timestamp with time zone not null default now(),
  constraint sandbox_charge_pkey PRIMARY KEY (key)
);

create table sandbox_clock (
  customer_id bigint not null,
  ahead_seconds bigint not null default 0,
  constraint sandbox_clock_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint sandbox_clock_pkey PRIMARY KEY (customer_id)
);

create table sandbox_refund (
  key text collate "C" not null,
  charge_ref text collate "C" not null,
  amount_minor integer not null,
  constraint sandbox_refund_pkey PRIMARY KEY (key)
);

create table saved_answer (
  saved_answer_id integer not null generated always as identity,
  title text not null,
  answer text not null,
  used integer not null default 0,
  last_used_at timestamp with time zone,
  written_by bigint,
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint saved_answer_answer_check CHECK ((answer <> ''::text)),
  constraint saved_answer_title_check CHECK ((title <> ''::text)),
  constraint saved_answer_written_by_fkey FOREIGN KEY (written_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint saved_answer_pkey PRIMARY KEY (saved_answer_id)
);
CREATE UNIQUE INDEX saved_answer_title ON public.saved_answer USING btree (lower(title));

create table saved_search (
  saved_search_id bigint not null generated always as identity,
  customer_id bigint not null,
  name text not null,
  query jsonb not null,
  seen_at timestamp with time zone not null default now(),
  told_at timestamp with time zone not null default now(),
  by_mail boolean not null default false,
  mailed_at timestamp with time zone,
  feed_version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  constraint saved_search_name_check CHECK ((name <> ''::text)),
  constraint saved_search_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint saved_search_pkey PRIMARY KEY (saved_search_id)
);
CREATE UNIQUE INDEX saved_search_own ON public.saved_search USING btree (customer_id, lower(name));

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
  customer_id bigint,
  purpose text not null default 'member'::text,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  user_agent text not null default ''::text,
  ip inet,
  sign_up_id bigint,
  viewed_by bigint,
  confirmed_at timestamp with time zone not null default now(),
  constraint session_of_one CHECK ((num_nonnulls(customer_id, sign_up_id) = 1)),
  constraint session_of_viewer CHECK (((purpose = 'viewer'::text) = (viewed_by IS NOT NULL))),
  constraint session_purpose_check CHECK ((purpose = ANY (ARRAY['member'::text, 'applicant'::text, 'second_step'::text, 'viewer'::text]))),
  constraint session_sign_up_applies CHECK (((sign_up_id IS NULL) OR (purpose = 'applicant'::text))),
  constraint session_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint session_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES sign_up(sign_up_id) ON DELETE CASCADE,
  constraint session_viewed_by_fkey FOREIGN KEY (viewed_by) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (session_id),
  constraint session_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX session_customer ON public.session USING btree (customer_id);
CREATE INDEX session_expiry ON public.session USING btree (expires_at);
CREATE INDEX session_sign_up ON public.session USING btree (sign_up_id) WHERE (sign_up_id IS NOT NULL);

create table setting (
  name text collate "C" not null,
  chosen jsonb not null default '{}'::jsonb,
  picture_sha256 bytea,
  version integer not null default 1,
  changed_by bigint,
  changed_at timestamp with time zone not null default now(),
  constraint setting_chosen_check CHECK ((jsonb_typeof(chosen) = 'object'::text)),
  constraint setting_name_check CHECK ((name ~ '^[a-z][a-z_]{0,39}$'::text)),
  constraint setting_picture_sha256_check CHECK ((octet_length(picture_sha256) = 32)),
  constraint setting_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint setting_pkey PRIMARY KEY (name)
);

create table sign_in_attempt (
  email text collate "C" not null,
  ip inet not null,
  at timestamp with time zone not null default now()
);
CREATE INDEX sign_in_attempt_at ON public.sign_in_attempt USING btree (at);
CREATE INDEX sign_in_attempt_email ON public.sign_in_attempt USING btree (email, at);
CREATE INDEX sign_in_attempt_ip ON public.sign_in_attempt USING btree (ip, at);

create table sign_up (
  sign_up_id bigint not null generated always as identity,
  email text collate "C" not null,
  dj_name text not null,
  password_hash text not null,
  applied_at timestamp with time zone,
  referred_by text not null default ''::text,
  dj_website text not null default ''::text,
  comment text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  constraint sign_up_pkey PRIMARY KEY (sign_up_id)
);
CREATE INDEX sign_up_email ON public.sign_up USING btree (lower(email), created_at DESC);
CREATE INDEX sign_up_expiry ON public.sign_up USING btree (expires_at);

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
  withdrawn_at timestamp with time zone,
  tags_changed_at timestamp with time zone,
  origins jsonb not null default '{}'::jsonb,
  revision integer not null default 1,
  changed_at timestamp with time zone,
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
CREATE INDEX song_desk_artist ON public.song USING btree (lower(artist) COLLATE "C", entity_id) INCLUDE (artist, status, song_section_id);
CREATE INDEX song_desk_changed ON public.song USING btree (changed_at DESC NULLS LAST, entity_id DESC);
CREATE INDEX song_desk_counts ON public.song USING btree (status, song_section_id, entity_id, min_bpm, key_position, artwork_id, year);
CREATE INDEX song_desk_isrc ON public.song USING btree (isrc) WHERE (isrc <> ''::text);
CREATE INDEX song_desk_title ON public.song USING btree (lower(title) COLLATE "C", entity_id) INCLUDE (title, status, song_section_id);
CREATE INDEX song_desk_words ON public.song USING gin (to_tsvector('simple'::regconfig, ((((translate(song_identity, '|'::text, ' '::text) || ' '::text) || album) || ' '::text) || label)));
CREATE UNIQUE INDEX song_identity_once ON public.song USING btree (song_section_id, song_identity);
CREATE INDEX song_lacks_art ON public.song USING btree (entity_id) WHERE (artwork_id IS NULL);
CREATE INDEX song_lacks_bpm ON public.song USING btree (entity_id) WHERE (min_bpm IS NULL);
CREATE INDEX song_lacks_key ON public.song USING btree (entity_id) WHERE (key_position IS NULL);
CREATE INDEX song_lacks_year ON public.song USING btree (entity_id) WHERE (year IS NULL);
CREATE INDEX song_list ON public.song USING btree (song_section_id, entity_id) WHERE (status = 'published'::text);
CREATE INDEX song_not_published ON public.song USING btree (entity_id) WHERE (status <> 'published'::text);
CREATE INDEX song_title_words ON public.song USING btree (song_section_id, split_part(song_identity, '|'::text, 2));

create table song_edit (
  song_edit_id bigint not null generated always as identity,
  staff_id bigint,
  at timestamp with time zone not null default now(),
  kind text not null,
  fields text[] not null default '{}'::text[],
  songs integer not null default 0,
  undoes bigint,
  undone_at timestamp with time zone,
  constraint song_edit_check CHECK (((kind = 'undone'::text) = (undoes IS NOT NULL))),
  constraint song_edit_kind_check CHECK ((kind = ANY (ARRAY['edited'::text, 'withdrawn'::text, 'restored'::text, 'version_withdrawn'::text, 'version_restored'::text, 'cover'::text, 'analysed'::text, 'undone'::text]))),
  constraint song_edit_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint song_edit_undoes_fkey FOREIGN KEY (undoes) REFERENCES song_edit(song_edit_id),
  constraint song_edit_pkey PRIMARY KEY (song_edit_id)
);
CREATE INDEX song_edit_newest ON public.song_edit USING btree (staff_id, song_edit_id DESC);

create table song_edit_song (
  song_edit_id bigint not null,
  entity_id bigint not null,
  before jsonb not null,
  after jsonb not null,
  tags_changed_before timestamp with time zone,
  tags_changed_after timestamp with time zone,
  undone boolean not null default false,
  constraint song_edit_song_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint song_edit_song_song_edit_id_fkey FOREIGN KEY (song_edit_id) REFERENCES song_edit(song_edit_id) ON DELETE CASCADE,
  constraint song_edit_song_pkey PRIMARY KEY (song_edit_id, entity_id)
);
CREATE INDEX song_edit_of_song ON public.song_edit_song USING btree (entity_id, song_edit_id DESC);

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
  preview_start_seconds real not null default 0,
  withdrawn_at timestamp with time zone,
  tag jsonb not null default '{}'::jsonb,
  upload_song_id bigint,
  constraint song_version_check CHECK (((file_id IS NOT NULL) OR (recipe IS NOT NULL))),
  constraint song_version_preview_start_seconds_check CHECK ((preview_start_seconds >= (0)::double precision)),
  constraint song_version_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text]))),
  constraint song_version_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint song_version_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id),
  constraint song_version_upload_song_id_fkey FOREIGN KEY (upload_song_id) REFERENCES upload_song(upload_song_id),
  constraint song_version_version_kind_id_fkey FOREIGN KEY (version_kind_id) REFERENCES version_kind(version_kind_id),
  constraint song_version_pkey PRIMARY KEY (song_version_id)
);
CREATE UNIQUE INDEX song_version_file ON public.song_version USING btree (file_id) WHERE ((file_id IS NOT NULL) AND (status <> 'withdrawn'::text));
CREATE INDEX song_version_of_file ON public.song_version USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX song_version_of_upload ON public.song_version USING btree (upload_song_id) WHERE (upload_song_id IS NOT NULL);
CREATE INDEX song_version_song ON public.song_version USING btree (entity_id, "position");

create table staff_note (
  staff_note_id bigint not null generated always as identity,
  customer_id bigint not null,
  kind text not null default 'note'::text,
  text text not null default ''::text,
  written_by bigint,
  at timestamp with time zone not null default now(),
  constraint staff_note_check CHECK (((text <> ''::text) OR (kind = 'lifted'::text))),
  constraint staff_note_kind_check CHECK ((kind = ANY (ARRAY['note'::text, 'suspended'::text, 'lifted'::text]))),
  constraint staff_note_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint staff_note_written_by_fkey FOREIGN KEY (written_by) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint staff_note_pkey PRIMARY KEY (staff_note_id)
);
CREATE INDEX staff_note_member ON public.staff_note USING btree (customer_id, staff_note_id DESC);

create table storage_day (
  day date not null,
  measured_at timestamp with time zone not null,
  seconds real not null,
  kinds jsonb not null,
  database_bytes bigint not null,
  tables jsonb not null,
  missing integer not null,
  orphans integer not null,
  orphan_bytes bigint not null,
  constraint storage_day_pkey PRIMARY KEY (day)
);

create table storage_scrub (
  is_only_row boolean not null default true,
  next_slot integer not null default 0,
  began_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  last_run_at timestamp with time zone,
  files bigint not null default 0,
  bytes bigint not null default 0,
  constraint storage_scrub_is_only_row_check CHECK (is_only_row),
  constraint storage_scrub_next_slot_check CHECK (((next_slot >= 0) AND (next_slot <= 255))),
  constraint storage_scrub_pkey PRIMARY KEY (is_only_row)
);

create table store_visit (
  source text not null,
  tried_at timestamp with time zone not null,
  refreshed_at timestamp with time zone,
  trouble text not null default ''::text,
  constraint store_visit_source_check CHECK ((source = 'shopify'::text)),
  constraint store_visit_pkey PRIMARY KEY (source)
);

create table subscription (
  subscription_id bigint not null generated always as identity,
  customer_id bigint not null,
  plan_id bigint not null,
  gateway text not null,
  gateway_ref text collate "C",
  payer_ref text collate "C",
  method text not null,
  card_brand text not null default ''::text,
  card_last_four text not null default ''::text,
  card_expires_on date,
  method_as_of timestamp with time zone,
  price_minor integer not null,
  first_price_minor integer not null,
  currency text collate "C" not null,
  interval text not null,
  is_trial boolean not null default false,
  coupon_id bigint,
  coupon_terms jsonb,
  return_hash bytea,
  checkout_ends_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  cancelled_as_of timestamp with time zone,
  is_cancelled boolean not null default false,
  is_over boolean not null default false,
  is_given_up boolean not null default false,
  next_plan_id bigint,
  next_price_minor integer,
  next_from timestamp with time zone,
  next_keeps_coupon boolean not null default false,
  change_under_way jsonb,
  trouble text not null default ''::text,
  status text not null default 'pending'::text,
  paid_until timestamp with time zone,
  access_until timestamp with time zone,
  look_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  agreed_prices jsonb not null default '{}'::jsonb,
  checkout_key uuid not null default gen_random_uuid(),
  start_failed_at timestamp with time zone,
  constraint subscription_card_last_four_check CHECK ((card_last_four ~ '^([0-9]{4})?$'::text)),
  constraint subscription_method_check CHECK ((method = ANY (ARRAY['credit_card'::text, 'paypal'::text, 'mobile_wallet'::text, 'bank_transfer'::text]))),
  constraint subscription_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'cancel_scheduled'::text, 'ended'::text, 'failed'::text]))),
  constraint subscription_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(coupon_id),
  constraint subscription_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint subscription_next_plan_id_fkey FOREIGN KEY (next_plan_id) REFERENCES plan(plan_id),
  constraint subscription_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plan(plan_id),
  constraint subscription_pkey PRIMARY KEY (subscription_id),
  constraint subscription_checkout_key UNIQUE (checkout_key),
  constraint subscription_ref UNIQUE (gateway, gateway_ref),
  constraint subscription_return_hash_key UNIQUE (return_hash)
);
CREATE INDEX subscription_coupon ON public.subscription USING btree (coupon_id) WHERE (coupon_id IS NOT NULL);
CREATE INDEX subscription_customer ON public.subscription USING btree (customer_id, subscription_id DESC);
CREATE INDEX subscription_look ON public.subscription USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE UNIQUE INDEX subscription_open ON public.subscription USING btree (customer_id) WHERE (status = ANY (ARRAY['pending'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'cancel_scheduled'::text]));
CREATE INDEX subscription_plan ON public.subscription USING btree (plan_id);

create table subscription_event (
  subscription_id bigint not null,
  what text not null,
  about text collate "C" not null default ''::text,
  detail text not null default ''::text,
  at timestamp with time zone not null,
  staff_id bigint,
  constraint subscription_event_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id),
  constraint subscription_event_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(subscription_id),
  constraint subscription_event_pkey PRIMARY KEY (subscription_id, what, about)
);

create table ticket (
  ticket_number bigint not null generated always as identity,
  customer_id bigint not null,
  department_id integer not null,
  priority_id integer not null,
  subject text not null,
  details text not null,
  status text not null default 'open'::text,
  waits_for text not null default 'staff'::text,
  waits_since timestamp with time zone not null default now(),
  assigned_to bigint,
  created_at timestamp with time zone not null default now(),
  modified_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  seen_reply_id bigint not null default 0,
  constraint ticket_check CHECK (((status = 'close'::text) = (closed_at IS NOT NULL))),
  constraint ticket_details_check CHECK ((details <> ''::text)),
  constraint ticket_status_check CHECK ((status = ANY (ARRAY['open'::text, 'close'::text]))),
  constraint ticket_subject_check CHECK ((subject <> ''::text)),
  constraint ticket_waits_for_check CHECK ((waits_for = ANY (ARRAY['staff'::text, 'customer'::text]))),
  constraint ticket_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint ticket_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint ticket_department_id_fkey FOREIGN KEY (department_id) REFERENCES department(department_id),
  constraint ticket_priority_id_fkey FOREIGN KEY (priority_id) REFERENCES priority(priority_id),
  constraint ticket_pkey PRIMARY KEY (ticket_number)
);
CREATE INDEX ticket_own ON public.ticket USING btree (customer_id, modified_at DESC, ticket_number DESC);
CREATE INDEX ticket_queue ON public.ticket USING btree (status, waits_for, waits_since);

create table ticket_file (
  ticket_file_id bigint not null generated always as identity,
  customer_id bigint not null,
  ticket_number bigint,
  reply_id bigint,
  name text not null,
  type text collate "C" not null,
  bytes integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint ticket_file_bytes_check CHECK ((bytes > 0)),
  constraint ticket_file_check CHECK (((reply_id IS NULL) OR (ticket_number IS NOT NULL))),
  constraint ticket_file_name_check CHECK ((name <> ''::text)),
  constraint ticket_file_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint ticket_file_reply_id_fkey FOREIGN KEY (reply_id) REFERENCES reply(reply_id) ON DELETE CASCADE,
  constraint ticket_file_ticket_number_fkey FOREIGN KEY (ticket_number) REFERENCES ticket(ticket_number) ON DELETE CASCADE,
  constraint ticket_file_pkey PRIMARY KEY (ticket_file_id)
);
CREATE INDEX ticket_file_bytes ON public.ticket_file USING btree (sha256);
CREATE INDEX ticket_file_reply ON public.ticket_file USING btree (reply_id) WHERE (reply_id IS NOT NULL);
CREATE INDEX ticket_file_ticket ON public.ticket_file USING btree (ticket_number);
CREATE INDEX ticket_file_unsent ON public.ticket_file USING btree (customer_id, created_at) WHERE (ticket_number IS NULL);

create table top20 (
  top20_track_id bigint not null generated always as identity,
  title text not null,
  cover_seed bigint not null default 0,
  artwork_id bigint,
  published_at timestamp with time zone default now(),
  ended_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  first_shown_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint top20_check CHECK ((ended_at > published_at)),
  constraint top20_check1 CHECK (((withdrawn_at IS NULL) OR (published_at IS NOT NULL))),
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

create table totp (
  customer_id bigint not null,
  secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint totp_pkey PRIMARY KEY (customer_id)
);

create table trending_override (
  rank smallint not null,
  entity_id bigint not null,
  until timestamp with time zone,
  constraint trending_override_rank_check CHECK (((rank >= 1) AND (rank <= 30))),
  constraint trending_override_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint trending_override_pkey PRIMARY KEY (rank),
  constraint trending_override_entity_id_key UNIQUE (entity_id)
);

create table upload (
  upload_id bigint not null generated always as identity,
  customer_id bigint not null,
  name text not null,
  bytes bigint not null,
  sha256 bytea not null,
  file_id bigint,
  artwork_id bigint,
  state text not null default 'queued'::text,
  tries smallint not null default 0,
  share real not null default 0,
  touched_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  playable boolean,
  tag jsonb not null default '{}'::jsonb,
  faults jsonb not null default '[]'::jsonb,
  uploaded_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  constraint upload_bytes_check CHECK ((bytes > 0)),
  constraint upload_check CHECK (((playable IS NULL) OR (state = ANY (ARRAY['done'::text, 'failed'::text])))),
  constraint upload_check1 CHECK (((playable IS NOT TRUE) OR (file_id IS NOT NULL))),
  constraint upload_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint upload_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  constraint upload_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES artwork(artwork_id),
  constraint upload_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint upload_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id),
  constraint upload_pkey PRIMARY KEY (upload_id)
);
CREATE INDEX upload_at ON public.upload USING btree (uploaded_at);
CREATE INDEX upload_by_content ON public.upload USING btree (sha256);
CREATE INDEX upload_container ON public.upload USING btree (customer_id, upload_id DESC) WHERE (removed_at IS NULL);
CREATE INDEX upload_of_file ON public.upload USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE UNIQUE INDEX upload_once ON public.upload USING btree (customer_id, sha256) WHERE (removed_at IS NULL);
CREATE INDEX upload_waiting ON public.upload USING btree (due_at) WHERE ((state = ANY (ARRAY['queued'::text, 'running'::text])) AND (removed_at IS NULL));

create table upload_review (
  upload_review_id bigint not null generated always as identity,
  upload_song_id bigint not null,
  staff_id bigint not null,
  decision text not null,
  reason text not null default ''::text,
  at timestamp with time zone not null default now(),
  constraint upload_review_decision_check CHECK ((decision = ANY (ARRAY['published'::text, 'refused'::text, 'edited'::text]))),
  constraint upload_review_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES customer(customer_id),
  constraint upload_review_upload_song_id_fkey FOREIGN KEY (upload_song_id) REFERENCES upload_song(upload_song_id),
  constraint upload_review_pkey PRIMARY KEY (upload_review_id)
);
CREATE INDEX upload_review_song ON public.upload_review USING btree (upload_song_id, upload_review_id DESC);

create table upload_song (
  upload_song_id bigint not null generated always as identity,
  customer_id bigint not null,
  entity_id bigint,
  song_section_id smallint not null default 2,
  title text not null,
  artist text not null,
  year smallint not null,
  song_key text collate "C" not null,
  min_bpm real not null,
  max_bpm real not null,
  genres integer[] not null,
  sources jsonb not null,
  review text not null default 'open'::text,
  reason text not null default ''::text,
  version integer not null default 1,
  expires_at timestamp with time zone not null,
  expires_picked boolean not null,
  left_at timestamp with time zone,
  reminded_at timestamp with time zone,
  submitted_at timestamp with time zone,
  published_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint upload_song_artist_check CHECK ((artist <> ''::text)),
  constraint upload_song_check CHECK ((min_bpm <= max_bpm)),
  constraint upload_song_review_check CHECK ((review = ANY (ARRAY['open'::text, 'published'::text, 'refused'::text]))),
  constraint upload_song_song_section_id_check CHECK ((song_section_id = ANY (ARRAY[1, 2]))),
  constraint upload_song_title_check CHECK ((title <> ''::text)),
  constraint upload_song_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id),
  constraint upload_song_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint upload_song_pkey PRIMARY KEY (upload_song_id)
);
CREATE INDEX upload_song_expiry ON public.upload_song USING btree (expires_at) WHERE ((entity_id IS NOT NULL) AND (left_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX upload_song_in_pool ON public.upload_song USING btree (entity_id) WHERE (entity_id IS NOT NULL);
CREATE INDEX upload_song_open ON public.upload_song USING btree (submitted_at, upload_song_id) WHERE ((review = 'open'::text) AND (deleted_at IS NULL));
CREATE INDEX upload_song_own ON public.upload_song USING btree (customer_id, upload_song_id DESC) WHERE (deleted_at IS NULL);

create table upload_twin (
  upload_id bigint not null,
  file_id bigint not null,
  similarity real not null,
  constraint upload_twin_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(file_id) ON DELETE CASCADE,
  constraint upload_twin_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES upload(upload_id) ON DELETE CASCADE,
  constraint upload_twin_pkey PRIMARY KEY (upload_id, file_id)
);

create table upload_version (
  song_version_id bigint not null default nextval((pg_get_serial_sequence('song_version'::text, 'song_version_id'::text))::regclass),
  upload_song_id bigint not null,
  version_kind_id integer,
  version_label text not null,
  position smallint not null,
  upload_id bigint not null,
  start_seconds real not null default 0,
  constraint upload_version_start_seconds_check CHECK ((start_seconds >= (0)::double precision)),
  constraint upload_version_version_label_check CHECK ((version_label <> ''::text)),
  constraint upload_version_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES upload(upload_id),
  constraint upload_version_upload_song_id_fkey FOREIGN KEY (upload_song_id) REFERENCES upload_song(upload_song_id) ON DELETE CASCADE,
  constraint upload_version_version_kind_id_fkey FOREIGN KEY (version_kind_id) REFERENCES version_kind(version_kind_id),
  constraint upload_version_pkey PRIMARY KEY (song_version_id),
  constraint upload_version_upload_id_key UNIQUE (upload_id),
  constraint upload_version_upload_song_id_version_label_key UNIQUE (upload_song_id, version_label) DEFERRABLE INITIALLY DEFERRED
);

create table version_kind (
  version_kind_id integer not null generated always as identity,
  version_code text collate "C" not null,
  name text not null,
  position integer not null default 0,
  offered boolean not null default true,
  constraint version_kind_pkey PRIMARY KEY (version_kind_id),
  constraint version_kind_name_key UNIQUE (name),
  constraint version_kind_version_code_key UNIQUE (version_code)
);

create table worker_heartbeat (
  worker_id uuid not null,
  host text not null,
  process_id integer not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint worker_heartbeat_pkey PRIMARY KEY (worker_id)
);
CREATE INDEX worker_heartbeat_seen ON public.worker_heartbeat USING btree (seen_at);
