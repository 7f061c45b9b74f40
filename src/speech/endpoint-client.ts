import { setTimeout as sleep } from 'node:timers/promises'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { errorCode } from '../lib/error-code.ts'
import { tryParseJson } from '../lib/text/try-parse-json.ts'
import { isTooLongForSound } from './recognized-text.ts'
import { SAMPLE_RATE } from './sound.ts'

/** An OpenAI-compatible server that recognizes speech. */
export type EndpointSettings = {
  url: string
  model: string
  apiKey: string | undefined
}

export type EndpointLimits = {
  /** The limit for one request with its response. */
  requestMs: number
  /** After the first attempt, no attempt starts later than this. */
  retryMs: number
  /** The pause before the second attempt. It doubles with each further attempt. */
  backOffMs: number
}

export const ENDPOINT_LIMITS: EndpointLimits = {
  requestMs: 20_000,
  retryMs: 30_000,
  backOffMs: 500,
}

/** The endpoint did not recognize an utterance. The message is a sentence for people. */
export class EndpointFailure extends Error {
  readonly isTransient: boolean
  /** How long the endpoint asks clients to wait before the next request. */
  readonly waitMs: number

  constructor(message: string, { isTransient = false, waitMs = 0, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.isTransient = isTransient
    this.waitMs = waitMs
  }
}

type FailureDetails = { isTransient?: boolean; waitMs?: number; cause?: unknown }

export type EndpointSound = { samples: Int16Array; durationMs: number; language: string | null }

export type EndpointClient = ReturnType<typeof createEndpointClient>

/** The text of twelve seconds is much shorter, but servers may add the times of words. */
const LONGEST_RESPONSE_BYTES = 256 * 1024
const MOST_ATTEMPTS = 4
const LONGEST_WAIT_MS = 10_000

const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2

export function createEndpointClient(
  { url, model, apiKey }: EndpointSettings,
  limits: EndpointLimits = ENDPOINT_LIMITS,
) {
  const base = url.replace(/\/+$/, '')
  const headers: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

  const request = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(`${base}${path}`, {
        ...init,
        headers,
        // A redirect could send the sound to a server that the operator did not choose.
        redirect: 'manual',
        signal: AbortSignal.any([
          AbortSignal.timeout(limits.requestMs),
          ...(init.signal ? [init.signal] : []),
        ]),
      })
    } catch (error) {
      throw toNetworkFailure(error)
    }
  }
  const recognizeOnce = async (
    wav: Blob,
    { durationMs, language }: EndpointSound,
    signal: AbortSignal,
  ) => {
    const form = new FormData()
    form.set('file', wav, 'speech.wav')
    form.set('model', model)
    form.set('response_format', 'json')
    if (language !== null) form.set('language', language.split('-')[0]!.toLowerCase())
    const response = await request('/audio/transcriptions', { method: 'POST', body: form, signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw toStatusFailure(response)
    }
    return readText(await readLimitedBody(response), durationMs)
  }

  return {
    /** Resolves with the text of the sound. Rejects with an EndpointFailure, or with the signal's reason if it aborts. */
    async recognize(sound: EndpointSound, signal: AbortSignal): Promise<string> {
      const wav = new Blob([encodeWav(sound.samples)], { type: 'audio/wav' })
      const giveUpAt = performance.now() + limits.retryMs
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await recognizeOnce(wav, sound, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof EndpointFailure) || !error.isTransient) throw error
          const waitMs = Math.max(error.waitMs, doublingDelayMs(limits.backOffMs, attempt))
          if (attempt >= MOST_ATTEMPTS || performance.now() + waitMs >= giveUpAt) throw error
          await sleep(waitMs, undefined, { signal })
        }
      }
    },
    /** Throws an EndpointFailure if the server does not answer. Sends no sound. */
    async probe() {
      const response = await request('/models', { method: 'GET' })
      await response.body?.cancel()
      if (response.status === 401 || response.status === 403) throw toStatusFailure(response)
      if (response.status >= 500) throw toStatusFailure(response)
    },
  }
}

function toNetworkFailure(error: unknown): EndpointFailure {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const code = errorCode(error) || errorCode((error as Error | undefined)?.cause)
  // The meeting's readers see this message. The error names the endpoint's address, so the message must not quote it.
  const message = isLate
    ? 'The speech endpoint did not answer in time.'
    : `The speech endpoint could not be reached (${code || 'unknown reason'}).`
  return new EndpointFailure(message, { isTransient: true, cause: error })
}

const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: ' Check HANSARD_SPEECH_API_KEY.',
  403: ' Check HANSARD_SPEECH_API_KEY.',
  404: ' Check HANSARD_SPEECH_URL and HANSARD_SPEECH_MODEL.',
}

function toStatusFailure({ status, headers }: Response): EndpointFailure {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return new EndpointFailure(
    `The speech endpoint answered ${status}.${STATUS_HINTS[status] ?? ''}`,
    {
      isTransient: status === 429 || status >= 500,
      waitMs: Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : 0,
    },
  )
}

async function readLimitedBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > LONGEST_RESPONSE_BYTES)
        throw new EndpointFailure('The speech endpoint sent a response that is too long.')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof EndpointFailure ? error : toNetworkFailure(error)
  }
  return Buffer.concat(parts).toString('utf8')
}

function readText(body: string, durationMs: number): string {
  const answer = tryParseJson(body)
  const text =
    typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : undefined
  if (typeof text !== 'string')
    throw new EndpointFailure('The speech endpoint did not answer with a JSON object with `text`.')
  if (isTooLongForSound(text.trim(), durationMs))
    throw new EndpointFailure('The speech endpoint sent more text than was said.')
  return text
}

/** A WAV file in memory: mono, 16-bit. */
function encodeWav(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * BYTES_PER_SAMPLE
  const file = Buffer.from(new ArrayBuffer(HEADER_BYTES + dataBytes))
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  // 1: samples without compression; 1: one channel.
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLE_RATE, 24)
  file.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28)
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32)
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  for (let index = 0; index < samples.length; index += 1)
    file.writeInt16LE(samples[index]!, HEADER_BYTES + index * BYTES_PER_SAMPLE)
  return file
}
