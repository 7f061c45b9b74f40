import { describeStrategy } from '../../platforms/page-model/find-strategies.ts'
import type { PageModel } from '../../platforms/page-model/page-states.ts'
import { removeUrlQueryAndFragment } from '../../platforms/page-session/page-errors.ts'
import type { PlatformEvent, SelectorDrift } from '../../platforms/platform.ts'
import type { RehearsalCheckResult } from '../evaluate.ts'
import type { TextBlanker } from './blank-text.ts'
import type { InspectedPage, PageElementTree, VisitInspection } from './visit-inspector.ts'

/** The result of the visit, in numbers and without words. */
export type VisitResult = {
  events: Array<{ atMs: number; kind: PlatformEvent['kind'] }>
  drifts: SelectorDrift[]
  captions: number
  participants: number
  chatMessages: number
  end: string | null
}

export type ReportFacts = {
  hansard: string
  browser: string
  platform: string
  createdAt: string
  isSignedIn: boolean
}

/** Long lists of similar elements, such as languages, are cut. */
const MAX_LINES = 2_000
/** Attributes whose values are text for people. */
const TEXT_ATTRIBUTES: ReadonlySet<string> = new Set(['aria-label', 'placeholder', 'title'])
/** Attributes whose values come from the platform's code and hold nothing about people. */
const CODE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'class',
  'role',
  'type',
  'jsname',
  'tabindex',
])

type VisitCheck = {
  name: string
  /** True if the check makes sense only in a call. */
  isInCall: boolean
  evaluate(result: VisitResult, inspection: VisitInspection): Omit<RehearsalCheckResult, 'name'>
}

/** The checks of a visit to a real meeting, in the order in which a visit passes them. */
const CHECKS: readonly VisitCheck[] = [
  {
    name: 'page loaded',
    isInCall: false,
    evaluate: ({ events }) => reached(events, ['way in', 'not started', 'lobby', 'admitted']),
  },
  {
    name: 'joined',
    isInCall: false,
    evaluate({ events, end }, { states }) {
      const { ok, detail } = reached(events, ['admitted'])
      const last = states.at(-1)?.state ?? 'none'
      return { ok, detail: ok ? detail : `never; the last page state was “${last}”${endedBy(end)}` }
    },
  },
  {
    name: 'participants',
    isInCall: true,
    evaluate: ({ participants }) => ({ ok: participants > 0, detail: `${participants} seen` }),
  },
  {
    name: 'captions by wire',
    isInCall: true,
    evaluate: (_, { wire }) => countCaptions(sumOf([...wire.values()].map((row) => row.captions))),
  },
  {
    name: 'captions by page',
    isInCall: true,
    evaluate: (_, { page }) => countCaptions(page.captionRows.size),
  },
  {
    name: 'wire decoded',
    isInCall: true,
    evaluate(_, { wire }) {
      const bad = [...wire].filter(([, { undecoded }]) => undecoded > 0)
      const total = sumOf([...wire.values()].map(({ messages }) => messages))
      if (bad.length === 0) return { ok: true, detail: `all ${total} messages` }
      const parts = bad.map(([name, { undecoded, messages }]) => `${name} ${undecoded}/${messages}`)
      return { ok: false, detail: `not decoded: ${parts.join(', ')}` }
    },
  },
  {
    name: 'selectors',
    isInCall: true,
    evaluate({ drifts }) {
      const lost = drifts.filter(({ foundBy }) => foundBy === null).map(({ part }) => part)
      if (lost.length > 0) return { ok: false, detail: `not found on the page: ${lost.join(', ')}` }
      const others = drifts.map(({ part }) => part)
      const detail = others.length === 0 ? 'all found' : `by another selector: ${others.join(', ')}`
      return { ok: true, detail }
    },
  },
  {
    name: 'left',
    isInCall: true,
    evaluate: ({ end }, { states }) => {
      const hasLeft = end === null && states.some(({ state }) => state === 'left')
      const detail = hasLeft
        ? 'the page confirmed it'
        : `the page did not confirm it${endedBy(end)}`
      return { ok: hasLeft, detail }
    },
  },
]

