import { sql, type Kysely } from 'kysely'

/**
 * Earlier versions queued executions in tables of the library pg-boss. Another program in this database may use the same
 * tables, which then stay.
 */
const DROP_JOB_TABLES = `do $$ begin
  if to_regclass('pgboss.queue') is null then return; end if;
  if not exists (select from pgboss.queue where name = 'executions') then return; end if;
  if exists (select from pgboss.queue where name not in ('upkeep', 'executions', '__pgboss__send-it')) then return; end if;
  drop schema pgboss cascade;
exception when insufficient_privilege then null;
end $$`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DROP_JOB_TABLES).execute(db)
}
