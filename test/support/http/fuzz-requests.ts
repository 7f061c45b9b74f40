import * as fc from 'fast-check'
import { hash } from 'node:crypto'
import { METHODS } from 'node:http'
import type { RouteAccessLevel } from '../../../src/http/pipeline/access/route-access.ts'
import { IS_FULL_SIZE } from '../test-size.ts'
import { anyText } from './any-text.ts'

/** The credentials that a request is sent with. */
export type Sender =
  | 'anonymous'
  | 'api key'
  | 'session'
  | 'session without CSRF token'
  | 'provisioning token'

export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  sender: Sender
  /** True if `headers` replace the headers with the sender's credentials. */
  replacesCredentials: boolean
}

/** One URL of the service, with the field names that its schemas declare. */
export type FuzzedUrl = {
  url: string
  access: RouteAccessLevel
  methods: string[]
  /** Methods whose schema has a body. */
  bodyMethods: string[]
  bodyFields: string[]
  queryFields: string[]
  /** True if a route under /api/v1 has the same path and handler. */
  hasTwin: boolean
}

/** Values that exist in the service, by the name of the field or path parameter that accepts them. */
export type KnownValues = Record<string, string[]> & {
  /** For every other field and path parameter. */
  id: string[]
}

const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT')

/** The access check refuses every other sender with the same answer, so most requests come from these. */
const SENDER_WEIGHTS: Record<RouteAccessLevel, Partial<Record<Sender, number>>> = {
  key: { 'api key': 8 },
  session: { session: 8 },
  admin: { session: 8 },
  key_or_session: { 'api key': 4, session: 4 },
  same_site: { anonymous: 4, session: 4 },
  open: { anonymous: 4, session: 4 },
  provisioning: { 'provisioning token': 16 },
}
const SENDERS: Sender[] = [
  'anonymous',
  'api key',
  'session',
  'session without CSRF token',
  'provisioning token',
]
/** In one of this many requests, odd headers replace the credentials. */
const REPLACED_CREDENTIALS_EVERY = 10

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\u202e',
  '😀'.repeat(60),
  'x'.repeat(101),
  'x'.repeat(2_000),
  '__proto__',
  "'; drop table app_user; --",
  '%00',
  '../../../package.json',
  '${7*7}',
  '\\',
  '"',
  'true',
  '5',
  'NaN',
]
const NUMBERS = [0, -0, -1, 1e308, -1e308, 2 ** 53, 2 ** 63, 0.1, Number.MIN_VALUE]
const INSTANTS = [
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2024-02-29T23:59:59.999Z',
  '2023-02-29T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
]
const FIELDS = [
  'code',
  'name',
  'email',
  'password',
  'currentPassword',
  'newPassword',
  'scopes',
  'expiresAt',
  'role',
  'id',
  '__proto__',
  'constructor',
  'toString',
]
/** Values that a field's schema accepts, or nearly accepts, by the field's name. */
const PLAUSIBLE_VALUES: Record<string, unknown[]> = {
  name: ['Ada', 'backend'],
  email: ['ada@example.com', 'ADA@EXAMPLE.COM', `${'a'.repeat(240)}@example.com`],
  password: ['correct horse battery', 'x'.repeat(1_024)],
  currentPassword: ['correct horse battery'],
  newPassword: ['correct horse battery'],
  scopes: [['read'], ['read', 'read'], [], ['meetings', 'tasks'], ['admin']],
  expiresAt: INSTANTS,
  role: ['admin', 'member', 'owner'],
  account: ['team'],
  active: [true, false, 'False'],
  attributes: ['userName', 'members,emails.value', ',', 'members['],
  callbackUrl: ['http://127.0.0.1:9/', 'https://user:secret@example.com/', 'ftp://example.com'],
  coach: [true, false],
  count: [0, 1, -1, 1_000],
  cronExpression: ['0 9 * * 1-5', '* * * * *', '0 0 31 2 *', null],
  displayName: ['Ada', 'Sales'],
  emails: [[{ value: 'ada@corp.example', primary: true }], [{}], 'ada@corp.example'],
  enabled: [true, false],
  events: [['meeting_ended'], [], ['caption', 'caption']],
  filter: [
    'userName eq "ada@corp.example"',
    'emails[type eq "work"].value sw "a"',
    '((',
    'not (a pr)',
  ],
  format: ['json', 'md', 'txt', 'vtt', 'srt', 'vcon'],
  from: [1, 5, 2 ** 31, ...INSTANTS],
  jsonrpc: ['2.0'],
  language: ['en-US', 'de', 'xx'],
  leave: [{}, { silence: null }, { maxDuration: 60 }, { lobbyTimeout: -1 }],
  limit: [1, 50, 100, 101],
  members: [[{ value: 'usr_none' }], [], null],
  method: ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list'],
  Operations: [
    [{ op: 'Replace', path: 'active', value: 'False' }],
    [{ op: 'add', path: 'members', value: [{ value: 'usr_none' }] }],
    [{ op: 'remove', path: 'members[value eq "usr_none"]' }],
    [{ op: 'add', path: '__proto__.a', value: 1 }],
  ],
  offset: [0, 1, 2 ** 31],
  params: [{}, { name: 'list_meetings', arguments: {} }, { name: 'search', arguments: { q: 'a' } }],
  platform: ['google_meet', 'microsoft_teams', 'practice'],
  project: ['api', 'team/weekly', '.hidden'],
  saveTranscript: [true, false],
  startIndex: [0, 1, 2 ** 31],
  status: [200, 410, 500, null],
  timeout: [1_000, 300_000],
  timezone: ['UTC', 'Europe/Berlin', 'Mars/Olympus'],
  title: ['Weekly'],
  to: [1, 5, 2 ** 31, ...INSTANTS],
  userName: ['ada@corp.example', 'ada'],
  url: ['practice://denied?speed=1000', 'practice://no-such-script', 'https://example.com/meeting'],
  wait: [0, -1],
}
/** The protocol of `POST /mcp` is not in a schema. */
const MCP_FIELDS = ['jsonrpc', 'id', 'method', 'params']
/** Neither is SCIM. */
const SCIM_FIELDS = ['userName', 'displayName', 'emails', 'active', 'members', 'Operations']
const SCIM_QUERY_FIELDS = ['filter', 'startIndex', 'count', 'attributes']
const HEADERS: Record<string, string[]> = {
  accept: ['text/html', 'application/xml', '*/*;q=nonsense', ''],
  'accept-encoding': ['br', 'gzip;q=0', 'zstd, *;q=0', ',,,', 'identity;q=0, *;q=0'],
  'accept-version': ['1.x', '*'],
  authorization: ['Bearer', 'Bearer  ', 'Basic YTpi', 'bearer sk_x', 'Digest ,'],
  'content-type': [
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    '/',
    '',
  ],
  'content-encoding': ['gzip', 'nonsense'],
  cookie: ['hansard=%zz', 'hansard=', '=;;=', 'hansard=a; hansard=b', '__proto__=1', '\u00ff'],
  expect: ['100-continue', 'miracles'],
  forwarded: ['for=unknown;proto=x'],
  host: ['', 'example.com:99999', '[::1', 'a, b', '\u00e4'],
  'idempotency-key': ['', 'k', 'k'.repeat(256), '\u00ff'],
  'if-match': ['"a"', '*', ''],
  'if-modified-since': ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'if-none-match': ['*', '"a", W/"b"', '"'],
  'if-unmodified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  origin: ['null', 'https://example.com', ':', ''],
  range: ['bytes=0-0', 'bytes=5-1', 'bytes=-', 'bytes=999999999-', 'lines=1-2', 'bytes=0-1,4-5'],
  'sec-fetch-site': ['cross-site', 'same-origin', ''],
  upgrade: ['websocket', 'h2c'],
  'user-agent': ['', '\u00ff'.repeat(400)],
  'x-api-key': ['', 'sk_', 'sk_ sk_', '\u00ff'],
  'x-csrf-token': ['', 'x'],
  'x-forwarded-for': ['unknown', '::1', '203.0.113.9, 10.0.0.1', ',', "'", '::ffff:1.2.3.4%eth0'],
  'x-forwarded-host': ['a b', ''],
  'x-forwarded-proto': ['gopher', ''],
  'x-http-method-override': ['DELETE'],
}

