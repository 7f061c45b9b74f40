import { PAGE_CONDITIONS, PAGE_STATE_NAMES, type PageModel } from '../page-model/page-states.ts'
import { requiredPagePartName } from '../page-model/state-rules.ts'

/** The part of a page model that the page watcher, our script in the page, needs, as plain JSON values. */
export function toPageWatcherConfig(
  pageModel: PageModel,
  pollIntervalMs: number,
  { readsChat = false }: { readsChat?: boolean } = {},
) {
  const { parts, userTextParts, expectedInCall, prompts, states, conditions } = pageModel
  const rules = [
    ...PAGE_STATE_NAMES.flatMap((state) => states[state] ?? []),
    ...PAGE_CONDITIONS.flatMap((condition) => conditions[condition]),
  ]
  const matchers = rules.flatMap(({ all, none = [] }) => [...all, ...none])
  const named = matchers.flatMap((matcher) => requiredPagePartName(matcher) ?? [])
  /** Only these send their text. With the text of captions every observation would be a new one. */
  const partsWithText = matchers.flatMap((matcher) =>
    matcher.by === 'words' ? (matcher.in ?? []) : [],
  )
  const observedParts = [
    ...new Set([
      ...named,
      ...expectedInCall,
      ...prompts.map(({ answer }) => answer),
      'captionsRegion',
      'captionsTurnOn',
      'captionsTurnOff',
      'attendeeView',
    ]),
  ].filter((name) => Object.hasOwn(parts, name))
  return {
    parts,
    userTextParts,
    expectedInCall,
    observedParts,
    partsWithText: [...new Set(partsWithText)],
    headCount: 'headCount',
    pollIntervalMs,
    readsChat,
  }
}
