-- Staff look at the pool as a member sees it, by a session of the member's that changes nothing.

alter table session add column viewed_by bigint references customer (customer_id) on delete cascade;
alter table session drop constraint session_purpose_check;
alter table session add constraint session_purpose_check
  check (purpose in ('member', 'applicant', 'second_step', 'viewer'));
alter table session add constraint session_of_viewer check ((purpose = 'viewer') = (viewed_by is not null));
