import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { OAuthAudience } from './oauth/server-metadata.ts'
import type { ApiTokenKind, ApiTokenScope, Role } from './roles.ts'
import type { UserMarkKind } from './users/mark-keys.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A single row with values that all nodes of this instance share. */
    instance: {
      id: Generated<number>
      instance_id: Immutable<string>
      /** A known text, encrypted with the master key. It detects and stops a node with another key. */
      master_key_check: Immutable<Buffer>
      created_at: Generated<Date>
    }
    app_user: {
      id: Immutable<string>
      /** Unique, and stored in lower case. */
      email: string
      name: string
      role: Role
      /** Null for a user who signs in only with a provider or a passkey. */
      password_hash: string | null
      created_at: Generated<Date>
      /** True if the user is told that projects can be private, because they were an admin when that became possible. */
      has_access_notice: Generated<boolean>
      /** Since when the user can't sign in. Null for an active user. */
      deactivated_at: ColumnType<Date | null, undefined, Date | null>
    }
    session: {
      id: Immutable<string>
      /** SHA-256 of the cookie's value, which is not stored. */
      secret_hash: Immutable<Buffer>
      user_id: Immutable<string>
      ip: Immutable<string>
      user_agent: Immutable<string>
      created_at: Immutable<Date>
      last_seen_at: Date
      /** The encrypted ID token of a sign-in with a provider. It ends the session there too. Null for other sign-ins. */
      id_token: ColumnType<Buffer | null, Buffer | null | undefined, never>
    }
    /** A one-time link: an admin's invitation, or the setup link for the first user, which has no creator. */
    invitation: {
      id: Immutable<string>
      kind: Immutable<'setup' | 'invite'>
      code_hash: Immutable<Buffer>
      email: Immutable<string | null>
      role: Immutable<Role>
      created_by: Immutable<string | null>
      created_at: Immutable<Date>
      expires_at: Immutable<Date>
    }
    /** Failed sign-ins, counted by address, by account, and by both together; see accounts/sign-in/sign-in-throttle.ts. */
    sign_in_failure: {
      scope: Immutable<string>
      failures: number
      next_attempt_at: Date
      updated_at: Date
    }
    api_token: {
      id: Immutable<string>
      name: Immutable<string>
      /** SHA-256 of the API key. */
      key_hash: Immutable<Buffer>
      key_prefix: Immutable<string>
      key_last4: Immutable<string>
      /** The signing secret, encrypted with the master key. */
      signing_secret: Buffer
      /** The next signing secret, encrypted. Null if no rotation is in progress. */
      next_secret: ColumnType<Buffer | null, never, Buffer | null>
      next_secret_at: ColumnType<Date | null, never, Date | null>
      /** The previous signing secret, which stays valid until `old_secret_until`. */
      old_secret: ColumnType<Buffer | null, never, Buffer | null>
      old_secret_until: ColumnType<Date | null, never, Date | null>
      scopes: Immutable<ApiTokenScope[] | null>
      /** `service`: the token acts for the instance. `personal`: it acts with its creator's rights. */
      kind: Immutable<ApiTokenKind>
      /** The only projects that the token may use. Null for all. */
      projects: Immutable<string[] | null>
      /** True if the token may not use private projects, because a removed user left it before there were any. */
      team_only: ColumnType<boolean, never, never>
      /** User id of the creator. Null if it was the command line or the user was removed. */
      created_by: Immutable<string | null>
      /** Name of the creator, kept after the user is removed. Null for the command line. */
      created_by_name: string | null
      created_at: Immutable<Date>
      last_used_at: Date | null
      last_used_from: string | null
      /** The end of an OAuth grant moves with each refresh. */
      expires_at: Date | null
      revoked_at: Date | null
    }
    audit: {
      id: Generated<string>
      at: Immutable<Date>
      action: Immutable<string>
      /** Who acted: a user, a token, the command line or maintenance. */
      actor: Immutable<string>
      /** Id of the user, token or other object that the action changed. */
      object: Immutable<string | null>
      ip: Immutable<string | null>
      /** What changed, for example the old and the new role. */
      detail: ColumnType<string | null, string | null | undefined, never>
    }
    /** A one-time link to set a new password. A new link replaces the one before. */
    password_reset: {
      user_id: Immutable<string>
      code_hash: Buffer
      /** The admin who created the link. Null for the command line. The link ends when this user is no longer an admin. */
      created_by: string | null
      created_at: Date
      expires_at: Date
    }
    /** What one browser must answer within minutes to sign in, to link a provider or to add a passkey. */
    sign_in_challenge: {
      /** SHA-256 of the value that the answer contains. */
      key_hash: Immutable<Buffer>
      kind: Immutable<string>
      /** SHA-256 of a cookie of the browser that started the challenge. */
      browser_hash: Immutable<Buffer>
      /** The signed-in user who started the challenge. Null for a sign-in. */
      user_id: Immutable<string | null>
      /** The data that checks the answer, encrypted. */
      data: Immutable<Buffer>
      expires_at: Immutable<Date>
    }
    /** A user's account at an OpenID provider. */
    external_identity: {
      id: Immutable<string>
      issuer: Immutable<string>
      /** Identifies the person at the issuer forever, unlike the email address. */
      subject: Immutable<string>
      user_id: Immutable<string>
      email: string | null
      created_at: Immutable<Date>
      last_used_at: Date | null
    }
    passkey: {
      id: Immutable<string>
      user_id: Immutable<string>
      name: Immutable<string>
      /** The id of the credential in base64url. */
      credential_id: Immutable<string>
      public_key: Immutable<Buffer>
      /** How often the authenticator has signed. It stays 0 for passkeys that several devices share. */
      counter: ColumnType<string, number, number>
      transports: Immutable<string[]>
      created_at: Immutable<Date>
      last_used_at: ColumnType<Date | null, Date | null | undefined, Date>
    }
    /** An assistant that registered itself, or a cached client metadata document. */
    oauth_client: {
      /** The URL of the document, or a random id. */
      id: Immutable<string>
      name: string
      redirect_uris: string[]
      is_document: Immutable<boolean>
      created_at: Immutable<Date>
      expires_at: Date
    }
    /** A person's consent that an assistant acts for them. Its API token has the rights, the lifetime and the name. */
    oauth_grant: {
      token_id: Immutable<string>
      client_id: Immutable<string>
      redirect_uri: Immutable<string>
      /** True if the host that receives the code also publishes the client's metadata. */
      is_verified: Immutable<boolean>
      audience: Immutable<OAuthAudience>
      /** SHA-256 of the authorization code. */
      code_hash: Immutable<Buffer>
      code_challenge: Immutable<string>
      code_expires_at: Immutable<Date>
      /** When the code was exchanged. Null until then. */
      redeemed_at: ColumnType<Date | null, never, Date>
    }
    /** An access or refresh token of a grant. */
    oauth_secret: {
      /** SHA-256 of the token. */
      hash: Immutable<Buffer>
      token_id: Immutable<string>
      kind: Immutable<'access' | 'refresh'>
      expires_at: Immutable<Date>
      /** When a refresh token was exchanged, or replaced because its response was lost. Using it again revokes the grant. */
      used_at: ColumnType<Date | null, never, Date>
      /** The hash of the refresh token for which it was issued. Null for the tokens of a code. */
      replaces: ColumnType<Buffer | null, Buffer | null | undefined, never>
    }
    /** Something that the console remembers for a user; see accounts/users/mark-keys.ts. */
    user_mark: {
      user_id: Immutable<string>
      kind: Immutable<UserMarkKind>
      key: Immutable<string>
      at: Date
    }
  }
}
