-- A demo account with a random password, printed at the start: the sign-in dialog does not list it.
alter table customer add column demo_password_hidden boolean not null default false;

-- When the password or second step was last entered in this session: risky actions of staff ask for it again.
alter table session add column confirmed_at timestamptz not null default now();
