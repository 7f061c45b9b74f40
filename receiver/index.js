// Checks callbacks of Hansard. Plain JavaScript for Node 20 and newer, with nothing to install: the folder
// can also be copied as it is.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Far more than any event has: what is longer is not worth the time to sign it. */
const MAX_BYTES = 1024 * 1024
/**
 * The forms of `webhook-id` and `webhook-timestamp`. They keep the two signatures apart: with any other
 * characters the beginning of a signed body could be passed off as these headers, and its rest as the body.
 */
const WEBHOOK_ID = /^[\w-]{1,200}$/
const WEBHOOK_TIMESTAMP = /^\d{1,12}$/

/**
 * What can be wrong, and the status to answer. It decides whether the callback comes again: 401 and 500 are
 * tried again for a day, so a mistake of the receiver loses nothing; 400 and 413 are given up after five tries.
 */
export const CALLBACK_ERRORS = Object.freeze({
  no_secret: { status: 500, text: 'No signing secret is given' },
  body_not_raw: { status: 500, text: 'The body must be the bytes or the text as they came' },
  too_large: { status: 413, text: 'The body is larger than any event' },
  missing_signature: { status: 401, text: 'There is no signature' },
  bad_signature: { status: 401, text: 'No signature is right for this body and secret' },
  missing_timestamp: { status: 401, text: 'There is no signature with a time' },
  too_old: { status: 401, text: 'It was signed too long ago' },
  too_new: { status: 401, text: 'It was signed in the future: one of the clocks is wrong' },
  not_json: { status: 400, text: 'The body is not JSON' },
  not_an_event: { status: 400, text: 'The body is not an event' },
})

export class CallbackError extends Error {
  /** @param {keyof typeof CALLBACK_ERRORS} code */
  constructor(code, options = {}) {
    super(CALLBACK_ERRORS[code].text, options)
    this.name = 'CallbackError'
    this.code = code
    this.status = CALLBACK_ERRORS[code].status
  }
}

/** The event in a callback that is genuine; anything else is a CallbackError. */
export function verifyCallback(rawBody, headers, secret, options) {
  const secrets = [secret].flat().filter((given) => typeof given === 'string' && given !== '')
  if (secrets.length === 0) throw new CallbackError('no_secret')
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new CallbackError('body_not_raw')
  }
  if ((rawBody.byteLength ?? rawBody.length) > MAX_BYTES) throw new CallbackError('too_large')
  checkSignatures(rawBody, createHeaderReader(headers), secrets, options ?? {})
  return parseEvent(rawBody)
}

/** The value of `X-Service-Signature`, for tests of a receiver. */
export function sign(rawBody, secret) {
  return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`
}

function checkSignatures(rawBody, header, secrets, { toleranceSeconds, now }) {
  const plain = header('x-service-signature')
  const timed = header('webhook-signature')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const isTimed = timed !== '' && WEBHOOK_ID.test(id) && WEBHOOK_TIMESTAMP.test(timestamp)
  if (plain === '' && timed === '') throw new CallbackError('missing_signature')

  const isTimedRight = () =>
    isTimed &&
    secrets.some((secret) => {
      const right = signWithTimestamp(`${id}.${timestamp}.`, rawBody, secret)
      return timed.split(' ').some((given) => isEqualConstantTime(right, given))
    })
  if ((toleranceSeconds ?? null) === null) {
    const isPlainRight = secrets.some((secret) => isEqualConstantTime(sign(rawBody, secret), plain))
    if (!isPlainRight && !isTimedRight()) throw new CallbackError('bad_signature')
    return
  }
  // Only this signature covers the time: the other one would let an old callback pass with a new time.
  if (!isTimed) throw new CallbackError('missing_timestamp')
  if (!isTimedRight()) throw new CallbackError('bad_signature')
  const age = (now ?? Date.now()) / 1000 - Number(timestamp)
  // Asked this way round, a limit or a time that is no number refuses instead of letting everything pass.
  if (!(age <= toleranceSeconds)) throw new CallbackError('too_old')
  if (!(age >= -toleranceSeconds)) throw new CallbackError('too_new')
}

function signWithTimestamp(prefix, rawBody, secret) {
  return `v1,${createHmac('sha256', secret).update(prefix).update(rawBody).digest('base64')}`
}

function isEqualConstantTime(right, given) {
  if (given.length !== right.length) return false
  const [a, b] = [Buffer.from(right), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Reads Node's headers, those of fetch, a Map and plain objects alike. Repeated ones are joined by a space. */
function createHeaderReader(headers) {
  const isIterable = typeof headers?.[Symbol.iterator] === 'function'
  const pairs = [...(isIterable ? headers : Object.entries(headers ?? {}))].filter(
    (pair) => Array.isArray(pair) && typeof pair[0] === 'string',
  )
  return (wanted) =>
    pairs
      .filter(([name]) => name.toLowerCase() === wanted)
      .flatMap(([, value]) => value)
      .filter((value) => typeof value === 'string')
      .join(' ')
}

function parseEvent(rawBody) {
  let event
  try {
    event = JSON.parse(
      typeof rawBody === 'string'
        ? rawBody
        : new TextDecoder('utf-8', { fatal: true }).decode(rawBody),
    )
  } catch (error) {
    throw new CallbackError('not_json', { cause: error })
  }
  // A type that is not known here is let through: a newer service must not fail at an older receiver.
  const isEvent =
    isObject(event) &&
    isObject(event.payload) &&
    [event.type, event.meetingId, event.timestamp].every((value) => typeof value === 'string') &&
    Number.isSafeInteger(event.sequence) &&
    event.sequence > 0
  if (!isEvent) throw new CallbackError('not_an_event')
  return event
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