const BROKEN_BODIES = [
  '',
  '{',
  '1e999',
  '{"name":1e999}',
  '[[[[[[',
  '{"name":"a","name":"b"}',
  '{"name":"\\ud800"}',
  'null',
  '\u0000',
  `[${'['.repeat(5_000)}`,
  `"${'x'.repeat(70_000)}"`,
]

/** Random characters, so that PostgreSQL cannot compress them when it stores them. */
const LONG = Array.from({ length: 80 }, (_, i) => hash('sha512', String(i), 'base64url')).join('')

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS, ...INSTANTS) },
  { weight: 2, arbitrary: anyText({ maxLength: 40 }) },
  // Unpaired surrogates: not well-formed UTF-16.
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 5 })
      .map((codes) => String.fromCharCode(...codes)),
  },
)

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.constantFrom<unknown>(null, true, false, ...NUMBERS),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), text), tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Requests for one URL, from plausible ones with one wrong value to nonsense. */
export function requestsFor(target: FuzzedUrl, known: KnownValues): fc.Arbitrary<FuzzRequest> {
  const path = fc
    .tuple(pathsFor(target.url, known), queriesFor(target, known))
    .map((parts) => parts.join(''))
  const requests = target.methods.map((method) => ({
    // Fastify answers HEAD with the handler of GET.
    weight: method === 'HEAD' ? 1 : 4,
    arbitrary: fc.record({
      method: fc.constant(method),
      path,
      headers: fuzzHeaders,
      body: bodiesFor(target, method, known),
      sender: sendersFor(target.access),
      replacesCredentials: fc
        .integer({ min: 1, max: REPLACED_CREDENTIALS_EVERY })
        .map((n) => n === REPLACED_CREDENTIALS_EVERY),
    }),
  }))
  return fc.oneof(...requests)
}

