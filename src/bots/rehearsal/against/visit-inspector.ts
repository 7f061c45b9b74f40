import { z } from 'zod'
import { isDoneWithin } from '../../../lib/async/abort.ts'
import type { BridgeMessage } from '../../platforms/bridge/messages.ts'
import { summarizePage } from '../../platforms/page-session/evidence.ts'
import type { SessionInspector } from '../../platforms/page-session/page-session.ts'
import type { PageSummary } from '../../platforms/platform.ts'

const PARTS_SCHEMA = z.record(
  z.string(),
  z.object({ strategyIndex: z.int().nullable(), count: z.int(), hidden: z.int() }),
)

/** One element of a page: tag, attributes, own text, children. */
export type PageElementTree = [
  tag: string,
  attributes: Record<string, string>,
  text: string,
  children: PageElementTree[],
]
const ELEMENT_SCHEMA: z.ZodType<PageElementTree> = z.lazy(() =>
  z.tuple([z.string(), z.record(z.string(), z.string()), z.string(), z.array(ELEMENT_SCHEMA)]),
)

/** What one page looked like, including participants' names and words. */
export type InspectedPage = {
  parts: z.output<typeof PARTS_SCHEMA>
  summary: PageSummary
  /** The elements of each frame, the main document first. */
  frames: PageElementTree[]
}

/** What a visit saw. It contains participants' names and words, so it is never stored unchanged. */
export type VisitInspection = {
  states: Array<{
    atMs: number
    state: string
    phase: string
    marks: string[]
    address: string
    language: string
  }>
  /** The latest page of each state. */
  pages: Map<string, InspectedPage>
  /** Message counts of each channel, socket or call of the wire. */
  wire: Map<string, { messages: number; undecoded: number; captions: number; chat: number }>
  page: { captionRows: Set<string>; participants: number; chatMessages: number }
  /** Names that the page or the wire showed. */
  names: Set<string>
  /** Names of the errors that the page answered with. */
  problems: Set<string>
}

/** A page of the same state is captured again after this time, because pages load their parts gradually. */
const CAPTURE_INTERVAL_MS = 2_000
const SETTLE_MS = 5_000
const MAX_STATES = 500
const MAX_ROWS = 100_000

/**
 * Only one frame of the page contains a part, so the frame that finds it wins. The last frame is what was found before,
 * since a page may already be leaving its state while it is captured.
 */
function mergeParts(frames: ReadonlyArray<InspectedPage['parts']>): InspectedPage['parts'] {
  const merged: InspectedPage['parts'] = {}
  for (const parts of frames)
    for (const [name, part] of Object.entries(parts)) {
      const known = merged[name]
      const isBetter = part.strategyIndex !== null || part.hidden > (known?.hidden ?? 0)
      if (known === undefined || (known.strategyIndex === null && isBetter)) merged[name] = part
    }
  return merged
}

/** Records how one visit's session reads its page and its wire. */
export function createVisitInspector(now: () => number): SessionInspector & {
  inspection: VisitInspection
  /** Waits until the last capture is complete, but not longer than `ms`: a hung page never answers. */
  settle(ms?: number): Promise<void>
} {
  const inspection: VisitInspection = {
    states: [],
    pages: new Map(),
    wire: new Map(),
    page: { captionRows: new Set(), participants: 0, chatMessages: 0 },
    names: new Set(),
    problems: new Set(),
  }
  let capture: Promise<void> | null = null
  let capturedAt = -Infinity

  type Bridge = Parameters<SessionInspector['inspectPage']>[2]

  async function capturePage(state: string, bridge: Bridge): Promise<void> {
    try {
      const [parts, summary, structure] = await Promise.all([
        bridge.request('inspectParts'),
        summarizePage(bridge),
        bridge.request('describeStructure'),
      ])
      const before = inspection.pages.get(state)?.parts ?? {}
      inspection.pages.set(state, {
        parts: mergeParts([...parts.map((frame) => PARTS_SCHEMA.parse(frame)), before]),
        summary,
        frames: structure
          .map((frame) => ELEMENT_SCHEMA.nullable().parse(frame))
          .filter((frame) => frame !== null),
      })
    } catch (error) {
      // A page that navigates or closes gives no answer, but the next page of the same state does.
      inspection.problems.add(error instanceof Error ? error.name : 'unknown')
    }
  }
  function countOnPage(message: BridgeMessage): void {
    const { page, names } = inspection
    if (message.kind === 'rows')
      for (const { rowId, speaker } of message.rows) {
        if (page.captionRows.size < MAX_ROWS) page.captionRows.add(rowId)
        names.add(speaker)
      }
    if (message.kind === 'participants') {
      page.participants = Math.max(page.participants, message.items.length)
      for (const { label, name } of message.items) names.add(name || (label.split(',')[0] ?? ''))
    }
    if (message.kind === 'chat') {
      page.chatMessages += message.messages.length
      for (const { author } of message.messages) names.add(author)
    }
  }

  return {
    inspection,
    async settle(ms = SETTLE_MS) {
      if (capture !== null) await isDoneWithin(capture, ms)
    },
    inspectPage(message, pageState, bridge) {
      countOnPage(message)
      const { state, marks } = pageState.latest()
      const isNew = inspection.states.at(-1)?.state !== state
      if (isNew && inspection.states.length < MAX_STATES) {
        const { address = '', language = '' } = pageState.observation() ?? {}
        const phase = pageState.phase()
        inspection.states.push({ atMs: now(), state, phase, marks, address, language })
      }
      if (capture !== null || (!isNew && now() - capturedAt < CAPTURE_INTERVAL_MS)) return
      capturedAt = now()
      capture = capturePage(state, bridge).finally(() => {
        capture = null
      })
    },
    inspectTraffic({ via, name }, { captions = [], chat = [], isUndecoded = false }) {
      const key = `${via} ${name}`
      const counts = inspection.wire.get(key) ?? { messages: 0, undecoded: 0, captions: 0, chat: 0 }
      inspection.wire.set(key, counts)
      counts.messages += 1
      if (isUndecoded) counts.undecoded += 1
      counts.captions += captions.length
      counts.chat += chat.length
    },
  }
}
