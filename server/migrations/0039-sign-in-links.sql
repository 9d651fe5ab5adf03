-- False for an account that was created while the pool had no mail server: nobody has proved that the address is theirs.
alter table customer add column email_verified boolean not null default true;

-- The page to return to after the application is approved; empty for the home page.
alter table sign_up add column return_to text collate "C" not null default '';
alter table dj_application add column return_to text collate "C" not null default '';

alter table mailed_link drop constraint mailed_link_purpose_check;
alter table mailed_link add constraint mailed_link_purpose_check
  check (purpose in ('confirm_sign_up', 'change_address', 'reset_password', 'sign_in_elsewhere', 'sign_in'));
