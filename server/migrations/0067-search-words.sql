-- The words that a search for members compares (membership/member-search.ts), and those of the buyers of invoices
-- (billing/invoice-list.ts). Stored, because a search that matches many rows checks each of them, and splitting a text
-- into words takes longer than reading the row.
alter table customer add search_words tsvector not null
  generated always as (to_tsvector('simple'::regconfig, translate(dj_name || ' ' || email, '@.-_+/:<>&''', '           '))) stored;
drop index customer_search;
create index customer_search on customer using gin (search_words);

alter table invoice add buyer_words tsvector
  generated always as (to_tsvector('simple'::regconfig,
    translate((buyer->>'name') || ' ' || (buyer->>'email'), '@.-_+/:<>&''', '           '))) stored;
drop index invoice_search;
create index invoice_search on invoice using gin (buyer_words);
