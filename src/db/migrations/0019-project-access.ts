import { sql, type Kysely } from 'kysely'

/**
 * Who may read and change each project. Existing projects stay open to all users, because a project without a row in
 * `project_access` is a team project.
 */
const STATEMENTS = [
  // The same collation as in the documents' project column. Otherwise the index is not used.
  `create table project_access (
    project text collate "C" primary key,
    access text not null check (access in ('team', 'private')),
    created_by text,
    created_at timestamptz not null
  )`,
  // Every list asks for each row whether its project is private, and most projects are not.
  `create index project_access_private on project_access (project) where access = 'private'`,
  `create table project_member (
    project text collate "C" not null,
    user_id text not null references app_user on delete cascade,
    role text not null check (role in ('reader', 'editor', 'owner')),
    added_by text,
    added_at timestamptz not null,
    primary key (user_id, project)
  )`,
  `create index project_member_project on project_member (project)`,
  `create index meeting_project on meeting (project)`,
  // A token without a creator was made by the command line, or its creator was removed and the token kept.
  `alter table api_token add column kind text not null default 'personal' check (kind in ('service', 'personal'))`,
  `update api_token set kind = 'service' where created_by is null`,
  `alter table api_token add column projects text[]`,
  // Tokens that removed users left never had more than a user's rights, so they must not get the instance's rights.
  `alter table api_token add column team_only boolean not null default false`,
  `update api_token set team_only = true where created_by is null and created_by_name is not null`,
  `alter table task add column owner_id text, add column project text, add column projects text[]`,
  // An execution is hidden from viewers who may not read its meeting or document. Hidden executions are counted.
  `create index execution_with_source on execution (task_id, number) where triggered_by is not null`,
  // Usage is counted for each project, because not everyone may see how much a project is used. Empty: no project.
  `alter table model_usage add column project text not null default ''`,
  `alter table model_usage drop constraint model_usage_pkey`,
  `alter table model_usage add primary key (day, task_name, model, project)`,
  `alter table removal add column project text`,
  // After an upgrade, admins are told once that projects can be private.
  `alter table app_user add column has_access_notice boolean not null default false`,
  `update app_user set has_access_notice = true where role = 'admin'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
