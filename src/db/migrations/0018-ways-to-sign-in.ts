import { sql, type Kysely } from 'kysely'

/** Sign-in with an OpenID provider and with passkeys, password reset links, and an audit log that people can read. */
const STATEMENTS = [
  // People who sign in only through a provider have no password.
  `alter table app_user alter column password_hash drop not null`,
  `create table password_reset (
    user_id text primary key references app_user on delete cascade,
    code_hash bytea not null unique,
    created_by text references app_user on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table sign_in_challenge (
    key_hash bytea primary key,
    kind text not null,
    browser_hash bytea not null,
    user_id text references app_user on delete cascade,
    data bytea not null,
    expires_at timestamptz not null
  )`,
  `create index sign_in_challenge_age on sign_in_challenge (expires_at)`,
  `create table external_identity (
    id text primary key,
    issuer text not null,
    subject text not null,
    user_id text not null references app_user on delete cascade,
    email text,
    created_at timestamptz not null,
    last_used_at timestamptz,
    unique (issuer, subject)
  )`,
  `create index external_identity_by_user on external_identity (user_id)`,
  `create table passkey (
    id text primary key,
    user_id text not null references app_user on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index passkey_by_user on passkey (user_id)`,
  `alter table session add column id_token bytea`,
  `alter table audit add column detail text`,
  // The console and the API list the newest entries by actor, action, object or time.
  `create index audit_by_actor on audit (actor, id)`,
  `create index audit_by_action on audit (action, id)`,
  `create index audit_by_object on audit (object, id)`,
  `create index audit_by_time on audit (at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