/** The file for a report about a broken platform. People's names and words are blanked in every text of the page. */
export function createPlatformReport(
  facts: ReportFacts,
  steps: readonly RehearsalCheckResult[],
  result: VisitResult,
  inspection: VisitInspection,
  pageModel: PageModel,
  blanker: TextBlanker,
) {
  const { states, pages, wire, page } = inspection
  return {
    format: 'hansard-platform-report',
    version: 1,
    ...facts,
    steps: steps.map(({ name, ok, detail }) => ({ name, ok, detail })),
    end: result.end,
    events: result.events,
    states: states.map(({ address, ...state }) => ({
      ...state,
      address: blankAddress(address, blanker),
    })),
    drift: result.drifts,
    captions: {
      published: result.captions,
      rowsOnPage: page.captionRows.size,
      onWire: [...wire.values()].reduce((sum, { captions }) => sum + captions, 0),
    },
    participants: { published: result.participants, onPage: page.participants },
    chat: { published: result.chatMessages, onPage: page.chatMessages },
    wire: Object.fromEntries(wire),
    pages: Object.fromEntries(
      [...pages].map(([state, shown]) => [state, describePage(shown, pageModel, blanker)]),
    ),
    problems: [...inspection.problems],
  }
}

export type PlatformReport = ReturnType<typeof createPlatformReport>

function describePage(
  { parts, summary, frames }: InspectedPage,
  pageModel: PageModel,
  { blankText, blankIdentifier }: TextBlanker,
) {
  const found = Object.entries(parts).map(([name, { strategyIndex, count, hidden }]) => {
    const strategy = pageModel.parts[name]?.strategies[strategyIndex ?? -1]
    const foundBy = strategy === undefined ? null : describeStrategy(strategy)
    return [name, { foundBy, strategy: strategyIndex, count, hidden }]
  })
  return {
    title: blankText(summary.title),
    headings: summary.headings.map(blankText),
    buttons: summary.buttons.map(blankText),
    parts: Object.fromEntries(found),
    structure: frames.flatMap((frame) =>
      [...describeElement(frame, '', { blankText, blankIdentifier })].slice(0, MAX_LINES),
    ),
  }
}

/** One line for each element: `button#join[aria-label="Ask to join"] "Ask to join"`, indented by its depth. */
function* describeElement(
  [tag, attributes, text, children]: PageElementTree,
  indent: string,
  blanker: Pick<TextBlanker, 'blankText' | 'blankIdentifier'>,
): Generator<string> {
  const shown = Object.entries(attributes).map(([name, value]) => {
    if (CODE_ATTRIBUTES.has(name)) return `[${name}="${value}"]`
    const blank = TEXT_ATTRIBUTES.has(name) ? blanker.blankText : blanker.blankIdentifier
    return `[${name}="${blank(value)}"]`
  })
  yield `${indent}${tag}${shown.join('')}${text === '' ? '' : ` "${blanker.blankText(text)}"`}`
  for (const child of children) yield* describeElement(child, `${indent} `, blanker)
}

/** The address without query and fragment, and with the meeting code blanked. */
function blankAddress(address: string, { blankText }: TextBlanker): string {
  const url = URL.parse(removeUrlQueryAndFragment(address))
  return url === null ? '' : url.origin + blankText(url.pathname)
}

export function evaluateVisit(
  result: VisitResult,
  inspection: VisitInspection,
): RehearsalCheckResult[] {
  const wasInCall = result.events.some(({ kind }) => kind === 'admitted')
  return CHECKS.filter(({ isInCall }) => wasInCall || !isInCall).map(({ name, evaluate }) => ({
    name,
    ...evaluate(result, inspection),
  }))
}

function reached(events: VisitResult['events'], any: readonly string[]) {
  const first = events.find(({ kind }) => any.includes(kind))
  if (first === undefined) return { ok: false, detail: 'never' }
  return { ok: true, detail: `after ${(first.atMs / 1_000).toFixed(1)} s` }
}

function countCaptions(count: number) {
  return count > 0
    ? { ok: true, detail: `${count} received` }
    : { ok: false, detail: 'none; somebody must speak during the check' }
}

function endedBy(end: string | null): string {
  return end === null ? '' : `; it ended with ${end}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
