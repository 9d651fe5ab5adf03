-- Tables, columns, indexes, constraints and stored values get standard names. Texts that went wrong are `error_message`, `last_error`
-- (of something that is tried again) or `failure_reason` (of a payment).

-- Tables.
alter table rate rename to rate_counter;
alter table backup_made rename to backup;
alter table store_visit rename to store_sync;
alter table plan_at_gateway rename to gateway_plan;
alter table storage_day rename to storage_usage;
alter table saved_answer rename to saved_reply;
alter table notice rename to notification;
alter table notice_choice rename to notification_preference;

-- Columns.
alter table rate_counter rename column what to kind;
alter table rate_counter rename column who to key;
alter table rate_counter rename column n to count;
alter table rate_counter rename column since to window_started_at;

alter table backup rename column trouble to error_message;
alter table backup rename column check_trouble to check_error;
alter table backup rename column made_by to requested_by;
alter table backup rename column began_at to started_at;
alter table restore_rehearsal rename column trouble to error_message;
alter table restore_rehearsal rename column began_at to started_at;
alter table storage_scrub rename column began_at to started_at;
alter table pool_check rename column troubles to problems;

alter table subscription rename column is_over to has_ended;
alter table subscription rename column is_given_up to is_abandoned;
alter table subscription rename column change_under_way to pending_change;
alter table subscription rename column trouble to failure_reason;
alter table charge rename column trouble to failure_reason;
alter table sandbox_charge rename column trouble to failure_reason;
alter table subscription_event rename column what to kind;
alter table subscription_event rename column about to reference;
alter table coupon rename column most_uses to max_uses;
alter table plan rename column on_sale to is_published;
alter table invoice_number rename column last to last_serial;

alter table ticket rename column waits_for to awaiting_reply_from;
alter table ticket rename column waits_since to waiting_since;
alter table priority rename column answer_hours to reply_hours;
alter table saved_reply rename column saved_answer_id to saved_reply_id;

alter table notification rename column notice_id to notification_id;
alter table notification rename column about to subject;
alter table notification_preference rename column by_mail to by_email;
alter table saved_search rename column told_at to notified_at;
alter table saved_search rename column by_mail to by_email;
alter table newsletter_subscriber rename column asked_at to requested_at;
alter table newsletter_subscriber rename column left_at to unsubscribed_at;
alter table followed_genre rename column since to followed_at;
alter table mail_request rename column what to kind;
alter table mail_request rename column place to ip;
alter table mail_hold rename column since to held_since;
alter table outgoing_mail rename column trouble to last_error;
alter table outgoing_mail rename column whose to owner;
alter table outgoing_mail rename column good_until to expires_at;

alter table upload rename column tries to attempts;
alter table upload rename column share to progress;
alter table upload rename column touched_at to updated_at;
alter table upload_song rename column left_at to expired_at;
alter table upload_song rename column expires_picked to has_custom_expiry;
alter table reanalysis rename column asked_by to requested_by;
alter table reanalysis rename column asked_at to requested_at;
alter table reanalysis rename column tries to attempts;
alter table reanalysis rename column share to progress;
alter table reanalysis rename column touched_at to updated_at;
alter table reanalysis rename column trouble to last_error;
alter table import_run rename column touched_at to updated_at;
alter table import_run rename column trouble to error_message;
alter table import_file rename column is_left_out to is_excluded;
alter table import_cover rename column sent_sha256 to uploaded_sha256;

alter table song rename column withdrawn_at to unpublished_at;
alter table song_version rename column withdrawn_at to unpublished_at;
alter table curated_list rename column withdrawn_at to unpublished_at;
alter table top20 rename column withdrawn_at to unpublished_at;
alter table merged_song rename column was to snapshot;
alter table bundle rename column made_at to created_at;
alter table download_link rename column made_at to created_at;
alter table download_transfer rename column made_at to created_at;
alter table daily_metric rename column figure to metric;
alter table merchandise rename column outside_id to external_id;
alter table merchandise rename column picture_from to picture_source;
alter table merchandise rename column on_sale to is_published;
alter table store_sync rename column tried_at to attempted_at;
alter table store_sync rename column trouble to last_error;

