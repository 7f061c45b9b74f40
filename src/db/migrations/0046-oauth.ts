import { sql, type Kysely } from 'kysely'

/** Assistants that people connect by OAuth. A grant belongs to the API token that holds its rights. */
const STATEMENTS = [
  `create table oauth_client (
    id text primary key,
    name text not null,
    redirect_uris text[] not null,
    is_document boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index oauth_client_age on oauth_client (expires_at)`,
  `create table oauth_grant (
    token_id text primary key references api_token on delete cascade,
    client_id text not null,
    redirect_uri text not null,
    is_verified boolean not null,
    audience text not null,
    code_hash bytea not null unique,
    code_challenge text not null,
    code_expires_at timestamptz not null,
    redeemed_at timestamptz
  )`,
  `create index oauth_grant_by_client on oauth_grant (client_id)`,
  `create table oauth_secret (
    hash bytea primary key,
    token_id text not null references oauth_grant on delete cascade,
    kind text not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index oauth_secret_by_token on oauth_secret (token_id)`,
  `create index oauth_secret_age on oauth_secret (expires_at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