const SENDER_OF_EVERY_METHOD: Partial<Record<RouteAccessLevel, Sender>> = {
  key: 'api key',
  provisioning: 'provisioning token',
}

/** A request to the URL with each method: its own, or with `TEST_SIZE=full` every method of HTTP. */
export function everyMethod(
  { url, access, methods }: FuzzedUrl,
  known: KnownValues,
): FuzzRequest[] {
  const path = url.replaceAll(PATH_PARAMETER, (name) => knownValues(name, known)[0] ?? name)
  const sender = SENDER_OF_EVERY_METHOD[access] ?? 'session'
  return (IS_FULL_SIZE ? ALL_METHODS : methods).map((method) => ({
    method,
    path,
    headers: {},
    body: null,
    sender,
    replacesCredentials: false,
  }))
}

function sendersFor(access: RouteAccessLevel): fc.Arbitrary<Sender> {
  const weights = SENDER_WEIGHTS[access]
  return fc.oneof(
    ...SENDERS.map((sender) => ({
      weight: weights[sender] ?? 1,
      arbitrary: fc.constant(sender),
    })),
  )
}

function bodiesFor(
  { url, access, bodyMethods, bodyFields }: FuzzedUrl,
  method: string,
  known: KnownValues,
): fc.Arbitrary<string | null> {
  // The service never reads the body of these.
  if (method === 'GET' || method === 'HEAD') return fc.constant(null)
  const isScim = access === 'provisioning'
  const names = isScim ? SCIM_FIELDS : url === '/mcp' ? MCP_FIELDS : bodyFields
  const isRead = bodyMethods.includes(method) || url === '/mcp' || isScim
  const fields = <T>(valueOf: (name: string) => fc.Arbitrary<T>) =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)]))
  const plausible = fc.record(fields((name) => plausibleValue(name, known)))
  const mixed = fc.record(
    fields((name) => fc.oneof({ weight: 6, arbitrary: plausibleValue(name, known) }, json)),
    { requiredKeys: [] },
  )
  const withOneOddValue = fc
    .tuple(plausible, fc.constantFrom(...names, 'id'), fc.oneof(text, json))
    .map(([body, name, value]) => ({ ...body, [name]: value }))
  const bodies = fc.oneof(
    { weight: 2, arbitrary: plausible.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: withOneOddValue.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: mixed.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN_BODIES) },
  )
  return fc.option(bodies, { freq: isRead ? 9 : 1 })
}

