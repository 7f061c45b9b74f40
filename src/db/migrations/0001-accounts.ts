import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  `create table instance (
    id smallint primary key default 1 check (id = 1),
    instance_id text not null,
    master_key_check bytea not null,
    created_at timestamptz not null default now()
  )`,
  `create table app_user (
    id text primary key,
    email text not null unique check (email = lower(email)),
    name text not null,
    role text not null check (role in ('admin', 'member')),
    password_hash text not null,
    created_at timestamptz not null default now()
  )`,
  `create table session (
    id text primary key,
    secret_hash bytea not null unique,
    user_id text not null references app_user on delete cascade,
    ip text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null
  )`,
  `create index session_by_user on session (user_id)`,
  `create table invitation (
    id text primary key,
    kind text not null check (kind in ('setup', 'invite')),
    code_hash bytea not null unique,
    email text,
    role text not null check (role in ('admin', 'member')),
    created_by text references app_user on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table sign_in_failure (
    scope text primary key,
    failures integer not null,
    next_attempt_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table api_token (
    id text primary key,
    name text not null,
    key_hash bytea not null unique,
    key_prefix text not null,
    key_last4 text not null,
    signing_secret bytea not null,
    scopes text[],
    created_by text references app_user on delete set null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    last_used_from text,
    expires_at timestamptz,
    revoked_at timestamptz
  )`,
  `create table idempotent_request (
    token_id text not null references api_token on delete cascade,
    key text not null,
    fingerprint bytea not null,
    fence integer not null,
    claimed_until timestamptz not null,
    status smallint,
    body text,
    created_at timestamptz not null,
    primary key (token_id, key)
  )`,
  `create index idempotent_request_age on idempotent_request (created_at)`,
  `create table request_count (
    scope text not null,
    minute timestamptz not null,
    node_id text not null,
    count integer not null,
    primary key (minute, scope, node_id)
  )`,
  `create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    action text not null,
    actor text not null,
    object text,
    ip text
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
