-- Tables, columns, indexes and constraints with names of our own get the standard ones.
alter table former_genre rename to genre_alias;
alter table genre_alias rename column former_genre_id to genre_alias_id;
alter table outside_identity rename to external_identity;
alter table upload_twin rename to upload_duplicate;
alter table figure_day rename to daily_metric;
alter table subscription rename column look_at to next_check_at;

alter index subscription_look rename to subscription_next_check;
alter index former_genre_name rename to genre_alias_name;
alter index former_genre_of rename to genre_alias_genre;
alter index outside_identity_customer rename to external_identity_customer;
alter index figure_day_day rename to daily_metric_day;

alter table genre_alias rename constraint former_genre_pkey to genre_alias_pkey;
alter table genre_alias rename constraint former_genre_former_id_key to genre_alias_former_id_key;
alter table genre_alias rename constraint former_genre_genre_id_fkey to genre_alias_genre_id_fkey;
alter table external_identity rename constraint outside_identity_pkey to external_identity_pkey;
alter table external_identity rename constraint outside_identity_customer_id_fkey to external_identity_customer_id_fkey;
alter table upload_duplicate rename constraint upload_twin_pkey to upload_duplicate_pkey;
alter table upload_duplicate rename constraint upload_twin_file_id_fkey to upload_duplicate_file_id_fkey;
alter table upload_duplicate rename constraint upload_twin_upload_id_fkey to upload_duplicate_upload_id_fkey;
alter table daily_metric rename constraint figure_day_pkey to daily_metric_pkey;
alter table daily_metric rename constraint figure_day_check to daily_metric_currency_check;
alter table daily_metric rename constraint figure_day_figure_check to daily_metric_figure_check;

alter sequence former_genre_former_genre_id_seq rename to genre_alias_genre_alias_id_seq;
