-- What the header of a list, genre or playlist says about it: one paragraph of plain text.
alter table curated_list add column description text not null default '' check (char_length(description) <= 300);
alter table top20 add column description text not null default '' check (char_length(description) <= 300);
alter table genre add column description text not null default '' check (char_length(description) <= 300);
alter table playlist add column description text not null default '' check (char_length(description) <= 300);
