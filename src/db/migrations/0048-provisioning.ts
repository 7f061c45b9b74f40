import { sql, type Kysely } from 'kysely'

/** Users and groups that an identity provider manages (SCIM), and what groups may do in projects. */
const STATEMENTS = [
  `create table provisioning (
    id int primary key default 1 check (id = 1),
    is_on boolean not null,
    revokes_service_tokens boolean not null
  )`,
  `create table provisioning_token (
    id text primary key,
    name text not null,
    token_hash bytea not null unique,
    last4 text not null,
    created_by text,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create table scim_user (
    user_id text primary key references app_user on delete cascade,
    user_name text not null,
    folded_user_name text not null unique,
    external_id text,
    attributes jsonb not null,
    is_creation boolean not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
  )`,
  `create index scim_user_by_external_id on scim_user (external_id)`,
  `create table scim_group (
    id text primary key,
    display_name text not null,
    folded_display_name text not null unique,
    external_id text,
    version int not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table scim_group_member (
    group_id text not null references scim_group on delete cascade,
    user_id text not null references app_user on delete cascade,
    primary key (group_id, user_id)
  )`,
  `create index scim_group_member_by_user on scim_group_member (user_id)`,
  `create table scim_group_role (
    group_id text not null references scim_group on delete cascade,
    project text not null,
    role text not null,
    primary key (group_id, project)
  )`,
  `create index scim_group_role_by_project on scim_group_role (project)`,
  // role stays the stronger of the two. A row without own_role exists only through groups.
  `alter table project_member add column own_role text`,
  `alter table project_member add column group_role text`,
  `update project_member set own_role = role`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
