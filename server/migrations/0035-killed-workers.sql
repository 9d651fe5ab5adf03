-- The ids under which a worker locks jobs of the queue, so that other workers can release the jobs of one that was killed. Null
-- for a worker of an earlier release.
alter table worker_heartbeat add column queue_worker_ids text[];