-- Indexes.
alter index rate_since rename to rate_counter_window;
alter index backup_made_newest rename to backup_newest;
alter index saved_answer_title rename to saved_reply_title;
alter index notice_own rename to notification_own;
alter index notice_unread rename to notification_unread;
alter index outgoing_mail_whose rename to outgoing_mail_owner;
alter index bundle_made rename to bundle_created;
alter index download_transfer_made rename to download_transfer_created;
alter index customer_words rename to customer_search;
alter index song_desk_artist rename to song_staff_artist;
alter index song_desk_changed rename to song_staff_changed;
alter index song_desk_counts rename to song_staff_counts;
alter index song_desk_isrc rename to song_staff_isrc;
alter index song_desk_title rename to song_staff_title;
alter index song_desk_words rename to song_staff_search;
alter index song_lacks_art rename to song_missing_art;
alter index song_lacks_bpm rename to song_missing_bpm;
alter index song_lacks_key rename to song_missing_key;
alter index song_lacks_year rename to song_missing_year;

-- Constraints and sequences.
alter table rate_counter rename constraint rate_pkey to rate_counter_pkey;
alter table backup rename constraint backup_made_pkey to backup_pkey;
alter table backup rename constraint backup_made_check to backup_error_message_check;
alter table backup rename constraint backup_made_files_in_check to backup_files_in_check;
alter table backup rename constraint backup_made_made_by_fkey to backup_requested_by_fkey;
alter sequence backup_made_backup_id_seq rename to backup_backup_id_seq;
alter table store_sync rename constraint store_visit_pkey to store_sync_pkey;
alter table store_sync rename constraint store_visit_source_check to store_sync_source_check;
alter table gateway_plan rename constraint plan_at_gateway_pkey to gateway_plan_pkey;
alter table storage_usage rename constraint storage_day_pkey to storage_usage_pkey;
alter table saved_reply rename constraint saved_answer_pkey to saved_reply_pkey;
alter table saved_reply rename constraint saved_answer_answer_check to saved_reply_answer_check;
alter table saved_reply rename constraint saved_answer_title_check to saved_reply_title_check;
alter table saved_reply rename constraint saved_answer_written_by_fkey to saved_reply_written_by_fkey;
alter sequence saved_answer_saved_answer_id_seq rename to saved_reply_saved_reply_id_seq;
alter table notification rename constraint notice_pkey to notification_pkey;
alter table notification rename constraint notice_address_check to notification_address_check;
alter table notification rename constraint notice_kind_check to notification_kind_check;
alter table notification rename constraint notice_text_check to notification_text_check;
alter table notification rename constraint notice_customer_id_fkey to notification_customer_id_fkey;
alter sequence notice_notice_id_seq rename to notification_notification_id_seq;
alter table notification_preference rename constraint notice_choice_pkey to notification_preference_pkey;
alter table notification_preference rename constraint notice_choice_kind_check to notification_preference_kind_check;
alter table notification_preference rename constraint notice_choice_customer_id_fkey to notification_preference_customer_id_fkey;
alter table coupon rename constraint coupon_most_uses_check to coupon_max_uses_check;
alter table ticket rename constraint ticket_waits_for_check to ticket_awaiting_reply_from_check;
alter table priority rename constraint priority_answer_hours_check to priority_reply_hours_check;
alter table mail_request rename constraint mail_request_what_check to mail_request_kind_check;
alter table reanalysis rename constraint reanalysis_asked_by_fkey to reanalysis_requested_by_fkey;
alter table import_cover rename constraint import_cover_sent_sha256_check to import_cover_uploaded_sha256_check;
alter table daily_metric rename constraint daily_metric_figure_check to daily_metric_metric_check;
alter table merchandise rename constraint merchandise_outside to merchandise_external;
alter table merchandise rename constraint merchandise_outside_id_key to merchandise_external_id_key;

-- Values.
drop index song_version_file;
alter table song drop constraint song_status_check;
alter table song_version drop constraint song_version_status_check;
alter table song_edit drop constraint song_edit_kind_check;
alter table upload_song drop constraint upload_song_review_check;
alter table upload_review drop constraint upload_review_decision_check;
alter table import_run drop constraint import_run_state_check;
alter table newsletter_subscriber drop constraint newsletter_subscriber_state_check;
alter table inbound_mail drop constraint inbound_mail_verdict_check;
alter table sandbox_account drop constraint sandbox_account_approval_check;

update song set status = 'unpublished' where status = 'withdrawn';
update song_version set status = 'unpublished' where status = 'withdrawn';
update song_edit set kind = case kind when 'withdrawn' then 'unpublished' else 'version_unpublished' end
  where kind in ('withdrawn', 'version_withdrawn');
