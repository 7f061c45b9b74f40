import * as fc from 'fast-check'
import { hash } from 'node:crypto'
import { METHODS } from 'node:http'
import { anyText } from './any-text.ts'

/** Who sends a request: nobody, a program with a key, or a person with a session. */
export type Sender = 'nobody' | 'program' | 'person' | 'person without the token'

export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  sender: Sender
}

/** Values that are known to the service, so that a request comes far before it is refused. */
export type KnownValues = { ids: string[]; texts: string[]; assets: string[] }

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
const PLAUSIBLE_VALUES: Record<string, unknown[]> = {
  name: ['Ada', 'backend'],
  email: ['ada@example.com', 'ADA@EXAMPLE.COM', `${'a'.repeat(240)}@example.com`],
  password: ['correct horse battery', 'x'.repeat(1_024)],
  currentPassword: ['correct horse battery'],
  newPassword: ['correct horse battery'],
  scopes: [['read'], ['read', 'read'], [], ['meetings', 'tasks'], ['admin']],
  expiresAt: INSTANTS,
  role: ['admin', 'member', 'owner'],
}
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

/** Long and without a pattern, so that nothing on the way can press it into a few bytes. */
const LONG = Array.from({ length: 80 }, (_, i) => hash('sha512', String(i), 'base64url')).join('')

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS, ...INSTANTS) },
  { weight: 2, arbitrary: anyText({ maxLength: 40 }) },
  // Not well-formed: half a pair of surrogates.
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

/** Requests for one route: from plausible ones that are wrong in one place to plain nonsense. */
export function requestsFor(
  url: string,
  methods: string[],
  known: KnownValues,
): fc.Arbitrary<FuzzRequest> {
  const allMethods = METHODS.filter((method) => method !== 'CONNECT')
  return fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...methods) },
      { weight: 1, arbitrary: fc.constantFrom(...allMethods) },
    ),
    path: fc.tuple(pathsFor(url, known), query).map(([path, search]) => `${path}${search}`),
    headers: fuzzHeaders,
    body: fc.option(bodiesFor(known), { freq: 4 }),
    sender: fc.constantFrom<Sender>(
      'person',
      'person',
      'program',
      'nobody',
      'person without the token',
    ),
  })
}

function bodiesFor({ ids, texts }: KnownValues): fc.Arbitrary<string> {
  const field = (name: string) => {
    const good = PLAUSIBLE_VALUES[name] ?? (name === 'code' ? texts : ids)
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: json },
    )
  }
  const names = Object.keys(PLAUSIBLE_VALUES).concat('code')
  const form = fc.record(Object.fromEntries(names.map((name) => [name, field(name)])), {
    requiredKeys: [],
  })
  const whole = fc.record(Object.fromEntries(names.map((name) => [name, field(name)])))
  return fc.oneof(
    { weight: 4, arbitrary: whole.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: form.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: json.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
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
      ),
    },
  )
}

function pathsFor(url: string, { ids, assets }: KnownValues): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom('%00', '%zz', '%', '..', '%2e%2e', '%2f', '.', '%ED%A0%80', 'x'.repeat(600)),
    text.map(encodeLoosely),
  )
  const part = fc.oneof(fc.constantFrom(...(url.includes('*') ? assets : ids)), odd)
  if (!/[:*]/.test(url)) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(url) },
      { weight: 1, arbitrary: odd.map((tail) => `${url}/${tail}`) },
    )
  }
  return part.map((value) => url.replace(/:\w+|\*/, () => value))
}

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom('?', '?&&=', '?%zz=%zz', '?__proto__=1&__proto__[a]=b', '?a=1&a=2', '?%00', '#a'),
  text.map((value) => `?x=${encodeLoosely(value)}`),
)

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

/** As a careless program would: what cannot be encoded is left out. */
function encodeLoosely(value: string): string {
  return encodeURIComponent(value.toWellFormed()).slice(0, 1_500)
}
