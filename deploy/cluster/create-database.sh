#!/bin/sh
# Creates the role and the database of the pool. Patroni runs this once, on the first primary, with the URL of the database
# "postgres" as its argument.
set -eu
exec "{{BINARIES}}/psql" --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$1" <<'SQL'
create role pool login password '{{POOL_PASSWORD}}';
create database pool owner pool encoding 'UTF8' template template0;
SQL