update upload_song set review = 'declined' where review = 'refused';
update upload_review set decision = 'declined' where decision = 'refused';
update import_run set state = 'uploading' where state = 'sending';
alter table newsletter_subscriber alter column state set default 'pending';
update newsletter_subscriber set state = case state when 'left' then 'unsubscribed' else 'pending' end where state in ('left', 'waiting');
update inbound_mail set verdict = case verdict when 'twice' then 'duplicate' else 'unknown_sender' end where verdict in ('twice', 'stranger');
update sandbox_account set approval = case approval when 'given' then 'approved' else 'declined' end where approval in ('given', 'refused');
update subscription_event set kind = case kind when 'try' then 'attempt' else 'refund_attempted' end where kind in ('try', 'return_tried');

alter table song add constraint song_status_check check (status in ('draft', 'published', 'unpublished'));
alter table song_version add constraint song_version_status_check check (status in ('draft', 'published', 'unpublished'));
alter table song_edit add constraint song_edit_kind_check check (kind in (
  'edited', 'unpublished', 'restored', 'version_unpublished', 'version_restored', 'cover', 'analysed', 'undone'));
alter table upload_song add constraint upload_song_review_check check (review in ('open', 'published', 'declined'));
alter table upload_review add constraint upload_review_decision_check check (decision in ('published', 'declined', 'edited'));
alter table import_run add constraint import_run_state_check check (state in (
  'uploading', 'waiting', 'running', 'done', 'stopped', 'failed'));
alter table newsletter_subscriber add constraint newsletter_subscriber_state_check check (state in ('pending', 'subscribed', 'unsubscribed'));
alter table inbound_mail add constraint inbound_mail_verdict_check check (verdict in (
  'reply', 'duplicate', 'automatic', 'bounce', 'unknown_sender', 'unknown', 'empty', 'too_many'));
alter table sandbox_account add constraint sandbox_account_approval_check check (approval in ('none', 'waiting', 'approved', 'declined'));
create unique index song_version_file on song_version (file_id) where file_id is not null and status <> 'unpublished';

-- Values in documents. Only keys and values can match: a quotation mark within a text is escaped.
create function pg_temp.renamed(document jsonb, pattern text, replacement text) returns jsonb language sql as
  $$ select regexp_replace(document::text, pattern, replacement, 'g')::jsonb $$;

update song_edit_song set
  before = pg_temp.renamed(before, '"(status|version\.\d+\.status)": \["withdrawn"', '"\1": ["unpublished"'),
  after = pg_temp.renamed(after, '"(status|version\.\d+\.status)": \["withdrawn"', '"\1": ["unpublished"')
where before::text like '%"withdrawn"%' or after::text like '%"withdrawn"%';

update merged_song set snapshot = pg_temp.renamed(
  pg_temp.renamed(
    pg_temp.renamed(snapshot, '"withdrawn_at": ', '"unpublished_at": '),
    '"status": "withdrawn"', '"status": "unpublished"'),
  '"(status|version\.\d+\.status)": \["withdrawn"', '"\1": ["unpublished"')
where snapshot::text like '%"withdrawn%';

update payment_event set facts = pg_temp.renamed(
  pg_temp.renamed(pg_temp.renamed(facts, '"trouble": ', '"failure_reason": '), '"kind": "given_up"', '"kind": "abandoned"'),
  '"kind": "over"', '"kind": "terminated"')
where facts::text like '%"trouble"%' or facts::text like '%"kind": "over"%';
update sandbox_charge set facts = pg_temp.renamed(facts, '"trouble": ', '"failure_reason": ') where facts::text like '%"trouble"%';
update payment_review set fact = pg_temp.renamed(fact, '"trouble": ', '"failure_reason": ') where fact::text like '%"trouble"%';

update audit set
  before = pg_temp.renamed(pg_temp.renamed(before,
    '"(status|state)": "withdrawn"', '"\1": "unpublished"'), '"most_uses": ', '"max_uses": '),
  after = pg_temp.renamed(pg_temp.renamed(after,
    '"(status|state)": "withdrawn"', '"\1": "unpublished"'), '"most_uses": ', '"max_uses": ')
where before::text ~ '"withdrawn"|"most_uses"' or after::text ~ '"withdrawn"|"most_uses"';
update audit set
  before = pg_temp.renamed(before, '"on_sale": ', '"is_published": '),
  after = pg_temp.renamed(pg_temp.renamed(after, '"on_sale": ', '"is_published": '), '"is_left_out": ', '"is_excluded": ')
where before::text ~ '"on_sale"' or after::text ~ '"(on_sale|is_left_out)"';
update audit set after = pg_temp.renamed(after, '"words": ', '"description": ') where action = 'promotion created' and after::text like '%"words"%';
update audit set subject = 'metrics' where subject = 'figures';
update audit set action = replace(action, 'help article', 'FAQ') where action like 'help article%';
drop function pg_temp.renamed(jsonb, text, text);
