import * as fc from 'fast-check'
import { sign } from 'hansard/receiver'
import {
  headersFor,
  MEETING_ID,
  NEXT_SECRET,
  plainSignature,
  SAMPLE_EVENTS,
  sampleBody,
  SECRET,
  SIGNED_AT,
  timedSignature,
} from './sample-callbacks.ts'

/** What a receiver in any language gets. The body is text, or bytes as base64. */
export type CallbackCase = {
  body: { text: string } | { base64: string }
  headers: Array<[string, string]>
  secrets: string[]
  toleranceSeconds: number | null
  now: number
}

const BODY = sampleBody(2)
const HEADERS = headersFor(BODY)

function caseOf(
  body: string | Uint8Array,
  headers: Record<string, string> | Array<[string, string]> = HEADERS,
  more: Partial<CallbackCase> = {},
): CallbackCase {
  return {
    body:
      typeof body === 'string' ? { text: body } : { base64: Buffer.from(body).toString('base64') },
    headers: Array.isArray(headers) ? headers : Object.entries(headers),
    secrets: [SECRET],
    toleranceSeconds: null,
    now: SIGNED_AT,
    ...more,
  }
}

const plain = (body: string | Uint8Array) => ({
  'X-Service-Signature': plainSignature(body, SECRET),
})

/** Callbacks that every receiver judges alike: valid ones, forged ones, old ones, and bodies that are no events. */
export function listCallbackCases(randomCases = 300): CallbackCase[] {
  return [
    ...SAMPLE_EVENTS.flatMap((_, i) => [
      caseOf(sampleBody(i), headersFor(sampleBody(i))),
      caseOf(Buffer.from(sampleBody(i)), headersFor(sampleBody(i))),
    ]),
    ...listForgedCases(),
    ...listTimedCases(),
    ...listBodyCases(),
    ...listRandomCases(randomCases),
  ]
}

/** Signatures that look like the right one. */
export function listForgedSignatures(right: string): string[] {
  return [
    right.toUpperCase(),
    right.replace('sha256=', ''),
    right.replace('sha256', 'sha1'),
    right.slice(0, -1),
    `${right}0`,
    `${right} `,
    `${right}, ${right}`,
    `${right.slice(0, -1)}é`,
    'sha256=',
    'é'.repeat(71),
  ]
}

function listForgedCases(): CallbackCase[] {
  const right = plainSignature(BODY, SECRET)
  const signatures = [right, ...listForgedSignatures(right), '']
  const { 'x-service-signature': _, ...timedOnly } = HEADERS
  const both = headersFor(BODY, SECRET, NEXT_SECRET)
  return [
    ...signatures.map((value) => caseOf(BODY, { 'x-service-signature': value })),
    ...[`${BODY}\n`, '', BODY.replace('First', 'Third')].map((body) => caseOf(body)),
    ...[[], [''], [NEXT_SECRET], [SECRET, ''], [NEXT_SECRET, SECRET], ['é']].map((secrets) =>
      caseOf(BODY, both, { secrets }),
    ),
    caseOf(BODY, {}),
    caseOf(BODY, timedOnly),
    caseOf(BODY, [
      ['X-Service-Signature', right],
      ['x-service-signature', right],
    ]),
    ...['v2,', '', 'v1'].map((version) => {
      const changed = String(HEADERS['webhook-signature']).replace('v1,', version)
      return caseOf(BODY, { ...timedOnly, 'webhook-signature': changed })
    }),
    ...[`${MEETING_ID}_4`, '', 'é', 'a.b', 'x'.repeat(201)].map((id) =>
      caseOf(BODY, { ...timedOnly, 'webhook-id': id }),
    ),
  ]
}

function listTimedCases(): CallbackCase[] {
  const at = (seconds: number, toleranceSeconds: number | null = 300) => ({
    toleranceSeconds,
    now: SIGNED_AT + seconds * 1000,
  })
  const stamps = ['١٢٣', '1'.repeat(13), '-1', '1e9', ' 1', '0', '999999999999']
  return [
    ...[0, 300, -300, 301, -301, 300.5].map((seconds) => caseOf(BODY, HEADERS, at(seconds))),
    caseOf(BODY, HEADERS, at(1e9, null)),
    caseOf(BODY, plain(BODY), at(0)),
    caseOf(BODY, headersFor(BODY, SECRET, NEXT_SECRET), { ...at(0), secrets: [NEXT_SECRET] }),
    ...stamps.map((timestamp) => {
      const signature = timedSignature({ id: 'a', timestamp, body: BODY }, SECRET)
      const headers = {
        'webhook-id': 'a',
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      }
      return caseOf(BODY, headers, at(0, 1e12))
    }),
  ]
}

/** Signed bodies, most of which are no events. */
function listBodyCases(): CallbackCase[] {
  const event = { type: 'x', meetingId: 'm', sequence: 1, timestamp: 't', payload: {} }
  const sequences = [
    '1',
    '1.0',
    '1e2',
    '0',
    '-1',
    '1.5',
    '1e400',
    '"1"',
    'true',
    'null',
    '9007199254740991',
  ]
  const texts = [
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    'NaN',
    '{',
    `${JSON.stringify(event)}x`,
    '\u{feff}{}',
    ...sequences.map((value) => JSON.stringify(event).replace(':1,', `:${value},`)),
    JSON.stringify(event).replace(':1,', ':9007199254740992,'),
    JSON.stringify({ ...event, payload: [] }),
    JSON.stringify({ ...event, payload: null }),
    JSON.stringify({ ...event, type: 5 }),
    ` ${JSON.stringify(event)}\n`,
    JSON.stringify(event).replace('{}', '{"a":NaN}'),
    JSON.stringify(event).replace('{}', '{"a":-Infinity}'),
    '"'.padEnd(1024 * 1024 - 1, 'x') + '"',
    'x'.repeat(1024 * 1024 + 1),
  ]
  const bytes = [
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    Buffer.from(`\u{feff}${JSON.stringify(event)}`),
    Buffer.concat([
      Buffer.from(JSON.stringify(event).slice(0, -1)),
      Buffer.from([0x22, 0xed, 0xa0, 0x80]),
    ]),
    Buffer.from(JSON.stringify(event), 'utf16le'),
  ]
  return [...texts, ...bytes].map((body) =>
    caseOf(body, { 'x-service-signature': sign(body, SECRET) }),
  )
}

/** A valid callback with some of its parts changed at random, always the same ones. */
function listRandomCases(count: number): CallbackCase[] {
  const names = Object.keys(HEADERS)
  const change = fc.record({
    name: fc.constantFrom(...names),
    place: fc.nat({ max: 200 }),
    text: fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 3 }),
      fc.constantFrom(...Object.values(HEADERS)),
    ),
    removed: fc.nat({ max: 3 }),
  })
  const changes = fc.tuple(fc.array(change, { maxLength: 3 }), fc.boolean(), fc.boolean())
  return fc.sample(changes, { numRuns: count, seed: 24 }).map(([list, isTimed, isBodyChanged]) => {
    const headers = { ...HEADERS }
    for (const { name, place, text, removed } of list) {
      const old = headers[name] ?? ''
      const at = old.length === 0 ? 0 : place % old.length
      headers[name] = old.slice(0, at) + text + old.slice(at + removed)
    }
    return caseOf(isBodyChanged && list.length > 1 ? `${BODY} ` : BODY, headers, {
      toleranceSeconds: isTimed ? 300 : null,
    })
  })
}
