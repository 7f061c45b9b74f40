import { sql, type Kysely } from 'kysely'

/**
 * Allows one project for each name in any letter case, because a disk may ignore letter case and keep two such projects
 * in one folder. Existing projects keep their names. Among projects that share a name, all but one are marked.
 */
const STATEMENTS = [
  `create table project_name (
    id text collate "C" primary key,
    folded text collate "C" not null,
    is_older_twin boolean not null default false
  )`,
  `create unique index project_name_folded on project_name (folded) where not is_older_twin`,
]

/** Among projects that share a name, a private project gets it. */
const SELECT_IDS = sql<{ id: string }>`select id from (
    select id from project
    union select project from project_access
    union select project collate "C" from meeting
    union select project collate "C" from task where project is not null
    union select project collate "C" from calendar
  ) as used
  order by id not in (select project from project_access where access = 'private'), id`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  const { rows } = await SELECT_IDS.execute(db)
  const seen = new Set<string>()
  const names = rows.map(({ id }) => {
    const folded = id.toLowerCase().toUpperCase().toLowerCase()
    const isOlderTwin = seen.has(folded)
    seen.add(folded)
    return { id, folded, isOlderTwin }
  })
  await sql`insert into project_name (id, folded, is_older_twin)
    select * from unnest(${names.map(({ id }) => id)}::text[], ${names.map(({ folded }) => folded)}::text[],
      ${names.map(({ isOlderTwin }) => isOlderTwin)}::boolean[])`.execute(db)
}
