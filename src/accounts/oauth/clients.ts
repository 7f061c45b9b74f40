import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'
import { OAuthError } from './oauth-error.ts'
import { z } from 'zod'
import { toPlainLine } from '../../lib/text/plain-text.ts'
import { findRedirectUriProblem } from './redirect-uris.ts'

/** An assistant that asks for consent. */
export type OAuthClient = {
  id: string
  name: string
  redirectUris: readonly string[]
  /** The host that publishes the client's metadata. Null for a client that registered itself. */
  documentHost: string | null
}

/** Returns the JSON value at an address, or a sentence that says why it could not be read. */
export type FetchJson = (url: string) => Promise<{ value: unknown } | { problem: string }>

type Parts = { db: Db; clock: Clock; fetchJson: FetchJson }

const DAY_SECONDS = 24 * 3_600

/** A registration that no person consented to. */
const UNUSED_SECONDS = 7 * DAY_SECONDS

/** A registration since its last token. Some assistants register once and connect again later. */
const USED_SECONDS = 180 * DAY_SECONDS

const DOCUMENT_SECONDS = 3_600

/** When there are more, the oldest unused ones are removed, so a flood does not keep out new assistants for long. */
const MAX_UNUSED = 1_000

const MAX_NAME_LENGTH = 80

const MAX_REDIRECT_URIS = 20

/** What an assistant says about itself, in a registration or in its metadata document. Other fields are ignored. */
const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(1_000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

type ClientMetadata = { name: string; redirectUris: string[] }

/** The methods to authenticate a client with a secret that both know. A public document cannot contain one. */
const SECRET_METHODS = /^client_secret_/

const Document = z.object({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.undefined().optional(),
})

export function createOAuthClients({ db, clock, fetchJson }: Parts) {
  const save = async (id: string, metadata: { name: string; redirectUris: string[] }) => {
    const isDocument = parseDocumentUrl(id) !== null
    const seconds = isDocument ? DOCUMENT_SECONDS : UNUSED_SECONDS
    const now = clock.now()
    const row = { name: metadata.name, redirect_uris: metadata.redirectUris }
    const expires = { expires_at: addSecondsToDate(now, seconds) }
    await db
      .insertInto('oauth_client')
      .values({ id, ...row, ...expires, is_document: isDocument, created_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, ...expires }))
      .execute()
    return { ...toClient({ id, ...row }), createdAt: now }
  }

  return {
    async register(metadata: unknown): Promise<OAuthClient & { createdAt: Date }> {
      const client = await save(newId('client'), parseClientMetadata(metadata))
      await deleteOldestUnused(db)
      return client
    },

    /** Throws `invalid_assistant_request` if the assistant is unknown or its document cannot be used. */
    async find(clientId: string): Promise<OAuthClient> {
      const url = parseDocumentUrl(clientId)
      const row = await db
        .selectFrom('oauth_client')
        .select(['id', 'name', 'redirect_uris'])
        .where('id', '=', clientId)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      if (row !== undefined) return toClient(row)
      if (url === null)
        throw invalidAssistantError(
          'This assistant is not registered here',
          'Remove Hansard in the assistant and add it again',
        )
      const fetched = await fetchJson(clientId)
      if ('problem' in fetched) throw documentError(url, fetched.problem)
      try {
        return await save(clientId, parseClientDocument(fetched.value, clientId))
      } catch (error) {
        if (error instanceof OAuthError) throw documentError(url, error.message)
        throw error
      }
    },
  }
}

export type OAuthClients = ReturnType<typeof createOAuthClients>

/** Keeps a registration that a person uses. */
export async function keepUsedClient(tx: Db, clientId: string, now: Date): Promise<void> {
  await tx
    .updateTable('oauth_client')
    .set({ expires_at: addSecondsToDate(now, USED_SECONDS) })
    .where('id', '=', clientId)
    .where('is_document', '=', false)
    .execute()
}

async function deleteOldestUnused(db: Db): Promise<void> {
  await db
    .deleteFrom('oauth_client')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_client as unused')
        .select('unused.id')
        .where('unused.is_document', '=', false)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('oauth_grant')
                .select('token_id')
                .whereRef('oauth_grant.client_id', '=', 'unused.id'),
            ),
          ),
        )
        .orderBy('unused.created_at', 'desc')
        .offset(MAX_UNUSED),
    )
    .execute()
}

function toClient({
  id,
  name,
  redirect_uris,
}: {
  id: string
  name: string
  redirect_uris: string[]
}): OAuthClient {
  return { id, name, redirectUris: redirect_uris, documentHost: parseDocumentUrl(id)?.host ?? null }
}

function documentError({ host }: URL, problem: string): ServiceError {
  return invalidAssistantError(
    `The description of the assistant at ${host} cannot be used: ${problem}`,
  )
}

/** The request cannot be answered at its redirect URI, so the person sees the problem. */
export function invalidAssistantError(text: string, hint?: string): ServiceError {
  return new ServiceError('invalid_assistant_request', {
    text,
    ...(hint !== undefined && { hint }),
  })
}

/** Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
function parseClientMetadata(value: unknown): ClientMetadata {
  const parsed = Metadata.safeParse(value)
  if (!parsed.success) {
    const paths = parsed.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'document')
    throw new OAuthError('invalid_client_metadata', `Missing or invalid: ${paths.join(', ')}`)
  }
  const { redirect_uris: redirectUris, client_name: clientName = '', ...types } = parsed.data
  for (const uri of redirectUris) {
    const problem = findRedirectUriProblem(uri)
    if (problem !== null) throw new OAuthError('invalid_redirect_uri', problem)
  }
  if (types.grant_types?.includes('authorization_code') === false)
    throw new OAuthError('invalid_client_metadata', 'grant_types lacks authorization_code')
  if (types.response_types?.includes('code') === false)
    throw new OAuthError('invalid_client_metadata', 'response_types lacks code')
  // Invisible characters could reverse or hide a part of the name.
  const name = toPlainLine(clientName.replaceAll(/\p{Cf}/gu, ''), MAX_NAME_LENGTH)
  return { name: name === '' ? new URL(redirectUris[0] ?? '').host : name, redirectUris }
}

/** The URL of a client metadata document. Null if the client id is not one. */
function parseDocumentUrl(clientId: string): URL | null {
  const url = clientId.length <= 2_048 ? URL.parse(clientId) : null
  if (url === null || url.protocol !== 'https:' || url.href !== clientId) return null
  const { pathname, search, username, password } = url
  const isPlain = pathname !== '/' && search === '' && username === '' && password === ''
  return isPlain && !clientId.includes('#') ? url : null
}

/** Throws if the document describes another client. */
function parseClientDocument(value: unknown, clientId: string): ClientMetadata {
  const parsed = Document.safeParse(value)
  if (!parsed.success || parsed.data.client_id !== clientId)
    throw new OAuthError(
      'invalid_client_metadata',
      'Its client_id is not the address of the document',
    )
  if (SECRET_METHODS.test(parsed.data.token_endpoint_auth_method ?? 'none'))
    throw new OAuthError('invalid_client_metadata', 'It asks for a client secret')
  return parseClientMetadata(value)
}
