-- Finding and counting among a million songs, five million downloads and a million entries of the audit log.

-- Merging and splitting songs: the downloads and listens of a song, and of its versions.
create index download_song on download (entity_id, song_version_id);
create index listen_song on listen (entity_id);

-- Songs without a cover, counted without reading them: the condition of catalogue/staff-songs.ts.
drop index song_missing_art;
create index song_missing_art on song (entity_id) where artwork_id is null and cover_seed = 0;

-- The other orders of the songs in the back office; songs without a value come last in both directions.
create index song_staff_bpm on song (min_bpm, entity_id);
create index song_staff_bpm_down on song (min_bpm desc nulls last, entity_id desc);
create index song_staff_key on song (key_position, entity_id);
create index song_staff_key_down on song (key_position desc nulls last, entity_id desc);
create index song_staff_year on song (year, entity_id);
create index song_staff_year_down on song (year desc nulls last, entity_id desc);

-- Songs without a genre have the facet #g0 (catalogue/search-index.ts).
update song_search s set tsv = tsv || '''#g0'''::tsvector
where not exists (
  select 1 from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id and g.kind = 'genre');

-- The audit log is read newest first, also within a range of days. A search may give only the beginning of a subject.
drop index audit_at;
create index audit_at on audit (at, audit_id);
drop index audit_subject;
create index audit_subject on audit (subject text_pattern_ops, audit_id desc);

-- The lists of the back office, newest first, and what staff search for in them.
create index ticket_modified on ticket (modified_at desc, ticket_number);
create index ticket_subject on ticket using gin (to_tsvector('simple', subject));
create index subscription_status on subscription (status, subscription_id desc);
create index subscription_reference on subscription (gateway_ref) where gateway_ref is not null;
create index invoice_search on invoice using gin (
  to_tsvector('simple', translate((buyer->>'name') || ' ' || (buyer->>'email'), '@.-_+/:<>&''', '           ')));
create index charge_at on charge (at);
create index charge_amount on charge (amount_minor, charge_id desc);
create index charge_failed on charge (at) where status = 'failed';
create index dj_application_decided on dj_application (state, decided_at desc, customer_id desc);
create index customer_staff on customer (staff_role) where staff_role is not null;
create index customer_suspended on customer (customer_id) where status = 'suspended';
create index customer_listed on customer (payment_profile_status, customer_id) where status <> 'deleted';
create index customer_demo on customer (customer_id) where demo;
create index customer_name on customer (lower(dj_name), customer_id);

-- Invoices and credit notes of a payment; the payments of a plan, and those with a discount.
create index invoice_of_charge on invoice (charge_id);
create index charge_plan on charge (plan_id);
create index charge_running on charge (period_end) where status = 'paid';
create index charge_discounted on charge (subscription_id) where discount_minor > 0;
create index subscription_next_plan on subscription (next_plan_id) where next_plan_id is not null;
