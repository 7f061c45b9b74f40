import { z } from 'zod'
import { tryParseJson } from '../../../../lib/text/try-parse-json.ts'
import type { BrowserSlot } from '../../../browser/pool/browser-slot.ts'
import { randomName, evaluateInPage } from '../../bridge/bridge.ts'
import { buildStreamReceiverScript } from '../../bridge/build-scripts.ts'
import { MAX_WIRE_ID_CHARS } from '../../wire/wire-types.ts'
import type { IceCandidate, IceServer } from '../protocol/messages.ts'

/** An empty page of the bot, in which our script receives the sound of streams. */
export interface SoundPage {
  /** Answers an offer of a new or a known stream. Rejects when the browser refuses the offer. */
  answer(streamId: string, sdp: string, iceServers: readonly IceServer[]): Promise<string>
  addCandidate(streamId: string, candidate: IceCandidate): Promise<void>
  close(streamId: string): Promise<void>
}

/** No server has this name, and the page is never requested: a page needs an https address to use WebRTC. */
const ADDRESS = 'https://galene.invalid/'

const STREAM_ID = z.string().max(MAX_WIRE_ID_CHARS)
const ENVELOPE_SCHEMA = z.tuple([
  z.number(),
  z.union([
    /** The stream, samples in base64, the age of the first sample in milliseconds, and whether silence follows. */
    z.tuple([z.literal('sound'), STREAM_ID, z.string().max(1_000_000), z.number(), z.boolean()]),
    z.tuple([
      z.literal('candidate'),
      STREAM_ID,
      z.object({ candidate: z.string().max(2_000) }).loose(),
    ]),
    z.tuple([z.literal('state'), STREAM_ID, z.string().max(50)]),
    z.tuple([z.literal('error'), z.string().max(2_000)]),
  ]),
])

/** What the script in the bot's page reports. `ageMs` is the age of the first sample. */
export type SoundPageMessage =
  | { kind: 'sound'; streamId: string; samples: Int16Array; ageMs: number; isEnd: boolean }
  | { kind: 'candidate'; streamId: string; candidate: object }
  | { kind: 'state'; streamId: string; state: string }
  | { kind: 'error'; text: string }

export async function openSoundPage(
  { page, cdpSession, reportActivity }: BrowserSlot,
  onMessage: (message: SoundPageMessage, sentAt: number) => void,
): Promise<SoundPage> {
  const [binding, control] = [randomName(), randomName()]
  cdpSession.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding) return
    reportActivity()
    const received = parseSoundPageMessage(payload)
    if (received === null) onMessage({ kind: 'error', text: 'a message of the page is invalid' }, 0)
    else onMessage(received.message, received.sentAt)
  })
  await cdpSession.send('Page.enable')
  await cdpSession.send('Runtime.enable')
  await cdpSession.send('Runtime.addBinding', { name: binding })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', {
    source: buildStreamReceiverScript(binding, control),
  })
  await page.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Hansard</title>' }),
  )
  await page.goto(ADDRESS)

  const call = (name: string, ...values: unknown[]) =>
    evaluateInPage(cdpSession, {
      expression: `globalThis['${control}'].${name}(${values.map((value) => JSON.stringify(value)).join(',')})`,
    })
  return {
    async answer(streamId, sdp, iceServers) {
      return String(await call('answer', streamId, sdp, { iceServers, bundlePolicy: 'max-bundle' }))
    },
    async addCandidate(streamId, candidate) {
      await call('addCandidate', streamId, candidate)
    },
    async close(streamId) {
      await call('close', streamId)
    },
  }
}

/** Parses a message of our script and the page time at which it was sent; null if it is invalid. */
function parseSoundPageMessage(
  payload: string,
): { sentAt: number; message: SoundPageMessage } | null {
  const { data } = ENVELOPE_SCHEMA.safeParse(tryParseJson(payload))
  if (data === undefined) return null
  const [sentAt, content] = data
  return { sentAt, message: toMessage(content) }
}

function toMessage(content: z.output<typeof ENVELOPE_SCHEMA>[1]): SoundPageMessage {
  switch (content[0]) {
    case 'sound': {
      const [, streamId, data, ageMs, isEnd] = content
      return { kind: 'sound', streamId, samples: toSamples(data), ageMs, isEnd }
    }
    case 'candidate':
      return { kind: 'candidate', streamId: content[1], candidate: content[2] }
    case 'state':
      return { kind: 'state', streamId: content[1], state: content[2] }
    case 'error':
      return { kind: 'error', text: content[1] }
  }
}

function toSamples(base64: string): Int16Array {
  const bytes = Buffer.from(base64, 'base64')
  const even = bytes.byteOffset + (bytes.length & ~1)
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, even))
}
