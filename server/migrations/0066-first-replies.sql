-- When staff first replied to a ticket: the median is taken over a month of these, instead of over all replies.
alter table ticket add first_reply_at timestamptz;
update ticket t set first_reply_at = r.at
from (select ticket_number, min(created_at) as at from reply where by_staff group by ticket_number) r
where r.ticket_number = t.ticket_number;
create index ticket_first_reply on ticket (first_reply_at) include (created_at) where first_reply_at is not null;
drop index reply_of_staff;
