import type { PageModel } from '../../platforms/page-model/page-states.ts'
import { describeStrategy } from '../../platforms/page-model/describe-strategy.ts'
import type { PlatformEvent, SelectorDrift } from '../../platforms/platform.ts'
import { removeUrlQueryAndFragment } from '../../platforms/page-session/errors/redact.ts'
import type { RehearsalCheckResult } from '../evaluate.ts'
import type { TextBlanker } from './blank-text.ts'
import type { InspectedPage, PageElementTree, VisitInspection } from './visit-inspector.ts'

/** What happened in the visit, in numbers and without words. */
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

/** Long lists of equal elements, such as languages, are cut. */
const MAX_LINES = 2_000
/** Attributes whose values are text for people. */
const TEXT_ATTRIBUTES: ReadonlySet<string> = new Set(['aria-label', 'placeholder', 'title'])
/** Attributes whose values come from the platform's code, so that they contain nothing of people. */
const CODE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'class',
  'role',
  'type',
  'jsname',
  'tabindex',
])

/** The file for a report about a broken platform. Names and words of people are blanked in every text of the page. */
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

/** The address without query and fragment, with a blanked meeting code. */
function blankAddress(address: string, { blankText }: TextBlanker): string {
  const url = URL.parse(removeUrlQueryAndFragment(address))
  return url === null ? '' : url.origin + blankText(url.pathname)
}