function plausibleValue(name: string, known: KnownValues): fc.Arbitrary<unknown> {
  return fc.constantFrom(...(PLAUSIBLE_VALUES[name] ?? knownValues(name, known)))
}

const PATH_PARAMETER = /:\w+|\*/g

function pathsFor(url: string, known: KnownValues): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom('%00', '%zz', '%', '..', '%2e%2e', '%2f', '.', '%ED%A0%80', 'x'.repeat(600)),
    text.map(encodeLoosely),
  )
  const names = url.match(PATH_PARAMETER) ?? []
  if (names.length === 0) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(url) },
      { weight: 1, arbitrary: odd.map((tail) => `${url}/${tail}`) },
    )
  }
  const values = names.map((name) => fc.oneof(fc.constantFrom(...knownValues(name, known)), odd))
  return fc.tuple(...values).map((parts) => {
    const rest = [...parts]
    return url.replaceAll(PATH_PARAMETER, () => rest.shift() ?? '')
  })
}

/** `name` is a field, or a path parameter in the router's spelling. */
function knownValues(name: string, known: KnownValues): string[] {
  return known[name.replace(':', '')] ?? known.id
}

function queriesFor(target: FuzzedUrl, known: KnownValues): fc.Arbitrary<string> {
  const queryFields = target.access === 'provisioning' ? SCIM_QUERY_FIELDS : target.queryFields
  const odd = fc.oneof(
    fc.constantFrom(
      '?',
      '?&&=',
      '?%zz=%zz',
      '?__proto__=1&__proto__[a]=b',
      '?a=1&a=2',
      '?%00',
      '#a',
    ),
    text.map((value) => `?x=${encodeLoosely(value)}`),
  )
  const none = { weight: 3, arbitrary: fc.constant('') }
  if (queryFields.length === 0) return fc.oneof(none, { weight: 2, arbitrary: odd })
  const pairs = queryFields.map((name) => {
    const good = plausibleValue(name, known).map(String)
    // With any other value of `wait`, the service may delay the response by that many seconds.
    const value = name === 'wait' ? good : fc.oneof({ weight: 2, arbitrary: good }, text)
    return value.map((given) => `${name}=${encodeLoosely(given)}`)
  })
  const declared = fc
    .array(fc.oneof(...pairs), { minLength: 1, maxLength: 3 })
    .map((parts) => `?${parts.join('&')}`)
  return fc.oneof(none, { weight: 2, arbitrary: odd }, { weight: 5, arbitrary: declared })
}

const fuzzHeaders = fc
  .array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc
          .constantFrom(...Object.keys(HEADERS))
          .chain((name) => fc.constantFrom(...(HEADERS[name] ?? [])).map((value) => [name, value])),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('x-forwarded-for', 'user-agent', 'cookie'),
          fc.constant(LONG),
        ),
      },
    ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs) as Record<string, string>)

/** Encodes like a careless client: replaces what cannot be encoded, and cuts long values. */
function encodeLoosely(value: string): string {
  return encodeURIComponent(value.toWellFormed()).slice(0, 1_500)
}
