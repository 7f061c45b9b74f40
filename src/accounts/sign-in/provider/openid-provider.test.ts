import { strict as assert } from 'node:assert'
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { onAbort } from '../../../lib/async/abort.ts'
import { createOpenIdProvider } from './openid-provider.ts'

const ISSUER = 'https://id.example.com/realms/a'
const REDIRECT_URI = 'https://hansard.example.com/web/sign-in/provider/callback'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const FOREIGN_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

type Answers = {
  issuer?: string
  needsGroups?: boolean
  key?: KeyObject
  /** Changes of the ID token. */
  claims?: Record<string, unknown>
  userInfo?: Record<string, unknown>
  loginAfter?: number | null
  /** The end of the path that is never answered. */
  silentPath?: string
}

/** Signs in at a provider with correct answers except the given ones. Returns the person and the requested paths. */
async function signIn({ issuer = ISSUER, needsGroups = false, ...answers }: Answers) {
  const paths: string[] = []
  let nonce = ''
  const respond = (path: string): unknown => {
    if (path.endsWith('openid-configuration')) return discoveryDocument(issuer)
    if (path.endsWith('/keys'))
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] }
    if (path.endsWith('/me')) return { sub: 'ada', email: 'ada@example.com', ...answers.userInfo }
    const claims = { ...idTokenClaims(issuer), nonce, ...answers.claims }
    const idToken = signToken(claims, answers.key ?? privateKey)
    return { access_token: 'a', token_type: 'Bearer', id_token: idToken }
  }
  const provider = createOpenIdProvider({
    issuer: ISSUER,
    clientId: 'hansard',
    clientSecret: 'secret',
    scopes: 'openid email',
    groupsClaim: 'groups',
    needsGroups,
    timeoutMs: 10,
    // Only a request that is never answered gets to its time limit, even on a slow machine.
    fetch: async (url, { signal }) => {
      const { pathname } = new URL(url)
      paths.push(pathname)
      if (answers.silentPath !== undefined && pathname.endsWith(answers.silentPath))
        return new Promise((_, reject) => signal && onAbort(signal, () => reject(signal.reason)))
      return Response.json(respond(pathname))
    },
  })
  const { url, ...checks } = await provider.startAuthorization(
    REDIRECT_URI,
    answers.loginAfter ?? null,
  )
  nonce = checks.nonce
  const callback = new URL(`${REDIRECT_URI}?code=c&state=${checks.state}`)
  const person = await provider.finishAuthorization(callback, checks)
  return { person, paths, parameters: new URL(url).searchParams }
}

function discoveryDocument(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${ISSUER}/auth`,
    token_endpoint: `${ISSUER}/token`,
    userinfo_endpoint: `${ISSUER}/me`,
    jwks_uri: `${ISSUER}/keys`,
  }
}

function idTokenClaims(issuer: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: 'hansard', sub: 'ada', iat: now, exp: now + 60 }
}

function signToken(claims: object, key: KeyObject): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

test('an ID token counts only with the key, issuer, audience, nonce and time of this sign-in', async () => {
  const { person } = await signIn({})
  assert.partialDeepStrictEqual(person, {
    issuer: ISSUER,
    subject: 'ada',
    email: 'ada@example.com',
  })
  const wrong: Answers[] = [
    { key: FOREIGN_KEY },
    { claims: { iss: 'https://id.example.com/realms/b' } },
    { claims: { aud: 'another client' } },
    { claims: { nonce: 'of another sign-in' } },
    { claims: { exp: 1 } },
    { userInfo: { sub: 'eve' } },
  ]
  for (const answers of wrong)
    await assert.rejects(
      signIn(answers),
      { problem: 'answer_rejected' },
      Object.keys(answers.claims ?? answers).join(),
    )
})

test('a person who must sign in again is asked to, and an earlier sign-in does not count', async () => {
  const now = Math.floor(Date.now() / 1000)
  const link = (authTime: unknown) => signIn({ loginAfter: now, claims: { auth_time: authTime } })
  const { parameters } = await link(now + 5)
  assert.deepEqual([parameters.get('prompt'), parameters.get('max_age')], ['login', '0'])
  await assert.rejects(link(now - 60), { problem: 'answer_rejected' })
  await assert.rejects(link('yesterday'), { problem: 'answer_rejected' })
  // Some providers never report the time.
  await link(undefined)
  const { parameters: usual } = await signIn({ claims: { auth_time: now - 60 } })
  assert.equal(usual.get('prompt'), null)
})

test('the issuer may end in a slash or not, but is no other', async () => {
  for (const issuer of [ISSUER, `${ISSUER}/`]) {
    const { person, paths } = await signIn({ issuer })
    assert.equal(person.issuer, issuer)
    assert.equal(paths[0], '/realms/a/.well-known/openid-configuration')
  }
  for (const issuer of [`${ISSUER}//`, 'https://id.example.com/realms', `${ISSUER}b`])
    await assert.rejects(signIn({ issuer }), { problem: 'provider_unavailable' }, issuer)
})

test('a provider that does not answer in time is not available', async () => {
  for (const silentPath of ['openid-configuration', '/token', '/keys', '/me'])
    await assert.rejects(signIn({ silentPath }), { problem: 'provider_unavailable' }, silentPath)
})

test('user info is requested only for an email address or groups that the ID token lacks', async () => {
  const requests = async (answers: Answers) =>
    (await signIn(answers)).paths.includes('/realms/a/me')
  const claims = { email: 'ada@example.com' }
  assert.equal(await requests({}), true)
  assert.equal(await requests({ claims }), false)
  assert.equal(await requests({ claims, needsGroups: true }), true)
  const groups = { ...claims, groups: ['staff'] }
  assert.equal(await requests({ claims: groups, needsGroups: true }), false)
})
