import { z } from 'zod'
import { tryParseJson } from '../../../../lib/text/try-parse-json.ts'
import type { BrowserSlot } from '../../../browser/pool/browser-slot.ts'
import { randomName, evaluateInPage } from '../../bridge/bridge.ts'
import { buildStreamReceiverScript } from '../../bridge/build-scripts.ts'
import { decodeSamples } from '../../bridge/messages.ts'
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
    z
      .tuple([z.literal('sound'), STREAM_ID, z.string().max(1_000_000), z.number(), z.boolean()])
      .transform(([kind, streamId, base64, ageMs, isEnd]) => ({
        kind,
        streamId,
        samples: decodeSamples(base64),
        ageMs,
        isEnd,
      })),
    z
      .tuple([
        z.literal('candidate'),
        STREAM_ID,
        z.object({ candidate: z.string().max(2_000) }).loose(),
      ])
      .transform(([kind, streamId, candidate]) => ({ kind, streamId, candidate })),
    z
      .tuple([z.literal('state'), STREAM_ID, z.string().max(50)])
      .transform(([kind, streamId, state]) => ({ kind, streamId, state })),
    z
      .tuple([z.literal('error'), z.string().max(2_000)])
      .transform(([kind, text]) => ({ kind, text })),
  ]),
])

/** What the script in the bot's page reports. `ageMs` is the age of the first sample. */
export type SoundPageMessage = z.output<typeof ENVELOPE_SCHEMA>[1]

export async function openSoundPage(
  { page, cdpSession, reportActivity }: BrowserSlot,
  onMessage: (message: SoundPageMessage, sentAt: number) => void,
): Promise<SoundPage> {
  const [binding, control] = [randomName(), randomName()]
  cdpSession.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding) return
    reportActivity()
    const { data } = ENVELOPE_SCHEMA.safeParse(tryParseJson(payload))
    if (data === undefined)
      onMessage({ kind: 'error', text: 'a message of the page is invalid' }, 0)
    else onMessage(data[1], data[0])
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
